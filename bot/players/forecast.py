"""A forecast of the result of a round from its piles: each side's chance of every point that is still open.

It values a roll-out that stops early. Such a roll-out is shorter, and later luck doesn't drown out what the move does
now. A card that isn't in a pile is assumed to be equally likely to go to either of the two sides. Cards arrive several
at a time, so that their total number varies more than it would if they came singly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import tanh
from typing import Final

from bot.engine.cards import FULL, Rank
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, Item, MostOf
from bot.players.counting import larger_from

Forecast = Callable[[Sequence[int], Sequence[int]], float]
"""A function that maps two sides' piles (masks) and escobas to the first side's expected lead at the end, in points."""

AT_A_TIME: Final = 3
"""Cards that arrive together."""
PRIME_STEPS: Final = {Rank.SEVEN: 8, Rank.SIX: 4, Rank.ACE: 2, Rank.FIVE: 1}
"""The help of one more card of a rank with the prime, as measured in greedy play."""
PRIME_EARLY: Final = 0.045
"""The contribution of a step to deciding the prime while few cards have been captured."""
PRIME_LATE: Final = 0.085
"""The same when nearly all have been."""
_STEPS: Final = [(FULL.of_rank(rank).mask, step) for rank, step in PRIME_STEPS.items()]
_CARDS: Final = 40


@lru_cache(maxsize=8)
def forecaster(rules: Rules) -> Forecast:
    """Make a function that forecasts the lead between two sides under `rules`."""
    cards = _leads_of(MOST_OF[Item.CARDS], rules)
    others = [
        (most.cards.mask, _leads_of(most, rules))
        for item, most in MOST_OF.items()
        if item is not Item.CARDS and most.scored(rules)
    ]
    has_prime = rules.prime is not Prime.NONE
    primes = [PRIME_LATE + (PRIME_EARLY - PRIME_LATE) * rest / _CARDS for rest in range(_CARDS + 1)]

    def forecast(piles: Sequence[int], escobas: Sequence[int]) -> float:
        first, second = piles
        many, more = first.bit_count(), second.bit_count()
        found = escobas[0] - escobas[1] + cards[many][more]
        for mask, leads in others:
            found += leads[(first & mask).bit_count()][(second & mask).bit_count()]
        if has_prime:
            steps = 0
            for mask, step in _STEPS:
                steps += step * ((first & mask).bit_count() - (second & mask).bit_count())
            found += tanh(primes[_CARDS - many - more] * steps)
        return found

    return forecast


def _leads_of(most: MostOf, rules: Rules) -> list[list[float]]:
    total = len(most.cards)
    at_a_time = AT_A_TIME if total == _CARDS else 1
    return _expected_leads(total, larger_from(most, rules), at_a_time, int(most.point(rules)))


def _expected_leads(total: int, larger: int, at_a_time: int, most: int) -> list[list[float]]:
    """Compute the first side's expected lead from an item, by how many of its `total` cards each of the two sides has.

    Args:
        total: the number of cards there are.
        larger: the amount from which a side scores one point more.
        at_a_time: the number of cards that arrive together.
        most: the points for the most cards.
    """

    def points(own: int, other: int) -> int:
        if own <= other:
            return 0
        return most + (own >= larger)

    def mean(own: int, other: int) -> float:
        rest = total - own - other
        parts = [at_a_time] * (rest // at_a_time) + ([rest % at_a_time] if rest % at_a_time else [])
        ways = {0: 1}
        for part in parts:
            following: dict[int, int] = {}
            for gained, number in ways.items():
                following[gained] = following.get(gained, 0) + number
                following[gained + part] = following.get(gained + part, 0) + number
            ways = following
        found = sum(
            number * (points(own + gained, other + rest - gained) - points(other + rest - gained, own + gained))
            for gained, number in ways.items()
        )
        return found / 2 ** len(parts)

    return [[mean(own, other) for other in range(total - own + 1)] for own in range(total + 1)]
