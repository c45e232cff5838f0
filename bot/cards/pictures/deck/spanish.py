"""The Spanish deck: forty cards, and their back."""

from __future__ import annotations

from typing import Final

from bot.cards.pictures.deck.emblems import rimmed
from bot.cards.pictures.deck.figures import figure
from bot.cards.pictures.deck.ink import HEIGHT, INK, PAPER, WIDTH, block, line, placed
from bot.cards.pictures.deck.pips import pips
from bot.cards.pictures.deck.signs import writing
from bot.cards.pictures.deck.suits import pip
from bot.engine.cards import Card, Rank, Suit

_EDGE: Final = 10
_BREAK: Final = 16
_RIM: Final = 13
PINTA: Final = {Suit.OROS: 0, Suit.COPAS: 1, Suit.ESPADAS: 2, Suit.BASTOS: 3}
"""Breaks that the frame has on each short side."""


def face(card: Card, *, small: bool = False) -> str:
    """A card's drawing. `small` is the cut for the table: a large index and its suit, for which the rest makes room."""
    text = str(card.printed)
    paper = block(1.5, 1.5, WIDTH - 3, HEIGHT - 3, PAPER, radius=16) + frame(card.suit)
    x, y, high, bold = (26, 28, 58, 12.5) if small else (21, 24, 31, 11.5)
    index = writing(text, x, y, high, bold=bold)
    if card.rank > Rank.SEVEN:  # a rim of paper separates it from the figure below
        index = writing(text, x, y, high, bold=bold + (12 if small else 20), colour=PAPER) + index
    if small:
        size, y = (0.58, 127) if card.suit in (Suit.ESPADAS, Suit.BASTOS) else (0.48, 119)
        index += placed(rimmed(pip(card.suit), _RIM), 40, y, size=size)
    else:
        index += placed(index, WIDTH, HEIGHT, turn=180)
    if card.rank <= Rank.SEVEN:
        art = pips(card.rank, card.suit, small=small)
    else:
        art = figure(card.rank, card.suit)
        art = placed(art, 24, 44, size=0.85) if small else placed(art, 4, 4, size=0.97)
    return paper + art + index


def frame(suit: Suit) -> str:
    """The frame with its *pinta*: the breaks by which a player knows the suit from the edge of a fanned card."""
    breaks = PINTA[suit]
    inner = WIDTH - 2 * _EDGE - 16  # the straight part of a short side
    step = inner / (breaks + 1)
    edges = [float(_EDGE + 8)]
    for n in range(1, breaks + 1):
        middle = _EDGE + 8 + step * n if breaks != 3 else _EDGE + 8 + inner * (0.2 + 0.3 * (n - 1))
        edges += [middle - _BREAK / 2, middle + _BREAK / 2]
    edges.append(WIDTH - _EDGE - 8.0)
    top, bottom = _EDGE, HEIGHT - _EDGE
    d = "".join(f"M{a:g} {y}H{b:g}" for a, b in zip(edges[::2], edges[1::2], strict=True) for y in (top, bottom))
    d += f"M{_EDGE} {top + 8}V{bottom - 8}M{WIDTH - _EDGE} {top + 8}V{bottom - 8}"
    for x, y, turn_x, turn_y in (
        (_EDGE, top, 8, 8),
        (WIDTH - _EDGE, top, -8, 8),
        (_EDGE, bottom, 8, -8),
        (WIDTH - _EDGE, bottom, -8, -8),
    ):
        d += f"M{x} {y + turn_y}Q{x} {y} {x + turn_x} {y}"
    return line(d, 3, INK).replace('stroke-width="3"', 'stroke-width="3" stroke-linecap="butt"')
