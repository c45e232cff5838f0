"""The common parts of the pages of somebody's statistics: the banner with the name, figures, small labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from babel.numbers import format_percent

from bot.cards.pictures.canvas import WIDE, Canvas, fitting, fitting_height
from bot.cards.pictures.deck.ink import STEEL
from bot.cards.pictures.sprites import DARK, GOLD, pip
from bot.engine.cards import Suit
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words

BANNER: Final = 84
EDGE: Final = 18
SHORT: Final = 12
"""Names up to this long are written as high as possible."""
RIVAL: Final = STEEL
"""The other person's colour."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, and what it is."""

    value: str
    label: str


def draw_banner(canvas: Canvas, deck: Deck, name: str, beside: str = "") -> None:
    """Draw the name at the top of a page, and a figure beside it."""
    canvas.box(0, 0, WIDE, BANNER, DARK)
    canvas.put(pip(deck, Suit.OROS, 64), 12, 10)
    taken = canvas.write(beside, WIDE - EDGE, 22, 40, ground=DARK, align=1) if beside else 0
    wanted = 38 if len(name) <= SHORT else 26
    shown, high = fitting(name, WIDE - 92 - EDGE - taken - 16, wanted, "#")
    canvas.write(shown, 92, (BANNER - high) / 2, high, colour=GOLD, ground=DARK)


def write_small(canvas: Canvas, words: str, x: float, y: float, room: float, *, align: float = 0) -> None:
    """Write a label, as small as it must be to fit."""
    high = fitting_height(words, room, 15)
    canvas.write(words, x, y + (15 - high) / 2, high, colour=GOLD, align=align)


def percent_text(share: float, t: Words) -> str:
    """Write a share as the language writes percentages."""
    return format_percent(share, locale=t.language)
