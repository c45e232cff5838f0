"""The limit on farming, from one person a rating gains at most 100 points in 30 days; and what is at stake in a match.

What counts is the net gain, so that whatever was lost can be won back in full. Some people may be somebody's other
accounts, and so they all count as one person: those who have hardly met anybody, and those who belong to a smaller
group of people who have met than the server's largest, without the others at the table. It is counted in points of
`mu`: what people gain by becoming more certain isn't taken from anybody. `make bench ARGS=ratings` measures what can be
farmed all the same.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

from bot.club.rules.rating import POINTS, Rated, Rating, finishing_places, match_weight, rate

MOST: Final = 100
"""The most points that a rating gains from one person in `DAYS`."""
DAYS: Final = 30
ENOUGH: Final = 3
"""The number of people whom somebody has to have met to count as a person of their own."""
CROWD: Final = 100
"""The number of people in a group from which on it counts as the largest: nobody has so many accounts."""
STRANGERS: Final = 0
"""The id in whose place all stand who don't count as persons of their own."""
UNIT: Final = 1000
"""Gains are counted in thousandths of a point, so that their sums don't depend on the order."""


@dataclass(frozen=True, slots=True)
class Gains:
    """The points that people have gained from each other in the last `DAYS`.

    Attributes:
        known: those who count as persons of their own.
        net: the net gains, by the person and the one it came from, `STRANGERS` for those who aren't known.
    """

    known: Set[int] = frozenset()
    net: Mapping[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])

    def source(self, person_id: int) -> int:
        """Return the id under which gains from a person are counted."""
        return person_id if person_id in self.known else STRANGERS

    def room(self, person_id: int, others: Collection[int]) -> int:
        """Return how much somebody may still gain from some others, in all.

        What was gained from somebody who counted as a person of their own then, and doesn't now, counts among what was
        gained from strangers.
        """
        sources = {self.source(other) for other in others}
        counted = sources | set(others)
        return len(sources) * MOST * UNIT - sum(self.net.get((person_id, each), 0) for each in counted)


@dataclass(frozen=True, slots=True)
class Change:
    """A person's rating after a match, and the share of the change that was made."""

    after: Rating
    weight: float


@dataclass(frozen=True, slots=True)
class Gain:
    """A person's gain from another (or `STRANGERS`) in a match, negative if they have lost it."""

    user_id: int
    source_id: int
    amount: int


def rate_within_limit(people: Sequence[int], players: Sequence[Rated], nth: int, gains: Gains) -> tuple[Change, ...]:
    """Rate a match, as far as its winners may still gain from its losers.

    Of each winner's gain, the share is made for which there is room, and which comes from people who have played. Each
    loser's loss is made to the mean of these shares over those they lost to, so that in a match of two it is the same
    share. Whoever left loses all the same if they, or the winner, haven't played.

    Args:
        people: the ids of the players.
        players: as for `rate`, in the same order.
        nth: the match's number among those of the same people on its day.
        gains: those before the match.
    """
    old = [player.rating.at_the_table() for player in players]
    new = rate(players)
    rises = [(after.mu - before.mu) * POINTS * UNIT for before, after in zip(old, new, strict=True)]

    def sources(seats: Sequence[int]) -> set[int]:
        return {gains.source(people[seat]) for seat in seats}

    def share(seat: int, others: Sequence[int]) -> float:
        room = gains.room(people[seat], [people[other] for other in others])
        part = len(sources(others)) / len(sources(opponents(players, seat, rises=True)))
        gain = rises[seat] * part
        return min(1.0, max(0.0, room / gain)) if gain > 0 else 1.0

    def made(seat: int, others: Sequence[int]) -> float:
        giving = [other for other in others if players[other].played] if players[seat].gains else []
        return share(seat, giving) * (len(giving) / len(others)) if giving else 0.0

    found: list[Change] = []
    for seat, rise in enumerate(rises):
        others = opponents(players, seat, rises=rise >= 0)
        lost = share if players[seat].left else made
        limit = made(seat, others) if rise >= 0 else sum(lost(other, [seat]) for other in others) / len(others)
        weight = match_weight(nth) * limit
        found.append(Change(old[seat].toward(new[seat], weight), weight))
    return tuple(found)


def gained(
    people: Sequence[int | None], known: Sequence[bool], players: Sequence[Rated], after: Sequence[Rating | None]
) -> list[Gain]:
    """Divide what each person has gained or lost in a match equally among those whom they gained it from or lost it to.

    Only those who have played are among them: what somebody loses by leaving before that, they lose to nobody.

    Args:
        people: the ids of the players, None for those who were erased.
        known: whether each of them was known.
        players: as they were rated.
        after: their ratings after the match; None for those who were erased.
    """
    found: list[Gain] = []
    for index, (user_id, player, new) in enumerate(zip(people, players, after, strict=True)):
        if user_id is None or new is None:
            continue
        old = player.rating.at_the_table()
        # Somebody erased was one source among others, and takes their part of the gain with them.
        sources = {
            -1 - other if known[other] else STRANGERS: people[other] if known[other] else STRANGERS
            for other in opponents(players, index, rises=new.mu >= old.mu)
            if player.played and players[other].played
        }
        amount = round((new.mu - old.mu) * POINTS * UNIT / max(1, len(sources)))
        found += [Gain(user_id, source, amount) for source in sources.values() if source is not None and amount]
    return found


def opponents(players: Sequence[Rated], index: int, *, rises: bool) -> list[int]:
    """List the opponents from whom a player gains, or to whom they lose.

    Args:
        players: as for `rate`.
        index: the player.
        rises: whether their rating rises, and so comes from those who weren't better; otherwise it goes to those who
            weren't worse.
    """
    places = finishing_places(players)
    own = players[index]
    others = [other for other, player in enumerate(players) if player.side != own.side]
    ahead = 1 if rises else -1
    found = [other for other in others if (places[other] - places[index]) * ahead >= 0]
    return found or others


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
