"""The course of a match: a line for each side, in a colour and with a mark of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.ui.pictures.deck.ink import INK, PAPER, block, disc, line, page, path, placed
from bot.ui.pictures.deck.signs import writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.sprites import FELT, GOLD, SIDES, Sprite, drawn, drawn_once

_LABELS_APART: Final = 28


def mark(side: int, width: int, ground: str = FELT) -> Sprite:
    """A side's mark beside its name."""
    return drawn(page(placed(_mark(side), 16, 16), 32, 32), width, ground)


def plot(course: Sequence[Sequence[int]], ranking: Sequence[int], target: int, turning_round: int) -> Sprite:
    """Draw a line for each side, from 0 at the left to its final total, and a dashed line for the target, if any.

    The `ranking` begins with the winner, whose line has a ring at the `turning_round`, if there is one.
    """
    wide, high, left, right, foot = 396, 270, 38, 332, 240
    rounds = max(1, len(course[0]) - 1)
    top = max(1, target, *(max(totals) for totals in course))

    def at(number: int, points: int) -> tuple[float, float]:
        return left + (right - left) * number / rounds, foot - (foot - 20) * points / top

    drawing = line(f"M{left} 10V{foot}H{wide - 30}", 3, PAPER)
    if target:
        _, y = at(0, target)
        drawing += line(f"M{left} {y:.1f}H{right + 10}", 2.5, GOLD).replace("/>", ' stroke-dasharray="7 8"/>')
        drawing += writing(str(target), 4, y - 8, 16, bold=11, colour=GOLD)
    drawing += writing("0", 18, foot - 12, 16, bold=11, colour=PAPER)
    for number in range(1, rounds + 1):
        if rounds <= 10 or number % 5 == 0 or number == rounds:
            x, _ = at(number, 0)
            drawing += writing(str(number), x, foot + 10, 14, bold=11, colour=PAPER, centred=True)
    ends = _apart([at(rounds, course[side][-1])[1] - 10 for side in ranking], _LABELS_APART, foot - 10)
    for side, label in reversed(list(zip(ranking, ends, strict=True))):  # the winner's line above the others
        points = [at(number, total) for number, total in enumerate(course[side])]
        trace = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        drawing += line(trace, 9, INK) + line(trace, 5, SIDES[side])
        if turning_round and side == ranking[0]:
            x, y = points[turning_round]
            drawing += disc(x, y, 17, width=3.5, stroke=GOLD)
        drawing += "".join(placed(_mark(side), x, y, size=1.0 if rounds <= 12 else 0.6) for x, y in points[1:])
        drawing += writing(str(course[side][-1]), right + 26, label, 20, bold=12, colour=SIDES[side])
    return drawn_once(page(drawing, wide, high), wide)


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
