"""The votes of onlookers about who wins a round, and what came of them. No log has them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.engine.moves import Stage
from bot.engine.scoring import RoundScore
from bot.engine.views import PublicView

Votes = Mapping[int, Mapping[int, int]]
"""By round, from 1, the side that each user has voted for."""


@dataclass(frozen=True, slots=True)
class Poll:
    """The votes about a round, as everybody sees them.

    Attributes:
        open: whether onlookers may vote now.
        counts: how many have voted for each side of the round that is played.
        right: between two rounds and after the last one, the users who were right about the latest.
    """

    open: bool
    counts: tuple[int, ...]
    right: tuple[int, ...] = ()


def is_open(match: PublicView) -> bool:
    """Whether it is early enough in a round: until its second deal, or until half of the cards of its only one are
    played. Only what everybody sees decides."""
    if match.stage is not Stage.TO_PLAY or match.deal != 1:
        return False
    return match.deals > 1 or 2 * sum(match.hand_counts) > match.rules.hands(match.seating)[0] * match.seating.seats


def right_about(score: RoundScore, votes: Mapping[int, int]) -> tuple[int, ...]:
    """List the users who have voted for the side with the most points of a round; nobody if several have as many."""
    points = score.points
    best = max(points)
    return tuple(user for user, side in votes.items() if points[side] == best) if points.count(best) == 1 else ()


def foreseen(rounds: Iterable[tuple[Sequence[RoundScore], Votes]]) -> tuple[int, ...]:
    """List the users who were right about a round of these matches, those most often right first."""
    right = Counter[int]()
    for scores, votes in rounds:
        for number, score in enumerate(scores, 1):
            right.update(right_about(score, votes.get(number, {})))
    return tuple(user for user, _ in right.most_common())
