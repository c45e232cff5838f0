"""How good a decision was, in codes that `bot.ui.words` puts into words."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from bot.players.analysis import Rating

SMALL: Final = 0.15
"""Losing fewer points of the round than this is good: nobody would notice, and the error of 1,000 draws is a third of
it."""
MISTAKE: Final = 0.4
"""Losing this much is a mistake: two or three such decisions cost a point."""
BLUNDER: Final = 1.0
"""A whole point given away."""
SURE: Final = 2.0
"""A loss of fewer standard errors than this may be chance, and isn't held against anybody."""
RIGHT: Final = 0.5
"""The accuracy of a decision that gives away one point; it is 1 with none given away, and a quarter with two."""


class Grade(StrEnum):
    """How good a decision was."""

    GOOD = "good"
    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def lost(rating: Rating) -> float:
    """The points that a decision gave away; 0 if they can't be distinguished from chance."""
    return rating.behind if rating.behind >= max(SMALL, SURE * rating.error) else 0.0


def grade(rating: Rating) -> Grade:
    """How good a decision was, by what it lost against the best move."""
    points = lost(rating)
    if points >= BLUNDER:
        return Grade.BLUNDER
    if points >= MISTAKE:
        return Grade.MISTAKE
    return Grade.SMALL if points else Grade.GOOD


def accuracy(losses: Iterable[float]) -> float:
    """The mean accuracy of decisions, from 0 to 1, given what each lost; 1 if there are none.

    >>> accuracy([0.0, 1.0])
    0.75
    """
    right = [RIGHT**points for points in losses]
    return sum(right) / len(right) if right else 1.0
