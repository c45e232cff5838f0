"""The stakes of a match: the change of each person's rating if their side came first, and if it came last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.club.rating import Rated, Rating, rate


@dataclass(frozen=True, slots=True)
class Stake:
    """The change of one person's rating with the first or the last place, in points as they are shown."""

    person_id: int
    rating: Rating
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a match, by seat. `weight` is the share of the change that counts, `sides` the number of sides."""

    people: tuple[Stake, ...]
    weight: float
    sides: int


def stakes_of(people: Sequence[tuple[int, int]], ratings: Mapping[int, Rating], weight: float) -> Stakes:
    """Work out the stakes of a match.

    The other sides are taken to finish in order of strength. That makes no difference to the one that comes first.

    Args:
        people: (person, side) by seat.
        ratings: everybody's current rating.
        weight: the share of the change that counts.
    """
    ratings = {person_id: rating.at_the_table() for person_id, rating in ratings.items()}
    strength: dict[int, float] = {}
    for person_id, side in people:
        strength[side] = strength.get(side, 0.0) + ratings[person_id].mu

    def change(index: int, *, first: bool) -> int:
        own = people[index][1]
        others = sorted(strength.keys() - {own}, key=lambda side: (-strength[side], side))
        order = [own, *others] if first else [*others, own]
        players = [Rated(side, 1 + order.index(side), ratings[person_id]) for person_id, side in people]
        return rate(players, weight)[index].shown - players[index].rating.shown

    stakes = [
        Stake(person_id, ratings[person_id], change(index, first=True), change(index, first=False))
        for index, (person_id, _) in enumerate(people)
    ]
    return Stakes(tuple(stakes), weight, len(strength))
