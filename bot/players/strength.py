"""The strength of the computer players, on the scale of people's ratings. Measured once; no match moves it."""

from __future__ import annotations

from typing import Final

from bot.players.characters import Level

_NORMAL: Final = 1000
"""The rating with which everybody begins."""
_LOWEST: Final = 200
"""The lowest rating that is given: below it the shares of matches won are too small to be told apart."""

_HARD: Final = {"escoba": 1190, "juegon": 1190, "quince": 1190, "clasica": 1470, "cientifica": 1300, "chorizo": 1130}
_EASY: Final = {
    "escoba": 220,
    "juegon": 220,
    "quince": _LOWEST,
    "clasica": _LOWEST,
    "cientifica": _LOWEST,
    "chorizo": 410,
}
"""The ratings of the easy level, derived from the shares of matches won against the normal one; see docs/PLAYERS.md."""


def rating_of(preset: str, level: Level) -> int:
    """Return the fixed rating of a level in a rule system, accurate to about thirty points."""
    return {Level.EASY: _EASY[preset], Level.NORMAL: _NORMAL, Level.HARD: _HARD[preset]}[level]
