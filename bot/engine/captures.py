"""Every legal capture of a card from a table, by precomputed tables.

A capture is a group of table cards of a given sum: 15 less the card's worth, or, with `Capture.MATCH`, the card's own
worth (where one equal card is a group too, but several equal cards at once are not: RULES.md, decision 5, and a sum of
equal cards exceeds their worth anyway). The sum's partitions into ranks are made once, and filed by the set of ranks
lying on the table (ten bits): a look-up leaves only partitions whose ranks are all there, and a small table gives the
ways to take k of a rank's suits.
"""

from functools import cache
from itertools import combinations, product
from typing import Final

from bot.engine.cards import Card, CardSet, Rank
from bot.engine.rules import Capture

FIFTEEN: Final = 15

Pattern = tuple[tuple[int, int], ...]
"""A way to make a sum: (rank index 0 to 9, how many cards of it), rank by rank."""


def captures(rule: Capture, card: Card, table: CardSet) -> tuple[CardSet, ...]:
    """All groups of `table` cards that `card` may take, smallest groups first, in a fixed order.

    The groups are the table's cards only; the played card goes with them. Sources: 000 "Captura", 001 §3, 002 §8, §12.
    """
    mask = table.mask
    found: list[int] = []
    for pattern in _patterns(target(rule, card), _presence(mask)):
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
    """Whether `card` has any capture: the reachable sums as bits of one integer, no groups made."""
    sums = 1
    goal = 1 << target(rule, card)
    for each in table:
        sums |= sums << each.worth
        if sums & goal:
            return True
    return False


def is_capture(rule: Capture, card: Card, group: CardSet) -> bool:
    """Whether `group` (cards of the table) is one that `card` takes."""
    return bool(group) and group.worth == target(rule, card)


def target(rule: Capture, card: Card) -> int:
    """What the table cards of a capture by `card` must be worth together."""
    return FIFTEEN - card.worth if rule is Capture.FIFTEEN else card.worth


@cache
def _partitions(total: int, highest: int) -> tuple[Pattern, ...]:
    """Partitions of `total` into worths up to `highest`, each at most four times."""
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
    """The partitions of `total` whose ranks all lie on a table with the ranks `presence` (bit 0: aces)."""
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
    """The ways to take `count` of a rank's cards, where `suits` has a bit for each that lies there."""
    return [pick << shift for pick in _PICKS[suits, count]]
