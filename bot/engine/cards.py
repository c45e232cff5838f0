"""The forty Spanish cards, sets of them as one integer of forty bits, and the cantos that three of them make.

>>> from bot.engine.cards import Card, CardSet, Suit
>>> rey = Card.parse("12b")
>>> rey.suit.name, rey.printed, rey.worth
('BASTOS', 12, 10)
>>> hand = CardSet.of("7o 10e 1c")
>>> hand.worth, rey in hand
(16, False)
>>> hand - CardSet.of("1c")
CardSet(7o 10e)
>>> hand.of_suit(Suit.OROS)
CardSet(7o)

A card's bit is ``(worth - 1) * 4 + suit``, which puts the four cards of a rank side by side: `moves` reads a whole
rank as one nibble. Text notation is the printed index and the suit's letter: ``7o``, ``1c``, ``10e``, ``12b``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from enum import IntEnum, StrEnum
from functools import total_ordering
from typing import Final

from bot.engine.errors import NotationError


class Suit(IntEnum):
    """The four suits, in the order of the deck."""

    OROS = 0
    COPAS = 1
    ESPADAS = 2
    BASTOS = 3

    @property
    def letter(self) -> str:
        """The suit's initial, used in text notation."""
        return "oceb"[self]


class Rank(IntEnum):
    """The ten ranks; the value is what a card of that rank is *worth* (1 to 10)."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    SOTA = 8
    CABALLO = 9
    REY = 10

    @property
    def printed(self) -> int:
        """The number printed on the card: 10, 11 and 12 for sota, caballo and rey."""
        return self.value if self <= Rank.SEVEN else self.value + 2


@total_ordering
class Card:
    """One card of the deck. Only forty exist: get one from `card`, `Card.parse` or `DECK`."""

    __slots__ = ("bit", "index", "notation", "printed", "rank", "suit", "worth")

    def __init__(self, rank: Rank, suit: Suit) -> None:
        self.rank: Final = rank
        self.suit: Final = suit
        self.worth: Final = rank.value
        self.printed: Final = rank.printed
        self.index: Final = (rank - 1) * 4 + suit
        self.bit: Final = 1 << self.index
        self.notation: Final = f"{rank.printed}{suit.letter}"

    @staticmethod
    def parse(text: str) -> Card:
        """The card that `text` names, as in ``Card.parse("10e")``.

        Raises:
            NotationError: if it doesn't name a card.
        """
        try:
            return _BY_NOTATION[text]
        except KeyError:
            raise NotationError(f"not a card: {text[:8]!r}") from None

    def __repr__(self) -> str:
        return f"Card({self.notation})"

    def __str__(self) -> str:
        return self.notation

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __reduce__(self) -> tuple[object, ...]:
        return Card.parse, (self.notation,)


DECK: Final = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""All forty cards, by worth and suit; ``DECK[card.index] is card``."""

_BY_NOTATION: Final = {c.notation: c for c in DECK}


def card(rank: Rank, suit: Suit) -> Card:
    return DECK[(rank - 1) * 4 + suit]


class CardSet(Set[Card]):
    """An immutable set of cards: `mask` has bit ``card.index`` set for each card in it.

    It supports every operator of `collections.abc.Set` and iterates by worth, then suit.

    >>> CardSet.of("7o 1c") | CardSet.of("10e")
    CardSet(1c 7o 10e)
    >>> CardSet.of("7o 1c 10e").worth
    16
    """

    __slots__ = ("mask",)

    def __init__(self, mask: int = 0) -> None:
        self.mask: Final = mask

    @classmethod
    def of(cls, cards: str | Iterable[Card]) -> CardSet:
        """The set of the given cards, or of cards in notation separated by spaces.

        Raises:
            NotationError: for a word that doesn't name a card.
        """
        mask = 0
        for each in map(Card.parse, cards.split()) if isinstance(cards, str) else cards:
            mask |= each.bit
        return cls(mask)

    @classmethod
    def _from_iterable(cls, it: Iterable[Card]) -> CardSet:  # pyright: ignore[reportIncompatibleMethodOverride]
        return cls.of(it)

    @property
    def worth(self) -> int:
        """The sum of what the cards are worth."""
        return sum([c.worth for c in self])

    def of_suit(self, suit: Suit) -> CardSet:
        return CardSet(self.mask & (_SUIT_MASK << suit))

    def of_rank(self, rank: Rank) -> CardSet:
        return CardSet(self.mask & (0b1111 << 4 * (rank - 1)))

    def with_card(self, one: Card) -> CardSet:
        return CardSet(self.mask | one.bit)

    def without(self, one: Card) -> CardSet:
        return CardSet(self.mask & ~one.bit)

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Card) and bool(self.mask & item.bit)

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            low = mask & -mask
            yield DECK[low.bit_length() - 1]
            mask ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, CardSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: Set[Card]) -> CardSet:  # pyright: ignore[reportIncompatibleMethodOverride]
        return CardSet(self.mask | _mask(other))

    def __and__(self, other: Set[Card]) -> CardSet:
        return CardSet(self.mask & _mask(other))

    def __sub__(self, other: Set[Card]) -> CardSet:  # pyright: ignore[reportIncompatibleMethodOverride]
        return CardSet(self.mask & ~_mask(other))

    def __xor__(self, other: Set[Card]) -> CardSet:  # pyright: ignore[reportIncompatibleMethodOverride]
        return CardSet(self.mask ^ _mask(other))

    def __le__(self, other: Set[Card]) -> bool:
        return not self.mask & ~_mask(other)

    def __repr__(self) -> str:
        return f"CardSet({self})"

    def __str__(self) -> str:
        return " ".join(c.notation for c in self)

    def __reduce__(self) -> tuple[object, ...]:
        return CardSet, (self.mask,)


_SUIT_MASK: Final = 0x1111111111
EMPTY: Final = CardSet()
FULL: Final = CardSet((1 << 40) - 1)


def _mask(cards: Set[Card]) -> int:
    return cards.mask if isinstance(cards, CardSet) else CardSet.of(cards).mask


SUNG_CARDS: Final = 3
"""Cantos are made of three cards, and are sung only in a deal of three."""
_MISERIA: Final = 7
_NINE: Final = 9


class Canto(StrEnum):
    """A combination that a hand of three can be sung as; all that apply are sung together."""

    ESCALERA = "escalera"
    """Three values in a row; sota, caballo and rey follow the 7."""
    FLOR = "flor"
    """Three of one suit."""
    MISERIA = "miseria"
    """Worth 7 or less together."""
    TRES_DE_NUEVE = "tres_de_nueve"
    """Worth 9 together."""
    CHORIZO = "chorizo"
    """Three of one rank."""

    @property
    def points(self) -> int:
        return _POINTS[self]


_POINTS: Final = {
    Canto.ESCALERA: 3,
    Canto.FLOR: 3,
    Canto.MISERIA: 2,
    Canto.TRES_DE_NUEVE: 3,
    Canto.CHORIZO: 20,
}


def cantos_of(hand: CardSet) -> tuple[Canto, ...]:
    """All that a hand can be sung as; nothing unless it has three cards."""
    if len(hand) != SUNG_CARDS:
        return ()
    low, middle, high = (card.worth for card in hand)
    worth = low + middle + high
    holds = {
        Canto.ESCALERA: low + 1 == middle == high - 1,
        Canto.FLOR: len({card.suit for card in hand}) == 1,
        Canto.MISERIA: worth <= _MISERIA,
        Canto.TRES_DE_NUEVE: worth == _NINE,
        Canto.CHORIZO: low == high,
    }
    return tuple(canto for canto in Canto if holds[canto])


def canto_points(cantos: Iterable[Canto]) -> int:
    return sum(canto.points for canto in cantos)
