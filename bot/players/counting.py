"""A round's points by side, from piles as masks: what `bot.engine.scoring` itemises, without the items and fast.

`tests/players/test_fast_round.py` holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.cards import DECK, FULL, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MANY_CARDS, SEVEN_OF_OROS, Item, points_prime, setenta

Count = Callable[[Sequence[int], Sequence[int]], list[int]]
"""From the piles (masks) and the escobas of each side to its points."""
Scorer = Callable[[list[int], Sequence[int]], None]
"""Adds the points of one item to those of each side, from the piles."""

_OROS: Final = FULL.of_suit(Suit.OROS).mask
_SEVENS: Final = FULL.of_rank(Rank.SEVEN).mask
_SEVEN_OF_OROS: Final = SEVEN_OF_OROS.bit
_MANY_OROS: Final = 9
_MANY_SEVENS: Final = 3


def counter(rules: Rules) -> Count:
    """A function that counts a round under `rules`."""
    items = tuple(scorers(rules).values())

    def count(piles: Sequence[int], escobas: Sequence[int]) -> list[int]:
        points = list(escobas)
        for score in items:
            score(points, piles)
        return points

    return count


def scorers(rules: Rules) -> dict[Item, Scorer]:
    """What counts each item of a round under `rules` but the escobas, which are points already."""
    most_sevens, prime = rules.most_sevens, _PRIMES[rules.prime]
    many_cards = MANY_CARDS if rules.many_cards else 99
    many_oros = _MANY_OROS if rules.all_oros else 99
    many_sevens = _MANY_SEVENS if rules.four_sevens else 99

    def cards(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [pile.bit_count() for pile in piles], many_cards)

    def oros(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [(pile & _OROS).bit_count() for pile in piles], many_oros)

    def sevens(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [(pile & _SEVENS).bit_count() for pile in piles], many_sevens)

    found: dict[Item, Scorer] = {Item.CARDS: cards, Item.OROS: oros, Item.SEVEN_OF_OROS: _seven_of_oros}
    if most_sevens:
        found[Item.SEVENS] = sevens
    elif rules.four_sevens:
        found[Item.SEVENS] = _all_sevens
    if prime is not None:
        found[Item.PRIME] = lambda points, piles: _most(points, [prime(pile) for pile in piles], 1 << 40)
    return found


def _all_sevens(points: list[int], piles: Sequence[int]) -> None:
    for side, pile in enumerate(piles):
        if pile & _SEVENS == _SEVENS:
            points[side] += 1


def _seven_of_oros(points: list[int], piles: Sequence[int]) -> None:
    for side, pile in enumerate(piles):
        if pile & _SEVEN_OF_OROS:
            points[side] += 1


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
