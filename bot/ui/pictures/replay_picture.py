"""Paints a step of a match that is over: the table as everybody saw it, and below it all hands, open."""

from __future__ import annotations

from math import ceil
from typing import Final

from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, file_of, fitting, seat_number
from bot.ui.pictures.deck.ink import INK, PAPER
from bot.ui.pictures.png import Piece, PngFile
from bot.ui.pictures.scenes import OpenHand, ReplayScene
from bot.ui.pictures.sprites import DARK, FELT, GOLD, TABLE_HEIGHT, TABLE_WIDTH, face, framed
from bot.ui.pictures.table_picture import Shared

_NAME: Final = 32
"""The height of a name above a hand."""
_HIGH: Final = 18
_APART: Final = 8
_FRAME: Final = 4
"""How thick the golden frame of a sung card is."""
_SHORT: Final = 4
"""Hands of at most this many cards lie side by side, larger ones one below the other."""


def paint_replay(scene: ReplayScene, shared: Shared) -> PngFile:
    """Paint a step as a PNG file: the public picture's rows, and the hands below them."""
    return file_of(shared.tables.get_or_paint(scene.table), _hands(scene))


def columns_of(hands: int, most: int) -> int:
    """How many hands lie side by side: all of them in one row or in two, unless they have many cards."""
    if most > _SHORT:
        return 1
    return hands if hands <= 3 else ceil(hands / 2)


def _hands(scene: ReplayScene) -> Piece:
    """All hands in their seats' order. However many cards are left, they take the same height."""
    columns = columns_of(len(scene.hands), scene.most)
    rows, width = ceil(len(scene.hands) / columns), WIDE / columns
    step = _NAME + TABLE_HEIGHT + MARGIN
    canvas = Canvas(3 + rows * step + MARGIN, FELT)
    canvas.box(0, 0, WIDE, 3, PAPER)
    for number, hand in enumerate(scene.hands):
        row, column = divmod(number, columns)
        _hand(canvas, scene, hand, column * width, 3 + row * step, width)
    return canvas.compressed()


def _hand(canvas: Canvas, scene: ReplayScene, hand: OpenHand, x: float, y: float, width: float) -> None:
    ground, colour = (GOLD, INK) if hand.has_turn else (DARK, PAPER)
    canvas.plate(x + 4, y + 4, width - 8, _NAME - 6, ground, radius=8, ground=FELT)
    instead = seat_number(hand.side, hand.place, len(scene.table.sides))
    name, high = fitting(hand.name, width - 24, _HIGH, instead)
    canvas.write(name, x + 12, y + 1 + (_NAME - high) / 2, high, colour=colour, ground=ground)
    count = len(hand.cards)
    across = min(TABLE_WIDTH + _APART, (width - 2 * MARGIN - TABLE_WIDTH) / max(1, count - 1))
    at = x + (width - TABLE_WIDTH - across * (count - 1)) / 2
    for card in hand.cards:
        if card in hand.sung:
            canvas.put(framed(scene.table.deck, card, TABLE_WIDTH, _FRAME), at - _FRAME, y + _NAME + 2 - _FRAME)
        else:
            canvas.put(face(scene.table.deck, card, TABLE_WIDTH), at, y + _NAME + 2)
        at += across
