"""Ornaments: what marks a card, an escoba, a winner, and the place where nothing lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.cards.pictures.canvas import WIDE, Canvas
from bot.cards.pictures.deck.ink import BLUE, GREEN, INK, LEAF, PAPER, RED, YELLOW, block, disc, page, path, placed
from bot.cards.pictures.deck.signs import width_of, writing
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import DARK, GOLD, Sprite, drawn, drawn_once, framed
from bot.engine.cards import Card
from bot.platform.language.faces import Deck

RAISED: Final = 6
"""Pixels that a raised card stands above its place."""
BANNER_ROOM: Final = 376
"""The width of a ribbon's word, between two stars, if the ribbon is 560 wide."""
_FRAME: Final = 5
_SCRAPS: Final = (YELLOW, RED, BLUE, LEAF, PAPER, GREEN)
_CONFETTI: Final = 80
_NEAR: Final = 18
_FREE: Final = 12
"""The height of a strip without confetti, above the letters that follow below."""


def draw_raised(canvas: Canvas, deck: Deck, card: Card, x: float, y: float, width: int) -> None:
    """Draw a card raised above the table, in a golden frame."""
    canvas.put(framed(deck, card, width, _FRAME), x - _FRAME, y - RAISED - _FRAME)


def draw_frame(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw the frame of an escoba."""
    canvas.edge(GOLD, 9, x, y, width, height)
    canvas.edge(RED, 3, x + 3, y + 3, width - 6, height - 6)


def banner(word: str, width: int) -> Sprite:
    """Draw a word on a red ribbon."""
    wide, high = 560, 116
    size = min(58.0, BANNER_ROOM / max(1.0, width_of(word)) * 60)
    top = (high - size) / 2 + 2
    drawing = page(
        path(
            f"M6 {high / 2}L34 12H{wide - 34}L{wide - 6} {high / 2}L{wide - 34} {high - 12}H34Z",
            RED,
            width=6,
            stroke=GOLD,
        )
        + placed(star(8, 26, 11, YELLOW), 58, high / 2)
        + placed(star(8, 26, 11, YELLOW), wide - 58, high / 2)
        + writing(word, wide / 2, top, size, bold=18, colour=INK, centred=True)
        + writing(word, wide / 2, top, size, bold=11, colour=GOLD, centred=True),
        wide,
        high,
    )
    return drawn(drawing, width)


def empty_place(ground: str) -> Sprite:
    """Draw an empty place for a card."""
    edge = block(3, 3, 58, 92, "none", radius=10, outline=3).replace("/>", ' stroke-dasharray="9 9"/>')
    return drawn(page(edge.replace(INK, PAPER), 64, 98), 64, ground)


def confetti(height: int, clear: Sequence[tuple[float, float, float, float]]) -> Sprite:
    """Draw scraps of the deck's colours, always in the same places: a fixed sequence that looks thrown.

    Near the `clear` boxes there is none: a scrap beside a letter would be read as punctuation.
    """
    scraps, seed = "", 7
    for number in range(_CONFETTI):
        seed = (seed * 16807) % 2147483647
        x = (number * 233 + seed % 40) % 596 + 2
        y = seed // 590 % (height - 8) + 4
        turn = seed // 7 % 180
        if y > height - _FREE or any(a - _NEAR < x < c + _NEAR and b - _NEAR < y < d + _NEAR for a, b, c, d in clear):
            continue
        colour, size = _SCRAPS[number % len(_SCRAPS)], 1 + seed % 3 * 0.25
        scrap = (
            block(-4, -2.5, 8, 5, colour, outline=0),
            disc(0, 0, 3, colour, width=0),
            star(5, 5, 2.2, colour, width=0),
            path("M-5 0Q-2 -5 0 0T5 0", width=2.2, stroke=colour),
        )[number % 4]
        scraps += placed(scrap, x, y, size=size, turn=turn)
    return drawn_once(page(scraps, WIDE, height), WIDE, DARK)


def laurel(width: int) -> Sprite:
    """Draw the winner's wreath."""
    leaves = "".join(
        placed(
            path("M0 0C6 -9 18 -9 24 0C18 8 6 8 0 0Z", YELLOW, width=2),
            50 + s * x,
            y,
            turn=turn if s > 0 else 180 - turn,
        )
        for x, y, turn in ((14, 88, -20), (27, 74, -48), (34, 56, -70), (33, 38, -95), (26, 22, -118))
        for s in (1, -1)
    )
    return drawn(page(leaves + placed(star(5, 22, 9, YELLOW), 50, 50), 100, 100), width, DARK)
