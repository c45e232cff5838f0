"""The only thing in public that depends on a table's seed is the commitment to it."""

import json
from dataclasses import replace

from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.tables.screens.table import public_layout
from bot.tables.words.scores import SHOWN
from tests.support.tables.bare import bare_table
from tests.support.tables.kit import ANA, BEA, Stacked, lobby, playing

SEALS = ("A" * 43, "B" * 43)


def test_tables_with_other_seeds_look_the_same_but_for_their_commitments() -> None:
    display = Display(words("en"))
    states = [lobby(ANA, BEA), playing(ANA, BEA, chance=Stacked(1, first=1))]
    for state in states:
        view = bare_table(state).view()
        shown = [public_layout(replace(view, commitment=each, posted=1), display) for each in SEALS]
        texts = [json.dumps(layout.components, ensure_ascii=False) for layout in shown]
        assert texts[0].count("A" * SHOWN) == 1
        assert SEALS[0] not in texts[0]
        assert texts[0].replace("A" * SHOWN, "B" * SHOWN) == texts[1]
        assert "posted" not in texts[0]
