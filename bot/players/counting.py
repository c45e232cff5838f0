"""A round's points by side, from piles as masks: what `bot.engine.scoring` itemises, without the items and fast.

`tests/players/test_fast_round.py` holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.cards import DECK, FULL, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MANY_CARDS, SEVEN_OF_OROS, points_prime, setenta

Count = Callable[[Sequence[int], Sequence[int]], list[int]]
"""From the piles (masks) and the escobas of each side to its points."""

_OROS: Final = FULL.of_suit(Suit.OROS).mask
_SEVENS: Final = FULL.of_rank(Rank.SEVEN).mask
_SEVEN_OF_OROS: Final = SEVEN_OF_OROS.bit
_MANY_OROS: Final = 9
_MANY_SEVENS: Final = 3


def counter(rules: Rules) -> Count:
    """A function that counts a round under `rules`."""
    most_sevens, many, oros_bonus = rules.most_sevens, rules.many_cards, rules.all_oros
    four_sevens, prime = rules.four_sevens, _PRIMES[rules.prime]

    def count(piles: Sequence[int], escobas: Sequence[int]) -> list[int]:
        points = list(escobas)
        _most(points, [pile.bit_count() for pile in piles], MANY_CARDS if many else 99)
        _most(points, [(pile & _OROS).bit_count() for pile in piles], _MANY_OROS if oros_bonus else 99)
        if most_sevens:
            _most(points, [(pile & _SEVENS).bit_count() for pile in piles], _MANY_SEVENS if four_sevens else 99)
        elif four_sevens:
            for side, pile in enumerate(piles):
                if pile & _SEVENS == _SEVENS:
                    points[side] += 1
        for side, pile in enumerate(piles):
            if pile & _SEVEN_OF_OROS:
                points[side] += 1
        if prime is not None:
            _most(points, [prime(pile) for pile in piles], 1 << 40)
        return points

    return count


def _most(points: list[int], amounts: list[int], many: int) -> None:
    """A point for the single highest amount, two if it is more than `many`; none for a tie (decision 7)."""
    top = max(amounts)
    if top and amounts.count(top) == 1:
        points[amounts.index(top)] += 2 if top > many else 1


def _setenta_values() -> list[dict[int, int]]:
    """For each suit, from the cards of it in a pile to what its best one adds.

    Four cards are compared highest first: with powers of five, that is by their sum.
    """
    found: list[dict[int, int]] = []
    for suit in Suit:
        held = FULL.of_suit(suit)
        value = {card.bit: 5 ** (setenta_place(card.rank) - 1) for card in held}
        sums = {0: 0}
        for card in held:
            sums |= {mask | card.bit: max(best, value[card.bit]) for mask, best in sums.items()}
        found.append(sums)
    return found


def setenta_place(rank: Rank) -> int:
    """The place of a rank in a setenta, from 1 for figures up."""
    four = FULL.of_rank(rank)
    return setenta(four)[0] % 10


_SUITS: Final = [FULL.of_suit(suit).mask for suit in Suit]
_SETENTA: Final = _setenta_values()


def _setenta(pile: int) -> int:
    total = 0
    for suit, values in zip(_SUITS, _SETENTA, strict=True):
        value = values[pile & suit]
        if not value:
            return 0
        total += value
    return total


_BY_PRIME: Final = [
    (FULL.of_rank(rank).mask, points_prime(FULL.of_rank(rank))[0] // 4)
    for rank in sorted(Rank, key=lambda rank: -points_prime(FULL.of_rank(rank))[0])
]


def _points_prime(pile: int) -> int:
    total, open_places = 0, 4
    for four, points in _BY_PRIME:
        held = (pile & four).bit_count()
        if held >= open_places:
            return total + open_places * points
        total += held * points
        open_places -= held
    return total


_PRIMES: Final = {Prime.NONE: None, Prime.SETENTA: _setenta, Prime.POINTS: _points_prime}
WORTHS: Final = [card.worth for card in DECK]
"""What each card is worth, by ``card.index``."""
