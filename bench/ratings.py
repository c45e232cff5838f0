"""Simulates seasons, to see how much ratings say about skill, and how much only about how often somebody has played.

`python -m bench.ratings` prints the correlations, and how many matches it takes until a rating is settled. Luck decides
much, as in this game: the best of a club of twenty beat the weakest in some three matches of four.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp
from random import Random
from statistics import correlation, mean, median
from typing import Final

from bot.club.rules.rating import Rated, Rating, rate

PEOPLE: Final = 20
_STRENGTH: Final = 0.35
"""What one standard deviation of skill adds to the logarithm of the odds."""


@dataclass(slots=True)
class _Person:
    skill: float
    activity: float
    rating: Rating = field(default_factory=Rating)
    sigmas: list[float] = field(default_factory=list[float])


_ACTIVITIES: Final[dict[str, Callable[[Random], float]]] = {
    "some play five times as often as others": lambda random: random.uniform(0.2, 1),
    "a few play most": lambda random: random.paretovariate(1.5),
}


def season(seed: int, matches: int, activity: Callable[[Random], float]) -> list[_Person]:
    """A season in which people play `matches` matches on average."""
    random = Random(seed)
    people = [_Person(random.gauss(0, 1), activity(random)) for _ in range(PEOPLE)]
    while mean(len(each.sigmas) for each in people) < matches:
        one, other = random.choices(people, [each.activity for each in people], k=2)
        if one is other:
            continue
        wins = random.random() < 1 / (1 + exp(-_STRENGTH * (one.skill - other.skill)))
        after = rate([Rated(0, 1 if wins else 2, one.rating), Rated(1, 2 if wins else 1, other.rating)])
        for person, rating in zip((one, other), after, strict=True):
            person.rating = rating
            person.sigmas.append(rating.sigma)
    return people


def correlations(order: Callable[[Rating], float], seasons: Sequence[list[_Person]]) -> tuple[float, float]:
    """How ratings correlate with skill and with the number of matches, on average over seasons."""
    skill = mean(correlation([order(p.rating) for p in each], [p.skill for p in each]) for each in seasons)
    played = mean(correlation([order(p.rating) for p in each], [len(p.sigmas) for p in each]) for each in seasons)
    return skill, played


def settled_after(seasons: Sequence[list[_Person]], sigma: float) -> float:
    """The median number of matches after which a person's sigma was at most this."""
    firsts = [
        next((number for number, each in enumerate(person.sigmas, 1) if each <= sigma), 10**6)
        for people in seasons
        for person in people
        if len(person.sigmas) >= 60
    ]
    return median(firsts)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seasons", type=int, default=48)
    number: int = parser.parse_args().seasons
    print(f"{number} seasons of {PEOPLE} people: correlation with skill, with matches played")
    for (how, activity), matches in product(_ACTIVITIES.items(), (10, 30, 60)):
        seasons = [season(seed, matches, activity) for seed in range(number)]
        print(f"{matches} matches each on average, {how}")
        for name, weight in (("mu - sigma", 1), ("mu - 3 sigma", 3), ("mu", 0)):
            skill, played = correlations(lambda rating, weight=weight: rating.mu - weight * rating.sigma, seasons)
            print(f"  {name:<14} {skill:.2f} {played:+.2f}")
    long = [season(seed, 120, next(iter(_ACTIVITIES.values()))) for seed in range(number // 4)]
    for sigma in (3.2, 3.1, 3.0, 2.9, 2.8):
        print(f"sigma {sigma} after {settled_after(long, sigma):.0f} matches")


if __name__ == "__main__":
    main()
