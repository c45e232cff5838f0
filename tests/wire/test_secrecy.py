"""No card that somebody may not see is told to them, nor to whoever reads the bot's log, however much it logs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.cards import DECK
from bot.engine.rules import PRESETS
from tests.support.secrecy import default_finder
from tests.wire.dose import dose
from tests.wire.faults import CALLBACKS, EDITS
from tests.wire.ledger import Ledger
from tests.wire.players import Party
from tests.wire.process import TOKEN
from tests.wire.world import wire

DECK_IN_A_ROW = re.compile(r"(?:\b(?:[1-7]|1[0-2])[oceb]\b[ ,]+){3}")


@pytest.mark.parametrize(
    "preset", sorted(PRESETS, key=("escoba", "quince").__contains__, reverse=True)[: dose().presets]
)
async def test_nothing_secret_is_sent_or_logged(tmp_path: Path, preset: str) -> None:
    fewest = min(seating.seats for seating in PRESETS[preset].seatings)
    async with wire(tmp_path, people=fewest, log_level="DEBUG", seed=preset) as w:
        party = Party(w, w.channels[0], w.people, options={"preset": preset})
        await party.play(until=lambda: party.version > 8)
        w.faults.add("PATCH", EDITS, 503, times=2)  # errors tell nothing either
        w.faults.add("POST", CALLBACKS, 500, times=1)
        goal = party.version + 40
        await party.play(until=lambda: party.version > goal)
        await w.settle()
        ledger = Ledger(w.database).read()
        ledger.judge(w.requests)
        assert ledger.findings == []
        assert ledger.bodies > 60
        assert _cards_in(w.log) == []
        assert TOKEN not in w.log
        assert not any(shot.payload["token"] in w.log for shot in w.shots.values())


def _cards_in(log: str) -> list[str]:
    """The lines that name a card, by its notation, by its picture, or a set of cards packed in a button."""
    find = default_finder()
    found = []
    for line in log.splitlines():
        words = re.sub(r"^\S+ +[A-Z]+ +", "", line)  # the time, such as 05:13:1c, names none
        if find.cards(words) or DECK_IN_A_ROW.search(words):
            found.append(line)
    return found


def test_the_check_of_the_log_finds_cards() -> None:
    lines = ["2026-11-21T05:13:03.253Z INFO x: nothing", *(f"2026-11-21T05:13:03Z DEBUG x: {card}" for card in DECK)]
    assert len(_cards_in("\n".join(lines))) == len(DECK)
