"""What is drawn for emojis: a suit by itself, and a card as no more than its index and its suit."""

from __future__ import annotations

from typing import Final

from bot.ui.pictures.deck.ink import INK, PAPER, block, placed
from bot.ui.pictures.deck.signs import width_of, writing

SIDE: Final = 128


def suit_emblem(pip: str) -> str:
    """A suit, filling the square, on a little paper so that its ink is seen on dark backgrounds too."""
    halo = f'<g stroke="{PAPER}">{pip}</g>'
    return placed(_thickened(halo), 64, 64, size=1.12) + placed(pip, 64, 64, size=1.12)


def card_emblem(index: str, pip: str, colour: str = INK) -> str:
    """A little card: the index as large as there is room for, the suit below it to the right."""
    paper = block(4, 4, 120, 120, PAPER, radius=20, outline=6)
    if len(index) == 2:
        return paper + writing(index, 18, 20, 46, bold=15, colour=colour) + placed(pip, 88, 88, size=0.6)
    x = 38 - width_of(index) * 76 / 120
    return paper + placed(pip, 92, 74, size=0.58) + writing(index, x, 26, 76, bold=13.5, colour=colour)


def _thickened(drawing: str) -> str:
    """The same shapes with a broad outline, for a rim around them."""
    return f'<g style="stroke-width:12">{drawing}</g>'
