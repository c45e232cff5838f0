"""The strength of the computer players, on the scale of people's ratings. Measured once; no match moves it."""

from __future__ import annotations

from math import log, sqrt
from typing import Final

from bot.engine.rules import Seating
from bot.players.characters import Level

NORMAL: Final = 1000
"""The rating with which everybody begins."""
POINT_OF_SKILL: Final = 48
"""A unit of the skill that the model estimates, in points of the ratings that are shown."""
BETA: Final = 25 / 6
"""The spread of a person's play from match to match, according to the model."""
_LOWEST: Final = 200
"""The lowest rating that is given: below it the shares of matches won are too small to be told apart."""

_WON: Final = {
    "escoba": (Seating.TWO, 6, 66),
    "juegon": (Seating.TWO, 6, 66),
    "quince": (Seating.TWO, 2, 66),
    "clasica": (Seating.TWO, 4, 84),
    "cientifica": (Seating.PAIRS, 0, 89),
    "chorizo": (Seating.TWO, 11, 61),
}
"""The percentages of matches that the easy and the hard level win against the normal one; see docs/PLAYERS.md."""


def rating_of(preset: str, level: Level) -> int:
    """Return the fixed rating of a level in a rule system, accurate to about thirty points."""
    seating, easy, hard = _WON[preset]
    share = max({Level.EASY: easy, Level.NORMAL: 50, Level.HARD: hard}[level], 0.1) / 100
    apart = POINT_OF_SKILL * sqrt(2) * BETA * log(share / (1 - share)) * seating.sides / seating.seats
    return max(_LOWEST, round((NORMAL + apart) / 10) * 10)
