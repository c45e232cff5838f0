"""By how much a match would change each person's rating, if their side came first and if it came last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.club.rating import Rated, Rating, rate


@dataclass(frozen=True, slots=True)
class Stake:
    """By how much one person's rating would change with the first or the last place, in points as they are shown."""

    person_id: int
    rating: Rating
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a match, by seat. `weight` is how much it counts, `sides` how many sides it has."""

    people: tuple[Stake, ...]
    weight: float
    sides: int


def stakes_of(people: Sequence[tuple[int, int]], ratings: Mapping[int, Rating], weight: float) -> Stakes:
    """The stakes of a match.

    The other sides are taken to finish in order of strength. That makes no difference to whoever comes first.

    Args:
        people: (person, side) by seat.
        ratings: everybody's current rating.
        weight: how much the match counts.
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
