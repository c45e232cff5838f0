"""Drawings become pixels, each once in a process: nothing is written to a disk, which may be read-only.

The forty cards of the table take some 300 ms of CPU together; `warm` does that ahead of the first picture.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Final

import resvg_py
from PIL import Image

from bot.engine.cards import DECK, Card, Suit
from bot.ui.pictures.deck.decks import Cut, Deck, back_drawing, emoji_drawing, face_drawing, pip_of
from bot.ui.pictures.deck.ink import HEIGHT, INK, WIDTH, page, placed
from bot.ui.pictures.deck.signs import width_of, writing

CARD_WIDTH: Final = 112
"""A card on the table, in pixels of a picture that is shown at half its size."""


def png_of(drawing: str, width: int) -> bytes:
    """An SVG document as PNG, so many pixels wide."""
    return resvg_py.svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True)


def height_of(width: int) -> int:
    """The height of a card that is so wide."""
    return round(width * HEIGHT / WIDTH)


@lru_cache(maxsize=256)
def card_image(deck: Deck, card: Card, width: int = CARD_WIDTH, cut: Cut = Cut.SMALL) -> Image.Image:
    """A card's face. Nobody draws on the image: it is kept."""
    return image_of(face_drawing(deck, card, cut), width)


@lru_cache(maxsize=32)
def back_image(deck: Deck, width: int) -> Image.Image:
    """A card's back."""
    return image_of(back_drawing(deck), width)


@lru_cache(maxsize=64)
def emblem_image(deck: Deck, what: Card | Suit, width: int) -> Image.Image:
    """A card or a suit as its emoji."""
    return image_of(emoji_drawing(deck, what), width)


@lru_cache(maxsize=32)
def pip_image(deck: Deck, suit: Suit, width: int) -> Image.Image:
    """A suit by itself."""
    return image_of(page(placed(pip_of(deck, suit), 54, 54), 108, 108), width)


@lru_cache(maxsize=512)
def text_image(text: str, high: int, colour: str = INK, bold: float = 11) -> Image.Image:
    """A text in the deck's own capitals, `high` pixels from foot to top; accents and strokes stand out of that."""
    scale = high / 60
    margin = bold / 2 + 4
    width = width_of(text) + 2 * margin
    drawing = page(writing(text, margin, 30 + margin, 60, bold=bold, colour=colour), width, 60 + 50 + 2 * margin)
    return image_of(drawing, max(1, round(width * scale)))


def image_of(drawing: str, width: int) -> Image.Image:
    """An SVG document as pixels."""
    return Image.open(BytesIO(png_of(drawing, width))).convert("RGBA")


def warm(deck: Deck) -> None:
    """Make what every table's picture needs."""
    for card in DECK:
        card_image(deck, card)
