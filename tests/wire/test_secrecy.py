"""No card is revealed to anybody who may not see it, nor written to the log at any log level."""

from pathlib import Path

import pytest

from bot.engine.cards import DECK
from bot.engine.rules import PRESETS
from tests.support.dose import thorough_but
from tests.wire.dose import dose
from tests.wire.spying import cards_in, spying

COMMON = ("escoba", "quince")
FIRST = sorted(PRESETS, key=COMMON.__contains__, reverse=True)
"Variants, in the order in which larger doses add them."


@pytest.mark.parametrize("preset", thorough_but(FIRST[: dose().presets], FIRST[0]))
async def test_nothing_secret_is_sent_or_logged(tmp_path: Path, preset: str) -> None:
    fewest = min(seating.seats for seating in PRESETS[preset].seatings)
    figures = await spying(tmp_path, preset=preset, seats=fewest, seed=preset)
    assert figures.found == []
    assert figures.bodies_read > 60


def test_the_log_check_finds_every_card() -> None:
    lines = ["2026-11-21T05:13:03.253Z INFO x: nothing", *(f"2026-11-21T05:13:03Z DEBUG x: {card}" for card in DECK)]
    assert len(cards_in("\n".join(lines))) == len(DECK)
