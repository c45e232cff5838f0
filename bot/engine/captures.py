"""Every legal capture of a card from the table, found by look-up in precomputed tables.

A capture is a group of table cards with a given sum: 15 less the card's worth or, with `Capture.MATCH`, the card's own
worth (one equal card is such a group; several equal cards at once are not: RULES.md, decision 5, and their sum is too
high anyway). The partitions of each sum into ranks are computed once and cached by the set of ranks on the table (ten
bits), so that a look-up yields only partitions whose ranks are all present; a small table gives the ways to take k
cards of a rank.
"""

from functools import cache
from itertools import combinations, product
from typing import Final

from bot.engine.cards import Card, CardSet, Rank
from bot.engine.rules import Capture

FIFTEEN: Final = 15

Pattern = tuple[tuple[int, int], ...]
"""A way to make a sum: pairs of rank index (0 to 9) and number of cards."""


def captures(rule: Capture, card: Card, table: CardSet) -> tuple[CardSet, ...]:
    """All groups of `table` cards that `card` may take, smallest first, in a fixed order.

    A group doesn't include the played card. Sources: 000 "Captura", 001 §3, 002 §8, §12.
    """
    mask = table.mask
    found: list[int] = []
    for pattern in _patterns(target(rule, card.worth), _presence(mask)):
        if len(pattern) == 1:
            rank, count = pattern[0]
            found += _picks(mask >> 4 * rank & 0b1111, count, 4 * rank)
            continue
        choices = [_picks(mask >> 4 * rank & 0b1111, count, 4 * rank) for rank, count in pattern]
        if all(choices):
            found += [sum(group) for group in product(*choices)]
    found.sort(key=lambda group: (group.bit_count(), group))
    return tuple(CardSet(group) for group in found)


def can_capture(rule: Capture, card: Card, table: CardSet) -> bool:
    """Whether `card` has any capture; keeps the reachable sums as the bits of one integer and builds no groups."""
    sums = 1
    goal = 1 << target(rule, card.worth)
    for each in table:
        sums |= sums << each.worth
        if sums & goal:
            return True
    return False


def is_capture(rule: Capture, card: Card, group: CardSet) -> bool:
    """Whether `card` may take `group`, which is made of table cards."""
    return bool(group) and group.worth == target(rule, card.worth)


def target(rule: Capture, worth: int) -> int:
    """The sum that table cards must have to be captured by a card of that worth.

    It works both ways: given the sum of some table cards, it is the worth of the card that captures them. Such a card
    exists only if that is 1 to 10.
    """
    return FIFTEEN - worth if rule is Capture.FIFTEEN else worth


@cache
def _partitions(total: int, highest: int) -> tuple[Pattern, ...]:
    """The partitions of `total` into worths up to `highest`, each used at most four times."""
    if total == 0:
        return ((),)
    if highest == 0:
        return ()
    return tuple(
        (*rest, (highest - 1, count)) if count else rest
        for count in range(min(4, total // highest) + 1)
        for rest in _partitions(total - count * highest, highest - 1)
    )


@cache
def _patterns(total: int, presence: int) -> tuple[Pattern, ...]:
    """The partitions of `total` that use only ranks in `presence` (bit 0: aces)."""
    return tuple(p for p in _partitions(total, Rank.REY) if all(presence >> rank & 1 for rank, _ in p))


def _presence(mask: int) -> int:
    bits = 0
    for rank in range(10):
        if mask >> 4 * rank & 0b1111:
            bits |= 1 << rank
    return bits


_PICKS: Final = {
    (suits, count): tuple(
        sum(1 << s for s in chosen) for chosen in combinations([s for s in range(4) if suits >> s & 1], count)
    )
    for suits in range(16)
    for count in range(1, 5)
}


def _picks(suits: int, count: int, shift: int) -> list[int]:
    """The ways to take `count` cards of a rank; `suits` has a bit for each of its cards on the table."""
    return [pick << shift for pick in _PICKS[suits, count]]
