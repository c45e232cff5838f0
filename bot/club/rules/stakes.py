"""The stakes of a match: the change of each person's rating if their side came first, and if it came last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.club.rules.gains import Gains, rate_within_limit
from bot.club.rules.rating import Rated, Rating, match_weight


@dataclass(frozen=True, slots=True)
class Stake:
    """The change of one person's rating with the first or the last place, in points as they are shown.

    `limited`: whether the first place would bring more, had the person not gained so much from the others already.
    """

    person_id: int
    rating: Rating
    first: int
    last: int
    limited: bool = False


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a match, by seat.

    `nth` is its number among those of the same people on its day, `sides` the number of sides.
    """

    people: tuple[Stake, ...]
    nth: int
    sides: int


def stakes_of(
    people: Sequence[tuple[int, int]], ratings: Mapping[int, Rating], nth: int = 1, gains: Gains | None = None
) -> Stakes:
    """Work out the stakes of a match.

    The other sides are taken to finish in order of strength. That makes no difference to the one that comes first.

    Args:
        people: (person, side) by seat.
        ratings: everybody's current rating.
        nth: the match's number among those of the same people on its day.
        gains: what they have gained from each other lately.
    """
    ratings = {person_id: rating.at_the_table() for person_id, rating in ratings.items()}
    strength: dict[int, float] = {}
    for person_id, side in people:
        strength[side] = strength.get(side, 0.0) + ratings[person_id].mu

    ids = [person_id for person_id, _ in people]

    def change(index: int, *, first: bool) -> tuple[int, bool]:
        own = people[index][1]
        others = sorted(strength.keys() - {own}, key=lambda side: (-strength[side], side))
        order = [own, *others] if first else [*others, own]
        players = [Rated(side, 1 + order.index(side), ratings[person_id]) for person_id, side in people]
        found = rate_within_limit(ids, players, nth, gains or Gains())[index]
        return found.after.shown - players[index].rating.shown, found.weight < match_weight(nth)

    stakes: list[Stake] = []
    for index, person_id in enumerate(ids):
        first, limited = change(index, first=True)
        last, _ = change(index, first=False)
        stakes.append(Stake(person_id, ratings[person_id], first, last, limited))
    return Stakes(tuple(stakes), nth, len(strength))
