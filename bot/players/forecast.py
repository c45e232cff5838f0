"""What piles in the middle of a round will come to: each side's chance of every point that is still open.

A roll-out that stops early is counted by it. It is shorter then, and what chance does later no longer hides what a move
does now. Each card that isn't in a pile is supposed to come to either of two sides as likely; cards come several at a
time, so that the count of all of them swings further than that of single ones would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import tanh
from typing import Final

from bot.engine.cards import FULL, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MANY_CARDS, SEVEN_OF_OROS

Forecast = Callable[[Sequence[int], Sequence[int]], float]
"""From the piles (masks) and the escobas of two sides to how many points the first will have more, on average."""

AT_A_TIME: Final = 3
"""How many cards come together."""
PRIME_STEPS: Final = {Rank.SEVEN: 8, Rank.SIX: 4, Rank.ACE: 2, Rank.FIVE: 1}
"""What one more card of a rank does for the prime, as found in greedy play."""
PRIME_EARLY: Final = 0.045
"""How far a step decides the prime while few cards are out."""
PRIME_LATE: Final = 0.085
"""The same when nearly all are."""
_OROS: Final = FULL.of_suit(Suit.OROS).mask
_SEVENS: Final = FULL.of_rank(Rank.SEVEN).mask
_SEVEN_OF_OROS: Final = SEVEN_OF_OROS.bit
_STEPS: Final = [(FULL.of_rank(rank).mask, step) for rank, step in PRIME_STEPS.items()]
_CARDS: Final = 40
_MANY_OROS: Final = 9
_MANY_SEVENS: Final = 3
_NEVER: Final = 99


@lru_cache(maxsize=8)
def forecaster(rules: Rules) -> Forecast:
    """A function that foretells the points under `rules`, between two sides."""
    cards = _chances(_CARDS, MANY_CARDS if rules.many_cards else _NEVER, AT_A_TIME)
    oros = _chances(10, _MANY_OROS if rules.all_oros else _NEVER, 1)
    four = _MANY_SEVENS if rules.four_sevens else _NEVER
    sevens = _chances(4, four, 1) if rules.most_sevens else _chances(4, four, 1, most=0)
    has_prime = rules.prime is not Prime.NONE
    primes = [PRIME_LATE + (PRIME_EARLY - PRIME_LATE) * rest / _CARDS for rest in range(_CARDS + 1)]

    def forecast(piles: Sequence[int], escobas: Sequence[int]) -> float:
        first, second = piles
        many, more = first.bit_count(), second.bit_count()
        found = (
            escobas[0]
            - escobas[1]
            + cards[many][more]
            + oros[(first & _OROS).bit_count()][(second & _OROS).bit_count()]
            + sevens[(first & _SEVENS).bit_count()][(second & _SEVENS).bit_count()]
        )
        if first & _SEVEN_OF_OROS:
            found += 1
        elif second & _SEVEN_OF_OROS:
            found -= 1
        if has_prime:
            steps = 0
            for mask, step in _STEPS:
                steps += step * ((first & mask).bit_count() - (second & mask).bit_count())
            found += tanh(primes[_CARDS - many - more] * steps)
        return found

    return forecast


def _chances(total: int, many: int, at_a_time: int, most: int = 1) -> list[list[float]]:
    """By what the two sides have of `total`: what the first will gain by it on average, less what the second will."""

    def points(own: int, other: int) -> int:
        if own <= other:
            return 0
        return most + (own > many)

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
