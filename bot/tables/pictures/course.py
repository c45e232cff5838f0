"""The course of a match: a line for each side, in a colour and with a mark of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.cards.pictures.canvas import LEAST, Canvas
from bot.cards.pictures.deck.ink import INK, PAPER, block, disc, line, page, path, placed
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import FELT, GOLD, SIDES, Sprite, drawn, drawn_once

PLOT_HIGH: Final = 278
_WIDE: Final = 400
_LABELS_APART: Final = 28
_NUMBERS_APART: Final = 28


def mark(side: int, width: int, ground: str = FELT) -> Sprite:
    """A side's mark beside its name."""
    return drawn(page(placed(_mark(side), 16, 16), 32, 32), width, ground)


def draw_plot(
    canvas: Canvas, y: float, course: Sequence[Sequence[int]], ranking: Sequence[int], target: int, turning_round: int
) -> None:
    """Draw a line for each side, from 0 at the left to its final total, and a dashed line for the target, if any.

    The `ranking` begins with the winner, whose line has a ring at the `turning_round`, if there is one.
    """
    left, right, foot = 42, 336, 240
    rounds = max(1, len(course[0]) - 1)
    top = max(1, target, *(max(totals) for totals in course))

    def at(number: int, points: int) -> tuple[float, float]:
        return left + (right - left) * number / rounds, foot - (foot - 20) * points / top

    drawing = line(f"M{left} 10V{foot}H{right + 14}", 3, PAPER)
    _, level = at(0, target)
    if target:
        drawing += line(f"M{left} {level:.1f}H{right + 10}", 2.5, GOLD).replace("/>", ' stroke-dasharray="7 8"/>')
    ends = _apart([at(rounds, course[side][-1])[1] - 10 for side in ranking], _LABELS_APART, foot - 10)
    for side in reversed(ranking):  # the winner's line above the others
        points = [at(number, total) for number, total in enumerate(course[side])]
        trace = "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
        drawing += line(trace, 9, INK) + line(trace, 5, SIDES[side])
        if turning_round and side == ranking[0]:
            drawing += disc(*points[turning_round], 17, width=3.5, stroke=GOLD)
        size = 1.0 if rounds <= 12 else 0.6
        drawing += "".join(placed(_mark(side), across, down, size=size) for across, down in points[1:])
    canvas.put(drawn_once(page(drawing, _WIDE, PLOT_HIGH), _WIDE), 0, y)
    if target:
        canvas.write(str(target), left - 6, y + level - 8, 16, colour=GOLD, align=1)
    canvas.write("0", left - 6, y + foot - 12, 16, align=1)
    step = 1 if rounds <= 10 else 5
    for number in range(step, rounds + 1, step):
        across, _ = at(number, 0)
        if number == rounds or right - across >= _NUMBERS_APART:
            canvas.write(str(number), across, y + foot + 17, LEAST, align=0.5)
    if rounds % step:
        canvas.write(str(rounds), right, y + foot + 17, LEAST, align=0.5)
    for side, label in zip(ranking, ends, strict=True):
        canvas.write(str(course[side][-1]), right + 22, y + label, 20, colour=SIDES[side])


def _apart(places: list[float], apart: float, lowest: float) -> list[float]:
    """Move heights, given from top to bottom, just enough to be `apart`, none below `lowest`."""
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + apart)
    for n in reversed(range(len(places))):
        places[n] = min(places[n], lowest - apart * (len(places) - 1 - n))
    return places


def _mark(side: int) -> str:
    """A side's point on the plot: a star, a disc, a square, a diamond, a triangle."""
    colour = SIDES[side]
    return (
        star(5, 13, 6, colour, width=2),
        disc(0, 0, 8, colour, width=2.5),
        block(-7, -7, 14, 14, colour, outline=2.5),
        path("M0 -11L10 0L0 11L-10 0Z", colour, width=2.5),
        path("M0 -10L10 8H-10Z", colour, width=2.5),
    )[side]
