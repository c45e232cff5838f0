"""Simulated people find a capture where a card has more of them than buttons."""

import pytest

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.moves import captures
from bot.engine.rules import Capture
from bot.tables.ids.game import Ref, Verb, pack, unpack
from bot.tables.screens.picking import ANY
from tests.wire.players import nearer_to_a_capture
from tests.wire.seen import Seen

TABLE = CardSet.of("1o 1c 2o 2c 3o 3c 4o 4c 5o 5c 6o")


def panel(argument: str, chosen: CardSet, words: str) -> Seen:
    """A panel on which table cards are chosen, for a card that was laid or for any."""
    ids = [Ref(1, 2, (argument, pack(chosen ^ CardSet.of([card])))).custom_id(Verb.CHOOSE) for card in TABLE]
    row = {"type": 1, "components": [{"type": 2, "custom_id": each, "label": "card"} for each in ids]}
    return Seen({"id": "1", "flags": 0, "content": words, "components": [row]})


@pytest.mark.parametrize("chosen", ["", "1o", "6o 5c 4c", "1o 1c 2o 2c 3o 3c 4o 4c 5o 5c 6o"])
@pytest.mark.parametrize(("capture", "words"), [(Capture.FIFTEEN, "card + table = 15"), (Capture.MATCH, "7 = 4 + 3")])
def test_people_get_to_a_capture_card_by_card(capture: Capture, words: str, chosen: str) -> None:
    found, clicks = CardSet.of(chosen), 0
    while (press := nearer_to_a_capture(panel("7e", found, words))) is not None:
        found, clicks = unpack(press.args[1]) or EMPTY, clicks + 1
        assert clicks <= len(TABLE), "each click brings it nearer"
    assert found in captures(capture, Card.parse("7e"), TABLE)


def test_they_choose_freely_before_a_card_is_chosen() -> None:
    assert nearer_to_a_capture(panel(ANY, EMPTY, "card + table = 15")) is None
