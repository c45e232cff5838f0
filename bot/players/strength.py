"""The strength of the computer players, on the scale of people's ratings. Measured once; no match moves it."""

from __future__ import annotations

from typing import Final

from bot.players.characters import Level

_NORMAL: Final = 1000
"""The rating with which everybody begins."""
_LOWEST: Final = 200
"""The lowest rating that is given: below it the shares of matches won are too small to be told apart."""

_EASY_AND_HARD: Final = {
    "escoba": (220, 1190),
    "juegon": (220, 1190),
    "quince": (_LOWEST, 1190),
    "clasica": (_LOWEST, 1470),
    "cientifica": (_LOWEST, 1300),
    "chorizo": (410, 1130),
}
"""The ratings of these levels, derived from the shares of matches won against the normal one; see docs/PLAYERS.md."""


def rating_of(preset: str, level: Level) -> int:
    """Return the fixed rating of a level in a rule system, accurate to about thirty points."""
    easy, hard = _EASY_AND_HARD[preset]
    return {Level.EASY: easy, Level.NORMAL: _NORMAL, Level.HARD: hard}[level]
