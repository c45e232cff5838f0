"""The drawings of emojis: a suit alone, or a card reduced to its index and suit."""

from __future__ import annotations

import re
from typing import Final

from bot.cards.pictures.deck.ink import INK, PAPER, block, placed
from bot.cards.pictures.deck.signs import width_of, writing

SIDE: Final = 128
_RIM: Final = 15
_STROKE: Final = re.compile(r'fill="[^"]*" stroke="[^"]*"(?: stroke-width="[^"]*")?')


def suit_emblem(pip: str) -> str:
    """A suit, filling the square."""
    return placed(pip, 64, 64, size=1.14)


def rimmed_emblem(pip: str) -> str:
    """A suit with a light rim, so that blue steel stands out on a blue button and green wood on a green one."""
    return placed(rimmed(pip, _RIM), 64, 64, size=1.04)


def rimmed(pip: str, width: float) -> str:
    """A suit with a rim of paper."""
    return _STROKE.sub(f'fill="{PAPER}" stroke="{PAPER}" stroke-width="{width:g}"', pip) + pip


def card_emblem(index: str, pip: str, *, tall: bool, colour: str = INK) -> str:
    """A little card: the index as large as fits, and the suit beside it; `tall` suits are narrow."""
    paper = block(4, 4, 120, 120, PAPER, radius=20, outline=6)
    if len(index) == 2:
        suit = placed(pip, 96, 76, size=0.86) if tall else placed(pip, 88, 88, size=0.6)
        return paper + writing(index, 18, 20, 46, bold=15, colour=colour) + suit
    high = min(76, 44 * 60 / max(1, width_of(index)))  # a wide letter must stay clear of the edge
    x, y = 38 - width_of(index) * high / 120, 64 - high / 2
    suit = placed(pip, 95, 64, size=0.94) if tall else placed(pip, 92, 74, size=0.58)
    return paper + suit + writing(index, x, y, high, bold=13.5, colour=colour)
