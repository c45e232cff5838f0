"""The cards and suits of both decks as application emojis: their names, and their images for uploading.

A screen reader reads the names aloud, and an old message shows one where its emoji is gone: `as_de_copas`, `hearts`. So
they name the card and nothing else. Which drawing an emoji shows is noted beside its id, as a digest of the drawing
rather than of its pixels, so that a new release of the rasteriser changes nothing.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final

from bot.cards.pictures.deck.decks import emoji_drawing
from bot.cards.pictures.deck.suits import SIDE
from bot.cards.words.cards import in_common_emojis
from bot.engine.cards import DECK, Card, Rank, Suit
from bot.platform.drawing.png import png_of
from bot.platform.language.faces import CardFaces, Deck

_SUITS: Final = {
    Deck.SPANISH: {Suit.OROS: "oros", Suit.COPAS: "copas", Suit.ESPADAS: "espadas", Suit.BASTOS: "bastos"},
    Deck.FRENCH: {Suit.OROS: "diamonds", Suit.COPAS: "hearts", Suit.ESPADAS: "spades", Suit.BASTOS: "clubs"},
}
_RANKS: Final = {
    Deck.SPANISH: {Rank.ACE: "as", Rank.SOTA: "sota", Rank.CABALLO: "caballo", Rank.REY: "rey"},
    Deck.FRENCH: {Rank.ACE: "ace", Rank.SOTA: "jack", Rank.CABALLO: "queen", Rank.REY: "king"},
}
_OF: Final = {Deck.SPANISH: "de", Deck.FRENCH: "of"}
_NUMBERED: Final = re.compile(r"_[0-9]+$")


@dataclass(frozen=True, slots=True)
class CardEmoji:
    """An emoji to upload: of a deck's card, with its notation as `key`, or of a suit, with its letter."""

    deck: Deck
    key: str
    name: str
    drawing: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.drawing.encode()).hexdigest()[:8]

    def image(self) -> bytes:
        """A PNG of 128 × 128 pixels."""
        return png_of(self.drawing, SIDE)

    def free_name(self, taken: Collection[str]) -> str:
        """Its name, numbered if another emoji has it already: two can't have the same."""
        if self.name not in taken:
            return self.name
        return next(name for number in count(2) if (name := f"{self.name}_{number}") not in taken)


@dataclass(frozen=True, slots=True)
class Uploaded:
    """An emoji of ours as Discord has it; `digest` says which drawing it shows."""

    deck: Deck
    key: str
    name: str
    id: int
    digest: str

    def shows(self, emoji: CardEmoji) -> bool:
        """Whether it is this emoji with its present drawing."""
        return (self.deck, self.key, self.digest) == (emoji.deck, emoji.key, emoji.digest)


@cache
def card_emojis() -> tuple[CardEmoji, ...]:
    """The 88 emojis of both decks: the Spanish deck first, and in each deck the suits first."""
    return tuple(
        CardEmoji(deck, key, _name(deck, what), emoji_drawing(deck, what)) for deck in Deck for key, what in _pieces()
    )


def _name(deck: Deck, what: Card | Suit) -> str:
    if isinstance(what, Suit):
        return _SUITS[deck][what]
    return f"{_RANKS[deck].get(what.rank, what.printed)}_{_OF[deck]}_{_SUITS[deck][what.suit]}"


def _pieces() -> list[tuple[str, Card | Suit]]:
    """The suits and cards, each with its letter or notation."""
    return [*((suit.letter, suit) for suit in Suit), *((card.notation, card) for card in DECK)]


@cache
def _common_forms() -> Mapping[str, str]:
    shown = dict(_pieces())
    return {emoji.name: in_common_emojis(shown[emoji.key], emoji.deck) for emoji in card_emojis()}


def common_form(name: str) -> str:
    """Put into common characters what an emoji of ours shows; 🎴 if the name isn't one of ours."""
    return _common_forms().get(_NUMBERED.sub("", name)) or "🎴"


def faces_of(deck: Deck, uploaded: Iterable[Uploaded]) -> CardFaces:
    """Find how texts show a deck's cards with the emojis that were uploaded."""
    return CardFaces(deck, {emoji.key: f"<:{emoji.name}:{emoji.id}>" for emoji in uploaded if emoji.deck is deck})
