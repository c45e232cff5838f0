"""The quality of a decision, in codes that `bot.ui.words` puts into words."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.players.training.analysis import LIMITS, MoveRating

SMALL, MISTAKE, BLUNDER = LIMITS
"""The least losses that are a slip (nobody would notice less, and it is three times the error), a mistake (two or three
such decisions cost a point) and a blunder (a whole point given away), in points of the round."""
SURE: Final = 2.0
"""Least loss that is held against anybody, in standard errors: a smaller one may be chance."""
SLACK: Final = 0.25
"""Points added to what the normal level gives away in a match, which may be nothing. They make a single slip in a
match without difficult decisions cost half of the score, not all of it."""


class Grade(StrEnum):
    """The quality of a decision."""

    GOOD = "good"
    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def lost(rating: MoveRating) -> float:
    """Return the points that a decision gave away; 0 if they can't be distinguished from chance."""
    return rating.behind if rating.behind >= max(SMALL, SURE * rating.error) else 0.0


def grade(rating: MoveRating) -> Grade:
    """Grade a decision by what it lost against the best move."""
    return graded(lost(rating))


def graded(points: float) -> Grade:
    """Grade a decision that gave away this many points."""
    if points >= BLUNDER:
        return Grade.BLUNDER
    if points >= MISTAKE:
        return Grade.MISTAKE
    return Grade.SMALL if points else Grade.GOOD


def score(given: float, normal: float) -> float:
    """Score somebody's decisions in a match, from 0 to 1: 1 with nothing given away, near a half for the normal level.

    Args:
        given: the points that they gave away.
        normal: the points that the normal level would have given away with the same decisions.

    >>> score(2.25, normal=2.0)
    0.5
    """
    allowed = normal + SLACK
    return allowed / (allowed + given)
