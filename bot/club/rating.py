"""Ratings: one for each person and server, over all rule systems, moved by every rated match.

A rating is an estimate of somebody's strength, `mu`, and how uncertain that is, `sigma`. People are ordered by mu -
sigma: by mu - 3 sigma, they would be ordered by how often they have played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

PRIOR_MU: Final = 25.0
PRIOR_SIGMA: Final = PRIOR_MU / 6
_SHOWN: Final = 48.0
"""Points shown for one of mu - sigma, which makes the first rating 1,000."""
_SETTLED_SIGMA: Final = 3.0
"""Somebody who plays others of about the same strength gets there after some thirty matches."""
_GROWTH: Final = 1.0 / 365
"""By how much sigma grows with each day away: linearly, so that time alone never changes the order of two people."""
_FULL_MATCHES: Final = 3
"""How many matches of the same people on a day count in full."""

_MODEL: Final = PlackettLuce(mu=PRIOR_MU, sigma=PRIOR_SIGMA)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is, and how uncertain that is, as of their latest rated match."""

    mu: float = PRIOR_MU
    sigma: float = PRIOR_SIGMA

    @property
    def value(self) -> float:
        """What people are ordered by."""
        return self.mu - self.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it: 1,000 before the first match."""
        return round(_SHOWN * self.value)

    @property
    def settled(self) -> bool:
        """Whether it is certain enough to be shown without a question mark."""
        return self.sigma <= _SETTLED_SIGMA

    def after(self, days: float) -> Rating:
        """The rating after some days without a rated match; a clock that went back changes nothing."""
        return Rating(self.mu, self.sigma + _GROWTH * max(0.0, days))


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody in a rated match.

    Attributes:
        side: which side they were on.
        place: how they ended, 1 for those who won; equal ones share a place. Partners share theirs, except that
            somebody who left has the last one.
        rating: their rating when the match ended.
    """

    side: int
    place: int
    rating: Rating


def rate(players: Sequence[Rated], weight: float = 1.0) -> tuple[Rating, ...]:
    """The ratings of everybody in a match once it is over.

    Somebody who left is rated as if their side had come last; for all others the match counts as it ended.

    Args:
        players: in any order; at least two sides.
        weight: how much of the change is made, 0 to 1: see `match_weight`.
    """
    sides = sorted({each.side for each in players})
    last = len(sides)
    places = [min(each.place for each in players if each.side == side) for side in sides]
    as_it_ended = _run(players, sides, places)
    found: list[Rating] = []
    for index, each in enumerate(players):
        own = sides.index(each.side)
        if each.place == places[own]:
            found.append(as_it_ended[index])
        else:
            found.append(_run(players, sides, [*places[:own], last, *places[own + 1 :]])[index])
    return tuple(
        Rating(
            each.rating.mu + weight * (new.mu - each.rating.mu),
            each.rating.sigma + weight * (new.sigma - each.rating.sigma),
        )
        for each, new in zip(players, found, strict=True)
    )


def match_weight(nth: int) -> float:
    """How much the nth match (from 1) of the same people on a day of UTC counts: the first three in full, each further
    one half as much as the one before. That leaves an evening's rematches alone, and makes farming useless."""
    return 0.5 ** max(0, nth - _FULL_MATCHES)


def _run(players: Sequence[Rated], sides: Sequence[int], places: Sequence[int]) -> list[Rating]:
    teams = [
        [
            _MODEL.rating(mu=each.rating.mu, sigma=min(each.rating.sigma, PRIOR_SIGMA))
            for each in players
            if each.side == side
        ]
        for side in sides
    ]
    rated = dict(zip(sides, map(iter, _MODEL.rate(teams, ranks=[float(place) for place in places])), strict=True))
    return [Rating(new.mu, new.sigma) for new in (next(rated[each.side]) for each in players)]
