"""Moves: the captures that a card may make, the places where moves leave cards, and the stages of a match.

Captures are found by look-up in precomputed tables. A capture is a group of table cards with a given sum: 15 less the
card's worth or, with `Capture.MATCH`, the card's own worth (one equal card is such a group; several equal cards at once
are not: RULES.md, decision 5, and their sum is too high anyway). The partitions of each sum into ranks are computed
once and cached by the set of ranks on the table (ten bits), so that a look-up yields only partitions whose ranks are
all present; a small table gives the ways to take k cards of a rank.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, product
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet, Rank
from bot.engine.rules import Capture, Opening


@dataclass(frozen=True, slots=True)
class Play:
    """A move: a card and the table cards it captures; if there are none, it is laid on the table."""

    card: Card
    captured: CardSet = EMPTY

    @property
    def gained(self) -> CardSet:
        """The cards that go to the pile: the capture, the played card included."""
        return self.captured.with_card(self.card) if self.captured else EMPTY

    def table_after(self, table: CardSet) -> CardSet:
        """The table once this move has been made on `table`."""
        return table - self.captured if self.captured else table.with_card(self.card)


@dataclass(frozen=True, slots=True)
class Claim:
    """A move before playing: take a capture that the card just laid has missed; `captured` includes that card."""

    captured: CardSet

    @property
    def gained(self) -> CardSet:
        """The cards that go to the pile."""
        return self.captured

    def table_after(self, table: CardSet) -> CardSet:
        """The table once this move has been made on `table`."""
        return table - self.captured


@dataclass(frozen=True, slots=True)
class Sing:
    """A move before a player's first card of a deal: show the hand and sing all its cantos. The turn doesn't pass."""

    @property
    def captured(self) -> CardSet:
        """Singing captures nothing."""
        return EMPTY

    @property
    def gained(self) -> CardSet:
        return EMPTY

    def table_after(self, table: CardSet) -> CardSet:
        """The table as it was."""
        return table


Move = Play | Claim | Sing


Places = tuple[Card | None, ...]
"""The table cards by place; None where one was taken. The last place is never free."""


def placed(before: Places, table: CardSet) -> Places:
    """The places for the cards now on the table: those that stayed keep theirs, new ones fill the gaps first."""
    left = table.mask
    filled: list[Card | None] = []
    for one in before:
        stays = one is not None and left & one.bit
        filled.append(one if stays else None)
        left ^= stays or 0
    new = iter(CardSet(left))
    filled = [one or next(new, None) for one in filled]
    filled += new
    while filled and filled[-1] is None:
        filled.pop()
    return tuple(filled)


class Stage(StrEnum):
    """The next thing that a match waits for."""

    TO_DEAL = "to_deal"
    """The first round, or the next one, to be dealt; meanwhile players look at the latest score."""
    TO_PLAY = "to_play"
    """A move by the current player."""
    OVER = "over"


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
    for other in table:
        sums |= sums << other.worth
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
def _with_ranks(total: int) -> tuple[tuple[Pattern, int], ...]:
    """The partitions of `total`, each with the ranks that it uses (bit 0: aces)."""
    return tuple((p, sum(1 << rank for rank, _ in p)) for p in _partitions(total, Rank.REY))


@cache
def _patterns(total: int, presence: int) -> tuple[Pattern, ...]:
    """The partitions of `total` that use only ranks in `presence`."""
    return tuple(pattern for pattern, ranks in _with_ranks(total) if not ranks & ~presence)


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


_TWO_GROUPS: Final = 2
_MOST_FIFTEENS: Final = 3


def opening_escobas(opening: Opening, table: CardSet) -> int:
    """Count the escobas that the dealer scores with the first table cards (000 "Escobas", 001 "Escoba de mano").

    With `Opening.PAIRS` the cards must all split into groups of 15; five cards make at most two (20).
    """
    fifteens, rest = divmod(table.worth, FIFTEEN)
    if opening is Opening.NONE or rest or fifteens > _MOST_FIFTEENS:
        return 0
    if opening is Opening.PAIRS and fifteens > 1 and not (fifteens == _TWO_GROUPS and _has_fifteen(table)):
        return 0
    return fifteens


def _has_fifteen(table: CardSet) -> bool:
    """Whether some of the cards are worth 15 together; keeps the reachable sums as the bits of one integer."""
    sums = 1
    for card in table:
        sums |= sums << card.worth
    return bool(sums >> FIFTEEN & 1)
