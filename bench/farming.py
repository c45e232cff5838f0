"""Simulates how far ratings and season points can be farmed, and what the limit on that costs honest clubs.

The farmer plays three matches a day, as many as count in full, and wins all of them, on a server where a club of twenty
plays, too. Each figure is measured without the limit of `bot.club.rules.gains` and with it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import exp
from random import Random
from statistics import correlation, mean
from typing import Final

from bot.club.rules.gains import DAYS, ENOUGH, STRANGERS, Change, Gains, gained, rate_within_limit
from bot.club.rules.rating import FULL_MATCHES, Rated, Rating, match_weight, rate
from bot.club.store.standing import FOR_A_WIN

FARMER: Final = 1
_FIRST: Final = 2
"""The id of the first accomplice."""
_STRENGTH: Final = 0.35
"""What one standard deviation of skill adds to the logarithm of the odds."""
_CLUB: Final = 20
_MATCHES: Final = 60
_CLIQUE: Final = 5
_OWN_CLIQUE: Final = 0.9
"""The share of matches within a clique."""


@dataclass(slots=True)
class Club:
    """A server's ratings, as the store works them out."""

    limited: bool
    members: Sequence[int] = ()
    ratings: defaultdict[int, Rating] = field(default_factory=lambda: defaultdict[int, Rating](Rating))
    met: defaultdict[int, dict[int, int]] = field(default_factory=lambda: defaultdict[int, dict[int, int]](dict))
    """The day of the latest match of any two people."""
    rated: dict[int, int] = field(default_factory=dict[int, int])
    """The day of everybody's latest match."""
    days: Counter[tuple[int, frozenset[int]]] = field(default_factory=Counter[tuple[int, frozenset[int]]])
    gains: defaultdict[tuple[int, int], Counter[int]] = field(
        default_factory=lambda: defaultdict[tuple[int, int], Counter[int]](Counter)
    )

    def __post_init__(self) -> None:
        for one, other in permutations(self.members, 2):
            self.met[one][other] = 0

    def play(self, day: int, *sides: Sequence[int], cards: bool = True) -> None:
        """Play a match in which the sides finish in this order; without cards, all but the first leave before any."""
        people = [person for side in sides for person in side]
        players = [
            Rated(side, 1 + side, self.ratings[person], left=side > 0 and not cards, played=cards, gains=cards)
            for side, own in enumerate(sides)
            for person in own
        ]
        self.days[day, frozenset(people)] += 1
        known = self._known(people)
        changes = self._rated(day, people, players, known)
        for gain in gained(people, [person in known for person in people], players, [each.after for each in changes]):
            self.gains[gain.user_id, gain.source_id][day] += gain.amount
        for person, change in zip(people, changes, strict=True):
            self.ratings[person] = change.after
        for own in sides if cards else ():
            for person in own:
                self.met[person] |= dict.fromkeys(set(people) - set(own), day)
                self.rated[person] = day

    def erase(self, day: int, person: int) -> None:
        """Erase somebody's data. The limit knows for some days what they have played."""
        since = day - DAYS if self.limited else day
        for other, met in list(self.met[person].items()):
            if met <= since:
                del self.met[person][other], self.met[other][person]
        if self.limited:
            return
        del self.ratings[person]
        for people in [people for people in self.days if person in people[1]]:
            del self.days[people]
        for pair in [pair for pair in self.gains if person in pair]:
            del self.gains[pair]

    def _known(self, people: Sequence[int]) -> set[int]:
        """Find those at a table who have met enough people, and belong without the others there to the largest group of
        those who have met."""
        return {person for person in people if len(self.met[person]) >= ENOUGH and self._in_largest(person, people)}

    def _in_largest(self, person: int, table: Sequence[int]) -> bool:
        rest = self.met.keys() - table | {person}
        own = self._group(person, rest)
        rest -= own
        while len(rest) > len(own):
            other = self._group(next(iter(rest)), rest)
            if len(other) > len(own):
                return False
            rest -= other
        return True

    def _group(self, person: int, among: Set[int]) -> set[int]:
        found, newest = {person}, {person}
        while newest:
            newest = {other for each in newest for other in self.met[each]} & among - found
            found |= newest
        return found

    def _rated(self, day: int, people: Sequence[int], players: Sequence[Rated], known: Set[int]) -> tuple[Change, ...]:
        nth = self.days[day, frozenset(people)]
        if not self.limited:
            weight = match_weight(nth)
            each = zip(players, rate(players), strict=True)
            return tuple(Change(player.rating.toward(new, weight), weight) for player, new in each)
        net = {
            (person, source): sum(amount for of, amount in self.gains[person, source].items() if of > day - DAYS)
            for person in people
            for source in (*people, STRANGERS)
            if (person, source) in self.gains
        }
        return rate_within_limit(people, players, nth, Gains(known, net))


Farm = Callable[[Club, int], None]
"""A day's matches of a farmer."""


def _loser(club: Club, day: int) -> None:
    for _ in range(FULL_MATCHES):
        club.play(day, [FARMER], [_FIRST])


def _leaver(club: Club, day: int) -> None:
    for _ in range(FULL_MATCHES):
        club.play(day, [FARMER], [_FIRST], cards=False)


def _new_account(club: Club, day: int) -> None:
    for _ in range(FULL_MATCHES):
        club.play(day, [FARMER], [_FIRST + day])


def _introduced(club: Club, day: int) -> None:
    new = _FIRST + 3 + day
    for other in range(_FIRST, _FIRST + 3):
        club.play(day, [other], [new])
    for _ in range(FULL_MATCHES):
        club.play(day, [FARMER], [new])


def _accomplices(number: int) -> Farm:
    people = range(_FIRST, _FIRST + number)

    def farm(club: Club, day: int) -> None:
        if not day:
            for pair in combinations(people, 2):
                club.play(day, *([person] for person in pair))
        for person in people:
            for _ in range(FULL_MATCHES):
                club.play(day, [FARMER], [person])

    return farm


def _erasing(farm: Farm, *people: int) -> Farm:
    """Farm in this way twice a day, and have some people erase their data after each time."""

    def farm_and_erase(club: Club, day: int) -> None:
        for _ in range(2):
            farm(club, day)
            for person in people:
                club.erase(day, person)

    return farm_and_erase


def _members(club: Club, day: int) -> None:
    for person in club.members[:3]:
        for _ in range(FULL_MATCHES):
            club.play(day, [FARMER], [person])


def _at_a_table(*sides: Sequence[int]) -> Farm:
    def farm(club: Club, day: int) -> None:
        for _ in range(FULL_MATCHES):
            club.play(day, *sides)

    return farm


FARMS: Final[dict[str, Farm]] = {
    "one willing loser": _loser,
    "one who leaves before a card": _leaver,
    "a new account a day": _new_account,
    "a new account a day, which three others meet first": _introduced,
    "three accounts of their own": _accomplices(3),
    "ten of them": _accomplices(10),
    "one loser, who erases their data twice a day": _erasing(_loser, _FIRST),
    "ten accounts, which do so": _erasing(_accomplices(10), *range(_FIRST, _FIRST + 10)),
    "three of the club, who lose on purpose": _members,
    "a pair against a pair, all accomplices": _at_a_table([FARMER, 2], [3, 4]),
    "three accomplices at one table": _at_a_table([FARMER], [2], [3], [4]),
}


def farmed(farm: Farm, days: int, *, limited: bool) -> int:
    """Farm for some days; return the farmer's rating."""
    club = Club(limited, range(1_000, 1_000 + _CLUB))
    for day in range(days):
        farm(club, day)
    return club.ratings[FARMER].shown


def season_points(*, limited: bool) -> int:
    """Have the farmer win three matches against each set of four accounts of their own on one day; return what season
    points that brings them."""
    club, own, met = Club(limited, range(1_000, 1_000 + _CLUB)), range(_FIRST, _FIRST + 4), Counter[frozenset[int]]()
    for accounts in (each for size in range(1, 5) for each in combinations(own, size)):
        for _ in range(FULL_MATCHES):
            known = club._known([FARMER, *accounts]) if limited else own
            met[frozenset(each if each in known else STRANGERS for each in accounts)] += 1
            club.play(0, [FARMER], *([each] for each in accounts))
    return FOR_A_WIN * sum(min(matches, FULL_MATCHES) for matches in met.values())


def club_order(seed: int, *, limited: bool, clique: int = 0) -> float:
    """Play a club's sixty matches a person, twenty a day; return the rank correlation of ratings with skill."""
    random = Random(seed)
    club, skills = Club(limited), [random.gauss(0, 1) for _ in range(_CLUB)]
    for number in range(_CLUB * _MATCHES // 2):
        one = random.randrange(_CLUB)
        others = [other for other in range(_CLUB) if other != one]
        if clique and random.random() < _OWN_CLIQUE:
            others = [other for other in others if other // clique == one // clique]
        _honest(club, random, number // _CLUB, (one, random.choice(others)), skills)
    ratings = [club.ratings[1 + person].value for person in range(_CLUB)]
    return correlation(_ranks(ratings), _ranks(skills))


def _ranks(values: Sequence[float]) -> list[int]:
    return [sum(other < value for other in values) for value in values]


def two_in_order(seed: int, *, limited: bool, a_day: int) -> bool:
    """Play sixty matches of two who have only each other, 65 to 35; return whether their ratings say who is better."""
    random, club = Random(seed), Club(limited)
    for number in range(_MATCHES):
        _honest(club, random, number // a_day, (0, 1), (0.0, -1.77))
    return club.ratings[1].value > club.ratings[2].value


def _honest(club: Club, random: Random, day: int, pair: tuple[int, int], skills: Sequence[float]) -> None:
    one, other = pair
    if random.random() > 1 / (1 + exp(-_STRENGTH * (skills[one] - skills[other]))):
        one, other = other, one
    club.play(day, [1 + one], [1 + other])


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure without the limit and with it."""

    free: float
    limited: float


def measure(clubs: int) -> tuple[dict[str, dict[int, Pair]], dict[str, Pair]]:
    """Farm for a month and for a year, and play some honest clubs.

    Returns:
        The ratings of farmers, by way of farming and days; and how well ratings order honest people.
    """
    farms = {
        name: {days: Pair(farmed(farm, days, limited=False), farmed(farm, days, limited=True)) for days in (DAYS, 365)}
        for name, farm in FARMS.items()
    }

    def both(figure: Callable[[int, bool], float], times: int) -> Pair:
        return Pair(*(mean(figure(seed, limited) for seed in range(times)) for limited in (False, True)))

    honest = {
        "a club of twenty: rank correlation with skill": both(lambda s, on: club_order(s, limited=on), clubs),
        "the same in cliques of five": both(lambda s, on: club_order(s, limited=on, clique=_CLIQUE), clubs),
        "two who only have each other, a match a day": both(
            lambda s, on: two_in_order(s, limited=on, a_day=1), 10 * clubs
        ),
        "two who only have each other, two a day": both(lambda s, on: two_in_order(s, limited=on, a_day=2), 10 * clubs),
    }
    return farms, honest
