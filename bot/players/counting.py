"""Counting in masks of cards: points, primes, and groups by their sum.

The best group of table cards for each sum is found by adding the cards one at a time. A capture of either kind is a
group with the right sum, so one pass over the table finds the best capture of every rank.

A round's points by side are those that `bot.engine.scoring` itemises, but fast. `tests/players/test_fast_round.py`
checks that the two agree.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeVar

from bot.engine.cards import DECK, FULL, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, PRIME_CARDS, Item, MostOf, prime_points, setenta_place

SUMS: Final = 15
"""No capture takes table cards worth 15 or more: fifteen minus an ace is 14, and an equal sum is 10 at most."""
NO_GROUP: Final = -1
"""A stand-in for a value: no group has that sum."""
Value = TypeVar("Value", int, float)


def add_card(best: list[Value], worth: int, value: Value) -> None:
    """Add a card to the table, in place.

    Args:
        best: for each sum below `SUMS`, the value of the best group so far; negative if there is none. The entry for 0
            is the empty group's value.
        worth: the amount the card adds to a sum.
        value: the amount it adds to a group's value.
    """
    for total in range(SUMS - 1, worth - 1, -1):
        if (before := best[total - worth]) >= 0 and (group := before + value) > best[total]:
            best[total] = group


Count = Callable[[Sequence[int], Sequence[int]], list[int]]
"""A function that maps each side's pile (a mask) and escobas to its points."""
Scorer = Callable[[list[int], Sequence[int]], None]
"""A function that adds one item's points to those of each side, given the piles."""

WORTHS: Final = [card.worth for card in DECK]
"""The worth of each card, by ``card.index``."""
NEVER: Final = 1 << 40
"""An amount that no side reaches."""


def counter(rules: Rules) -> Count:
    """Make a function that counts a round under `rules`."""
    items = tuple(scorers(rules).values())

    def count(piles: Sequence[int], escobas: Sequence[int]) -> list[int]:
        points = list(escobas)
        for score in items:
            score(points, piles)
        return points

    return count


def larger_from(most: MostOf, rules: Rules) -> int:
    """The amount that scores the larger value under `rules`; `NEVER` if there is none."""
    return most.larger_from if most.more(rules) else NEVER


def scorers(rules: Rules) -> dict[Item, Scorer]:
    """A scorer for each item that `rules` score, except escobas and cantos, which are points already."""
    found = {item: _scorer(most, rules) for item, most in MOST_OF.items() if most.scored(rules)}
    if (prime := _prime(rules.prime)) is not None:
        found[Item.PRIME] = lambda points, piles: _most(points, [prime(pile) for pile in piles], NEVER)
    return found


def _scorer(most: MostOf, rules: Rules) -> Scorer:
    """A scorer for the most of some cards, in the quickest of three ways."""
    mask, larger = most.cards.mask, larger_from(most, rules)

    def holder(points: list[int], piles: Sequence[int]) -> None:
        for side, pile in enumerate(piles):
            if pile & mask == mask:
                points[side] += 1

    def whole(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [pile.bit_count() for pile in piles], larger)

    def part(points: list[int], piles: Sequence[int]) -> None:
        _most(points, [(pile & mask).bit_count() for pile in piles], larger)

    if most.single or not most.point(rules):
        return holder
    return whole if most.cards == FULL else part


def _most(points: list[int], amounts: list[int], larger: int) -> None:
    """Give a point for the single highest amount, two if at least `larger`; a tie scores for nobody (decision 7)."""
    top = max(amounts)
    if top and amounts.count(top) == 1:
        points[amounts.index(top)] += 2 if top >= larger else 1


def _best_of_each_suit(value_of: Callable[[Rank], int]) -> Callable[[int], int]:
    """Make a function that adds the values of a pile's best card of each suit; 0 if a suit is missing."""
    by_suit: list[tuple[int, dict[int, int]]] = []
    for suit in Suit:
        held = FULL.of_suit(suit)
        sums = {0: 0}
        for card in held:
            sums |= {mask | card.bit: max(best, value_of(card.rank)) for mask, best in sums.items()}
        by_suit.append((held.mask, sums))

    def value(pile: int) -> int:
        total = 0
        for suit, values in by_suit:
            best = values[pile & suit]
            if not best:
                return 0
            total += best
        return total

    return value


def _setenta_value(rank: Rank) -> int:
    """Value a rank for the setenta, highest card first. Comparing sums of four powers of five does the same."""
    return 5 ** (setenta_place(rank) - 1)


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


_SEVENS_FIRST: Final = [FULL.of_rank(rank).mask for rank in (Rank.SEVEN, Rank.SIX, Rank.ACE, Rank.FIVE)]


def _sevens_first(pile: int) -> int:
    """Rank a pile by its sevens, then sixes, aces and fives: each rank has four cards."""
    total = 0
    for four in _SEVENS_FIRST:
        total = 5 * total + (pile & four).bit_count()
    return total


@cache
def _prime(prime: Prime) -> Callable[[int], int] | None:
    """The value of a pile for a prime; None without one. Made when it is first asked for: some take 0.3 MB."""
    match prime:
        case Prime.NONE:
            return None
        case Prime.SETENTA:
            return _best_of_each_suit(_setenta_value)
        case Prime.POINTS:
            return _points_prime
        case Prime.SUITS:
            return _best_of_each_suit(prime_points)
        case Prime.SEVENS:
            return _sevens_first
