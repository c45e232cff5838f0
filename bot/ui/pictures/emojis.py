"""The cards and suits of both decks as application emojis: their names, and their images for uploading.

A name carries a digest of the drawing, so a changed drawing makes a new emoji, and the old one's name shows that it is
outdated. The digest is of the drawing, not of its pixels, so a new release of the rasteriser changes no name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.engine.cards import DECK, Card, Suit
from bot.ui.pictures.deck.decks import emoji_drawing
from bot.ui.pictures.deck.emblems import SIDE
from bot.ui.pictures.raster import png_of
from bot.ui.words.cards import in_common_emojis
from bot.ui.words.faces import CardFaces, Deck

_MARKS: Final = {Deck.SPANISH: "", Deck.FRENCH: "f"}
_OURS: Final = re.compile(r"escoba_f?(?:1[0-2]|[1-7])?[oceb]_[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class CardEmoji:
    """An emoji to upload: of a deck's card, with its notation as `key`, or of a suit, with its letter."""

    deck: Deck
    key: str
    name: str
    drawing: str

    def image(self) -> bytes:
        """A PNG of 128 × 128 pixels."""
        return png_of(self.drawing, SIDE)


@cache
def card_emojis() -> tuple[CardEmoji, ...]:
    """The 88 emojis of both decks: the Spanish deck first, and in each deck the suits first."""
    made: list[CardEmoji] = []
    for deck in Deck:
        for key, what in _pieces():
            drawing = emoji_drawing(deck, what)
            digest = hashlib.sha256(drawing.encode()).hexdigest()[:8]
            made.append(CardEmoji(deck, key, f"escoba_{_MARKS[deck]}{key}_{digest}", drawing))
    return tuple(made)


def _pieces() -> list[tuple[str, Card | Suit]]:
    """The suits and cards, each with its letter or notation."""
    return [*((suit.letter, suit) for suit in Suit), *((each.notation, each) for each in DECK)]


@cache
def common_forms() -> Mapping[str, str]:
    """What each emoji shows, in common characters, by its name."""
    shown = dict(_pieces())
    return {emoji.name: in_common_emojis(shown[emoji.key], emoji.deck) for emoji in card_emojis()}


def outdated(names: Iterable[str]) -> set[str]:
    """The names that are ours but belong to no current drawing."""
    wanted = {emoji.name for emoji in card_emojis()}
    return {name for name in names if _OURS.fullmatch(name) and name not in wanted}


def faces_of(deck: Deck, ids: Mapping[str, int]) -> CardFaces:
    """How texts show a deck's cards; `ids` are those of the application's emojis by name."""
    emojis = {
        emoji.key: f"<:{emoji.name}:{ids[emoji.name]}>"
        for emoji in card_emojis()
        if emoji.deck is deck and emoji.name in ids
    }
    return CardFaces(deck, emojis)
