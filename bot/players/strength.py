"""How strong the computer players are, on the scale of people's ratings. Measured once; no match moves it."""

from __future__ import annotations

from typing import Final

from bot.players.characters import Level

_NORMAL: Final = 1000
"""The rating with which everybody begins."""
_LOWEST: Final = 200
"""Below that the shares of matches won are too small to be told apart."""

_HARD: Final = {"escoba": 1190, "juegon": 1190, "quince": 1190, "clasica": 1470, "cientifica": 1300, "chorizo": 1130}
_EASY: Final = {
    "escoba": 220,
    "juegon": 220,
    "quince": _LOWEST,
    "clasica": _LOWEST,
    "cientifica": _LOWEST,
    "chorizo": 410,
}
"""Derived from the shares of matches won against the normal level; docs/PLAYERS.md has those and the derivation."""


def rating_of(preset: str, level: Level) -> int:
    """The fixed rating of a level in a rule system, accurate to about thirty points."""
    return {Level.EASY: _EASY[preset], Level.NORMAL: _NORMAL, Level.HARD: _HARD[preset]}[level]
