"""The people who may gain by a match: those who have played it themselves, against people who have.

A win without a card played, or one that a computer has won for somebody, brings no rating, season points, achievements
or records, and nobody pays for it; only those who leave a match lose it all the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """The part that the holder of a seat had in a match.

    Attributes:
        side: their side.
        played: whether they have played a card themselves in a round that was scored.
        mostly_robot: whether a computer has played more than half of their cards.
    """

    side: int
    played: bool
    mostly_robot: bool


def is_played(shares: Iterable[Share]) -> bool:
    """Whether people of several sides have played, so that somebody may gain by the match."""
    return len({share.side for share in shares if share.played}) > 1


def gainers(shares: Sequence[Share]) -> list[bool]:
    """Say of each seat whether its holder may gain anything by the match.

    >>> gainers([Share(0, played=True, mostly_robot=False), Share(1, played=False, mostly_robot=False)])
    [False, False]
    """
    sides = {share.side for share in shares if share.played}
    return [share.played and not share.mostly_robot and bool(sides - {share.side}) for share in shares]
