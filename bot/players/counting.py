"""A round's points by side, from piles as masks: the points that `bot.engine.scoring` itemises, but fast.

`tests/players/test_fast_round.py` checks that the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.cards import DECK, FULL, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import LARGER_FROM, PRIME_CARDS, SEVEN_OF_OROS, Item, prime_points, setenta_place

Count = Callable[[Sequence[int], Sequence[int]], list[int]]
"""From each side's pile (a mask) and escobas to its points."""
Scorer = Callable[[list[int], Sequence[int]], None]
"""Adds one item's points to those of each side, given the piles."""

WORTHS: Final = [card.worth for card in DECK]
"""What each card is worth, by ``card.index``."""
OROS: Final = FULL.of_suit(Suit.OROS).mask
SEVENS: Final = FULL.of_rank(Rank.SEVEN).mask
NEVER: Final = 1 << 40
"""An amount that no side reaches."""


def counter(rules: Rules) -> Count:
    """A function that counts a round under `rules`."""
    items = tuple(scorers(rules).values())

    def count(piles: Sequence[int], escobas: Sequence[int]) -> list[int]:
        points = list(escobas)
        for score in items:
            score(points, piles)
        return points

    return count


def larger_from(rules: Rules) -> tuple[int, int, int]:
    """The numbers of cards, oros and sevens that score the larger value under `rules`; `NEVER` if there is none."""
    return (
        LARGER_FROM[Item.CARDS] if rules.many_cards else NEVER,
        LARGER_FROM[Item.OROS] if rules.all_oros else NEVER,
        LARGER_FROM[Item.SEVENS] if rules.four_sevens else NEVER,
    )


def scorers(rules: Rules) -> dict[Item, Scorer]:
    """A scorer for each item that `rules` score, except escobas, which are points already."""
    prime = _PRIMES[rules.prime]
    many_cards, many_oros, many_sevens = larger_from(rules)

    def cards(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [pile.bit_count() for pile in piles], many_cards)

    def oros(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [(pile & OROS).bit_count() for pile in piles], many_oros)

    def sevens(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [(pile & SEVENS).bit_count() for pile in piles], many_sevens)

    found: dict[Item, Scorer] = {Item.CARDS: cards, Item.OROS: oros, Item.SEVEN_OF_OROS: _holder_of(SEVEN_OF_OROS.bit)}
    if rules.most_sevens:
        found[Item.SEVENS] = sevens
    elif rules.four_sevens:
        found[Item.SEVENS] = _holder_of(SEVENS)
    if prime is not None:
        found[Item.PRIME] = lambda points, piles: _most(points, [prime(pile) for pile in piles], NEVER)
    return found


def _holder_of(mask: int) -> Scorer:
    """A scorer that gives a point to the side that has all the cards of `mask`."""

    def score(points: list[int], piles: Sequence[int]) -> None:
        for side, pile in enumerate(piles):
            if pile & mask == mask:
                points[side] += 1

    return score


def _most(points: list[int], amounts: list[int], larger: int) -> None:
    """A point for the single highest amount, two from `larger` on; a tie scores for nobody (decision 7)."""
    top = max(amounts)
    if top and amounts.count(top) == 1:
        points[amounts.index(top)] += 2 if top >= larger else 1


def _setenta_values() -> list[dict[int, int]]:
    """For each suit, from a pile's cards of that suit to what the best of them adds.

    Setentas are compared highest card first. With powers of five, comparing the sums of four cards does the same.
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
    (FULL.of_rank(rank).mask, prime_points(rank)) for rank in sorted(Rank, key=prime_points, reverse=True)
]


def _points_prime(pile: int) -> int:
    total, open_places = 0, PRIME_CARDS
    for four, points in _BY_PRIME:
        held = (pile & four).bit_count()
        if held >= open_places:
            return total + open_places * points
        total += held * points
        open_places -= held
    return total


_PRIMES: Final = {Prime.NONE: None, Prime.SETENTA: _setenta, Prime.POINTS: _points_prime}
