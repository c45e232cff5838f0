"""The look of cards in texts and on buttons: their deck, and the application's own emojis where they are known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Deck(StrEnum):
    """The cards that are shown; the rules and the notation are the same with both decks."""

    SPANISH = "spanish"
    FRENCH = "french"
    """Diamonds stand for oros, hearts for copas, spades for espadas, clubs for bastos."""


@dataclass(frozen=True, slots=True, eq=False)
class CardFaces:
    """The cards of one deck in texts and on buttons.

    There are few of these, each made once. They compare by identity, so that `Words` can be cached by them.

    Attributes:
        deck: the cards.
        emojis: the application's own emojis as texts write them, `<:name:id>`, by a card's notation or a suit's letter;
            cards and suits without one are shown by common emojis.
    """

    deck: Deck = Deck.SPANISH
    emojis: Mapping[str, str] = field(default_factory=dict[str, str])


PLAIN = CardFaces()
