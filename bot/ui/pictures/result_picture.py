"""Paints the end of a match: the winners' names large, the course of the points, and the highlights.

The winners and the channel see confetti; a player who has lost sees the same story without it, with their own side
first.
"""

from __future__ import annotations

from math import ceil
from typing import Final

from bot.ui.pictures.canvas import WIDE, Canvas, file_of, fitting, seat_number
from bot.ui.pictures.deck.ink import (
    BLUE,
    GREEN,
    INK,
    LEAF,
    PAPER,
    RED,
    STEEL,
    YELLOW,
    block,
    disc,
    line,
    page,
    path,
    placed,
)
from bot.ui.pictures.deck.signs import writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.png import PngFile
from bot.ui.pictures.result_scene import Highlight, Lead, ResultScene
from bot.ui.pictures.sprites import DARK, FELT, GOLD, SMALL_WIDTH, back, drawn, drawn_once, face

HIGH: Final = 400
LUCK_HIGH: Final = 62
"""The height of the strip that is added once the luck is known."""
_BANNER: Final = 92
_ASIDE: Final = 410
"""Where the highlights beside the plot begin."""
_PLOT_TOP: Final = 126
_SHORT: Final = 12
"""Names up to this long are written as high as possible."""
_LABELS_APART: Final = 28
_SIDES: Final = (YELLOW, "#7fb2ea", "#f09a8c", "#a8e08f", PAPER)
"""The colour of each side's line; each also has a mark of its own."""
_SCRAPS: Final = (YELLOW, RED, BLUE, LEAF, PAPER, GREEN)
_CONFETTI: Final = 80
_PARTS: Final = (STEEL, GOLD)
"""The colours of what the cards brought, and of what play did."""
_BADGE_WIDTH: Final = 98
"""The width of the lower left corner that a phone covers with its badge for an alt text."""
_LEAST_REACH: Final = 50
"""The least that half of the bar stands for, in tenths of a point."""


def paint_result(scene: ResultScene) -> PngFile:
    """Paint the result of a match as a PNG file."""
    canvas = Canvas(HIGH + (LUCK_HIGH if scene.lead is not None else 0))
    canvas.box(0, 0, WIDE, _BANNER, DARK)
    if scene.lost:
        _plain_banner(canvas, scene)
    else:
        canvas.put(drawn_once(_confetti(), WIDE, DARK), 0, 0)
        _golden_banner(canvas, scene)
    _legend(canvas, scene)
    canvas.put(drawn_once(_plot(scene), 396), 4, _PLOT_TOP)
    _highlights(canvas, scene)
    if scene.lead is not None:
        _luck(canvas, scene, scene.lead)
    return file_of(canvas.compressed())


def _golden_banner(canvas: Canvas, scene: ResultScene) -> None:
    points = str(scene.course[scene.winner][-1])
    canvas.put(drawn(_laurel(), 78, DARK), 10, 8)
    taken = canvas.write(points, WIDE - 22, 24, 46, colour=GOLD, ground=DARK, align=1)
    room = WIDE - 22 - taken - 116
    _column(canvas, scene, scene.winner, 100, 6, room, _high_of(scene.sides[scene.winner]), GOLD)


def _high_of(names: tuple[str, ...]) -> int:
    """The greatest height of the winners' names: a long one is smaller from the start, so that less is cut."""
    if len(names) > 1:
        return 24
    return 38 if all(len(name) <= _SHORT for name in names) else 27


def _plain_banner(canvas: Canvas, scene: ResultScene) -> None:
    """The score of a player who has lost, beside the winner's."""
    assert scene.viewer is not None, "somebody has lost"
    for side, x in ((scene.viewer, 14), (scene.winner, WIDE / 2 + 14)):
        canvas.put(drawn(page(placed(_mark(side), 16, 16), 32, 32), 30, DARK), x, 30)
        points = str(scene.course[side][-1])
        taken = canvas.write(points, x + WIDE / 2 - 34, 30, 32, ground=DARK, align=1)
        room = WIDE / 2 - 90 - taken
        _column(canvas, scene, side, x + 38, 14, room, 22 if len(scene.sides[side]) == 1 else 18, PAPER)
    canvas.box(WIDE / 2 - 1, 16, 3, _BANNER - 32, FELT)


def _column(
    canvas: Canvas, scene: ResultScene, side: int, x: float, top: float, room: float, high: int, colour: str
) -> None:
    """Partners' names one below the other, centred in the banner, `top` pixels from its edges."""
    names, tall = scene.sides[side], _BANNER - 2 * top
    step = min(tall / len(names), high * 1.9)
    y = top + (tall - step * len(names) + step - high) / 2
    for place, name in enumerate(names):
        shown, size = fitting(name, room, high, seat_number(side, place, len(scene.sides)))
        canvas.write(shown, x, y + step * place + (high - size) / 2, size, colour=colour, ground=DARK)


def _legend(canvas: Canvas, scene: ResultScene) -> None:
    """Whose line is which, in the order of the totals."""
    columns = len(scene.sides) if len(scene.sides) < 4 else ceil(len(scene.sides) / 2)
    width = (_ASIDE - 12) / columns
    two_lines = len(scene.sides) > columns or any(len(names) > 1 for names in scene.sides)
    for order, side in enumerate(scene.ranking):
        row, column = divmod(order, columns)
        x, y, high = 10 + column * width, _BANNER + (5 + 17 * row if two_lines else 12), 12 if two_lines else 14
        canvas.put(drawn(page(placed(_mark(side), 16, 16), 32, 32), 16 if two_lines else 20), x, y - 3)
        for place, name in enumerate(scene.sides[side]):
            shown, size = fitting(name, width - 24, high, seat_number(side, place, len(scene.sides)))
            canvas.write(shown, x + 22, y + 17 * place + (high - size) / 2, size)


def _highlights(canvas: Canvas, scene: ResultScene) -> None:
    canvas.box(_ASIDE, _BANNER, 2, HIGH - _BANNER, DARK)
    y = _BANNER + 14.0
    for highlight in (scene.best, scene.escobas):
        if highlight is not None:
            _highlight(canvas, scene, highlight, y)
            y += 158


def _highlight(canvas: Canvas, scene: ResultScene, highlight: Highlight, y: float) -> None:
    x, room = _ASIDE + 14, WIDE - _ASIDE - 24
    canvas.write(highlight.label, x, y, 15, colour=GOLD)
    first, *others = highlight.names
    lines = [first, others[0] if len(others) == 1 else f"+{len(others)}"] if others else [first]
    for place, name in enumerate(lines):
        shown, size = fitting(name, room, 16 if len(lines) == 1 else 13, "?")
        canvas.write(shown, x, y + (28 if len(lines) == 1 else 22 + 17 * place), size)
    if highlight.cards:
        canvas.fan([face(scene.deck, card, SMALL_WIDTH) for card in highlight.cards], x, y + 56, room, 34)
        return
    taken = canvas.write(str(highlight.number), x, y + 62, 40, colour=GOLD)
    fan = [back(scene.deck, SMALL_WIDTH, crossed=True)] * min(highlight.number, 12)
    canvas.fan(fan, x + taken + 10, y + 56, room - taken - 10, 22)


def _luck(canvas: Canvas, scene: ResultScene, lead: Lead) -> None:
    """A bar from zero in the middle: what the cards brought, then what play did; to the left what they cost."""
    canvas.box(0, HIGH, WIDE, LUCK_HIGH, DARK)
    x, y, high = WIDE - 16.0, HIGH + 11, 15
    for label, colour in reversed(list(zip(lead.labels, _PARTS, strict=True))):
        x -= canvas.write(label, x, y, high, ground=DARK, align=1) + 20
        canvas.box(x, y + 1, 14, 14, colour)
        x -= 22
    mark = page(placed(_mark(lead.side), 16, 16), 32, 32)
    canvas.put(drawn(mark, 20, DARK), _BADGE_WIDTH, y - 3)
    names = scene.sides[lead.side]
    shown, size = fitting(" & ".join(names), x - _BADGE_WIDTH - 26, high, seat_number(lead.side, 0, len(scene.sides)))
    canvas.write(shown, _BADGE_WIDTH + 26, y + (high - size) / 2, size, ground=DARK)
    _bar(canvas, lead, HIGH + 38)


def _bar(canvas: Canvas, lead: Lead, y: float) -> None:
    half, high = (WIDE - 16 - _BADGE_WIDTH) / 2, 14
    middle = _BADGE_WIDTH + half
    canvas.box(_BADGE_WIDTH, y, 2 * half, high, FELT)
    parts = (lead.cards, lead.play)
    reach = max(_LEAST_REACH, sum(part for part in parts if part > 0), -sum(part for part in parts if part < 0))
    ends = {1: middle, -1: middle}  # how far each half of the bar is filled
    for tenths, colour in zip(parts, _PARTS, strict=True):
        sign = 1 if tenths > 0 else -1
        begin, ends[sign] = ends[sign], ends[sign] + half * tenths / reach
        left, right = sorted((round(begin), round(ends[sign])))
        if left < right:
            canvas.box(left, y, right - left, high, colour)
    canvas.box(middle - 1, y - 4, 3, high + 8, PAPER)


def _confetti() -> str:
    """Scraps of the deck's colours, the same on each picture: a fixed sequence that looks thrown."""
    scraps, seed = "", 7
    for number in range(_CONFETTI):
        seed = (seed * 16807) % 2147483647
        x, y, turn = (number * 233 + seed % 40) % 596 + 2, seed // 590 % (_BANNER - 8) + 4, seed // 7 % 180
        colour, size = _SCRAPS[number % len(_SCRAPS)], 1 + seed % 3 * 0.25
        scrap = (
            block(-4, -2.5, 8, 5, colour, outline=0),
            disc(0, 0, 3, colour, width=0),
            star(5, 5, 2.2, colour, width=0),
            path("M-5 0Q-2 -5 0 0T5 0", width=2.2, stroke=colour),
        )[number % 4]
        scraps += placed(scrap, x, y, size=size, turn=turn)
    return page(scraps, WIDE, _BANNER)


def _laurel() -> str:
    """The winner's wreath."""
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
    return page(leaves + placed(star(5, 22, 9, YELLOW), 50, 50), 100, 100)


def _plot(scene: ResultScene) -> str:
    """A line for each side, from 0 at the left to its final total, and a dashed line for the target, if any."""
    wide, high, left, right, foot = 396, 270, 38, 332, 240
    rounds = max(1, len(scene.course[0]) - 1)
    top = max(1, scene.target, *(max(course) for course in scene.course))

    def at(number: int, points: int) -> tuple[float, float]:
        return left + (right - left) * number / rounds, foot - (foot - 20) * points / top

    drawn_ = line(f"M{left} 10V{foot}H{wide - 30}", 3, PAPER)
    if scene.target:
        _, y = at(0, scene.target)
        drawn_ += line(f"M{left} {y:.1f}H{right + 10}", 2.5, GOLD).replace("/>", ' stroke-dasharray="7 8"/>')
        drawn_ += writing(str(scene.target), 4, y - 8, 16, bold=11, colour=GOLD)
    drawn_ += writing("0", 18, foot - 12, 16, bold=11, colour=PAPER)
    for number in range(1, rounds + 1):
        if rounds <= 10 or number % 5 == 0 or number == rounds:
            x, _ = at(number, 0)
            drawn_ += writing(str(number), x, foot + 10, 14, bold=11, colour=PAPER, centred=True)
    ends = _apart([at(rounds, scene.course[side][-1])[1] - 10 for side in scene.ranking], _LABELS_APART, foot - 10)
    for side, label in reversed(list(zip(scene.ranking, ends, strict=True))):  # the winner's line above the others
        course = scene.course[side]
        points = [at(number, total) for number, total in enumerate(course)]
        trace = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        drawn_ += line(trace, 9, INK) + line(trace, 5, _SIDES[side])
        if scene.turning_round and side == scene.winner:
            x, y = points[scene.turning_round]
            drawn_ += disc(x, y, 17, width=3.5, stroke=GOLD)
        drawn_ += "".join(placed(_mark(side), x, y, size=1.0 if rounds <= 12 else 0.6) for x, y in points[1:])
        drawn_ += writing(str(course[-1]), right + 26, label, 20, bold=12, colour=_SIDES[side])
    return page(drawn_, wide, high)


def _apart(places: list[float], apart: float, lowest: float) -> list[float]:
    """Heights from top to bottom, moved just enough to be `apart`, none below `lowest`."""
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + apart)
    for n in reversed(range(len(places))):
        places[n] = min(places[n], lowest - apart * (len(places) - 1 - n))
    return places


def _mark(side: int) -> str:
    """A side's point on the plot: a star, a disc, a square, a diamond, a triangle."""
    colour = _SIDES[side]
    return (
        star(5, 13, 6, colour, width=2),
        disc(0, 0, 8, colour, width=2.5),
        block(-7, -7, 14, 14, colour, outline=2.5),
        path("M0 -11L10 0L0 11L-10 0Z", colour, width=2.5),
        path("M0 -10L10 8H-10Z", colour, width=2.5),
    )[side]
