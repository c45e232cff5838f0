"""Ratings: one for each person and server, over all rule systems, moved by every rated match.

A rating is an estimate of somebody's strength, `mu`, and how uncertain that is, `sigma`. People are ordered by mu -
sigma; mu - 3 sigma would order them by how often they have played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PRIOR_MU: Final = 25.0
PRIOR_SIGMA: Final = PRIOR_MU / 6
POINTS: Final = 48.0
"""Points shown for each unit of mu - sigma, chosen so that the first rating is 1,000."""
_SETTLED_SIGMA: Final = 3.0
"""The highest sigma of a settled rating, reached after some thirty matches with people of about the same strength."""
_GROWTH: Final = 1.0 / 365
"""The growth of sigma with each day away: linear, so that time alone never changes the order of two people."""
FULL_MATCHES: Final = 3
"""Matches between the same people on a day that count in full."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's strength, and how uncertain that is, as of their latest rated match."""

    mu: float = PRIOR_MU
    sigma: float = PRIOR_SIGMA

    @property
    def value(self) -> float:
        """The number that people are ordered by."""
        return self.mu - self.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it: 1,000 before the first match."""
        return round(POINTS * self.value)

    @property
    def settled(self) -> bool:
        """Whether it is certain enough to be shown without a question mark."""
        return self.sigma <= _SETTLED_SIGMA

    def after(self, days: float) -> Rating:
        """Return the rating after some days without a rated match; a clock that went back changes nothing."""
        return Rating(self.mu, self.sigma + _GROWTH * max(0.0, days))

    def key(self, day: float) -> float:
        """Compute a number that orders ratings of different days as they would be ordered on any one later day."""
        return self.value + _GROWTH * day

    def toward(self, other: Rating, share: float) -> Rating:
        """Return the rating after a share of the change to another one."""
        return Rating(self.mu + share * (other.mu - self.mu), self.sigma + share * (other.sigma - self.sigma))

    def at_the_table(self) -> Rating:
        """Return the rating with which somebody enters a match: after any time away, no less certain than a
        newcomer's."""
        return Rating(self.mu, min(self.sigma, PRIOR_SIGMA))


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody in a rated match.

    Attributes:
        side: the side they were on.
        place: their side's place at the end, 1 for the winners; equal sides share a place.
        rating: their rating when the match ended.
        left: whether they left before its end; `place` then means nothing.
        played: whether others may gain from them.
        gains: whether they may gain themselves: see `bot.club.rules.playing`.
    """

    side: int
    place: int
    rating: Rating = Rating()
    left: bool = False
    played: bool = True
    gains: bool = True


def rate(players: Sequence[Rated]) -> tuple[Rating, ...]:
    """Rate everybody in a match once it is over.

    Somebody who left is rated as if their side had come last, behind all others. For those who stayed the match counts
    as it ended; a side that nobody stayed on came last.

    Args:
        players: in any order; at least two sides.
    """
    entered = [player.rating.at_the_table() for player in players]
    places = _places_of_sides(players)
    as_it_ended = _run(players, entered, places)
    return tuple(
        as_it_ended[index] if place == places[each.side] else _run(players, entered, places | {each.side: place})[index]
        for index, (each, place) in enumerate(zip(players, finishing_places(players), strict=True))
    )


def finishing_places(players: Sequence[Rated]) -> list[int]:
    """List the place by which each player is rated: that of their side, or the last one for whoever left."""
    places, last = _places_of_sides(players), _last_place(players)
    return [last if player.left else places[player.side] for player in players]


def _places_of_sides(players: Sequence[Rated]) -> dict[int, int]:
    stayed = {player.side: player.place for player in players if not player.left}
    return {side: stayed.get(side, _last_place(players)) for side in sorted({player.side for player in players})}


def _last_place(players: Sequence[Rated]) -> int:
    return len({player.side for player in players}) + max(player.place for player in players)


def match_weight(nth: int) -> float:
    """Weigh the nth match (from 1) of the same people on a day of UTC: the first three count in full, each further one
    half as much as the one before. That leaves an evening's rematches alone, and keeps what one evening can bring from
    the same people to five matches' worth. What many days bring is limited by `bot.club.rules.gains`."""
    return 0.5 ** max(0, nth - FULL_MATCHES)


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # here: it takes 1 MB, and 30 ms, before the first rated match

    # Without the limit, beating somebody much weaker could make a rating less certain, and lower it.
    return PlackettLuce(mu=PRIOR_MU, sigma=PRIOR_SIGMA, limit_sigma=True)


def _run(players: Sequence[Rated], entered: Sequence[Rating], places: Mapping[int, int]) -> list[Rating]:
    seats = {side: [index for index, player in enumerate(players) if player.side == side] for side in places}
    model = _model()
    teams = [
        [model.rating(mu=entered[index].mu, sigma=entered[index].sigma) for index in own] for own in seats.values()
    ]
    rated = model.rate(teams, ranks=[float(place) for place in places.values()])
    found = list(entered)
    for own, team in zip(seats.values(), rated, strict=True):
        for index, new in zip(own, team, strict=True):
            found[index] = Rating(new.mu, new.sigma)
    return found
