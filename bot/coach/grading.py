"""The quality of a decision, in codes that training puts into words."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.coach.analysis import LIMITS, Analysis, MoveRating
from bot.engine.moves import Move

SMALL, MISTAKE, BLUNDER = LIMITS
"""The least losses that are a slip (nobody would notice less, and it is three times the error), a mistake (two or three
such decisions cost a point) and a blunder (a whole point given away), in points of the round."""
SURE: Final = 2.0
"""Least loss that is held against anybody, in standard errors: a smaller one may be chance."""
SCALE: Final = ((0.0, 1.0), (0.03, 0.9), (0.2, 0.5), (0.8, 0.25), (1.0, 0.0))
"""The score by what somebody gave away, as a share of what moves drawn at random would have. Between two rows it is
proportional. The rows are about what the hard, the normal and the easy level give away; docs/PLAYERS.md has the
figures."""


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


def shares(analysis: Analysis, move: Move) -> tuple[float, float]:
    """Compare what a move gave away with what was at stake, which is what the worst move would have.

    Returns the share that the move gave away, and the mean share of all moves. Both are 0 if nothing was at stake.
    """
    losses = [lost(rating) for rating in analysis.ratings]
    worst = max(losses)
    if not worst:
        return 0.0, 0.0
    return lost(analysis.rating_of(move)) / worst, sum(losses) / len(losses) / worst


def score(decisions: Iterable[tuple[float, float]]) -> float:
    """Score somebody's decisions, from 0 for moves drawn at random to 1 if nothing was given away.

    Args:
        decisions: the `shares` of each.

    >>> score([(0.0, 0.5), (0.2, 0.5)])
    0.5
    """
    given = drawn = 0.0
    for own, random in decisions:
        given += own
        drawn += random
    share = given / drawn if drawn else 0.0
    for (less, high), (more, low) in pairwise(SCALE):
        if share <= more:
            return high + (low - high) * (share - less) / (more - less)
    return 0.0
