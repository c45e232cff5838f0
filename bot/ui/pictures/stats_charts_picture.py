"""Paints the further pages of a player's statistics: a line for the rating, bars, and two people side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from bot.engine.cards import Suit
from bot.ui.pictures.canvas import WIDE, Canvas, file_of, fitting
from bot.ui.pictures.deck.ink import INK, PAPER, STEEL, YELLOW, disc, line, page, placed
from bot.ui.pictures.deck.signs import writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.png import PngFile
from bot.ui.pictures.sprites import DARK, FELT, GOLD, drawn, drawn_once, pip, text
from bot.ui.pictures.stats_charts_scene import Bar, ChartScene, DuelScene, RatingScene, SourcesScene
from bot.ui.pictures.stats_picture import BANNER, EDGE, LEAST, small

_PLOT_TOP: Final = BANNER + 76
_PLOT_HIGH: Final = 256
_PLOT_LEFT: Final = 84
_PLOT_RIGHT: Final = WIDE - 30
_BAR_STEP: Final = 38
_BAR_HIGH: Final = 22
_BAR_WORDS: Final = 18
_LABELS: Final = 190
"""The width of the labels beside bars."""
_SHORT: Final = 12
"""Names up to this long are written as high as possible."""
_RIVAL: Final = STEEL
"""The other person's colour."""


def paint_chart(scene: ChartScene) -> PngFile:
    """Paint a page of somebody's statistics as a PNG file."""
    match scene:
        case RatingScene():
            canvas = _rating(scene)
        case SourcesScene():
            canvas = _sources(scene)
        case DuelScene():
            canvas = _duel(scene)
    return file_of(canvas.compressed())


def _banner(canvas: Canvas, scene: RatingScene | SourcesScene, beside: str = "") -> None:
    canvas.box(0, 0, WIDE, BANNER, DARK)
    canvas.put(pip(scene.deck, Suit.OROS, 64), 12, 10)
    taken = canvas.write(beside, WIDE - EDGE, 22, 40, ground=DARK, align=1) if beside else 0
    wanted = 38 if len(scene.name) <= _SHORT else 26
    shown, high = fitting(scene.name, WIDE - 92 - EDGE - taken - 16, wanted, "#", LEAST)
    canvas.write(shown, 92, (BANNER - high) / 2, high, colour=GOLD, ground=DARK)


def _rating(scene: RatingScene) -> Canvas:
    canvas = Canvas(_PLOT_TOP + _PLOT_HIGH + (30 if scene.legend else 6))
    _banner(canvas, scene, scene.now)
    width = (WIDE - 2 * EDGE) / len(scene.figures)
    for number, figure in enumerate(scene.figures):
        x = EDGE + width * (number + 0.5)
        canvas.write(figure.value, x, BANNER + 14, 26, align=0.5)
        small(canvas, figure.label, x, BANNER + 52, width - 8, align=0.5)
    canvas.put(drawn_once(_plot(scene), WIDE), 0, _PLOT_TOP)
    foot = _PLOT_TOP + _PLOT_HIGH - 24
    small(canvas, scene.begin, _PLOT_LEFT, foot, 200)
    if scene.end != scene.begin:
        small(canvas, scene.end, _PLOT_RIGHT, foot, 200, align=1)
    if scene.legend:
        canvas.put(drawn(page(_dotted("M4 10H56"), 60, 20), 60), EDGE, foot + 26)
        small(canvas, scene.legend, EDGE + 72, foot + 28, WIDE - 2 * EDGE - 72)
    return canvas


def _plot(scene: RatingScene) -> str:
    """The rating from match to match; what isn't certain yet is dotted."""
    left, right, top, foot = _PLOT_LEFT, _PLOT_RIGHT, 18.0, _PLOT_HIGH - 40.0
    step = _step(max(scene.values) - min(scene.values))
    lowest = min(scene.values) // step * step
    highest = -(-max(scene.values) // step) * step
    if highest == lowest:
        highest += step
    last = max(1, len(scene.values) - 1)

    def at(number: int) -> tuple[float, float]:
        y = foot - (foot - top) * (scene.values[number] - lowest) / (highest - lowest)
        return left + (right - left) * number / last, y

    made = ""
    for value in range(lowest, highest + 1, step):
        y = foot - (foot - top) * (value - lowest) / (highest - lowest)
        made += line(f"M{left} {y:.1f}H{right}", 2, DARK) + writing(str(value), 14, y - 8, 16, bold=11, colour=PAPER)
    points = [at(number) for number in range(len(scene.values))]
    under = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    if all(scene.settled):
        made += line(under, 9, INK)
    for number, (begin, end) in enumerate(pairwise(points), start=1):
        piece = f"M{begin[0]:.1f} {begin[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
        made += line(piece, 5, GOLD) if scene.settled[number] else _dotted(piece)
    x, y = points[-1]
    made += disc(x, y, 9, GOLD if scene.settled[-1] else PAPER, width=3.5)
    return page(made, WIDE, _PLOT_HIGH)


def _dotted(trace: str) -> str:
    return line(trace, 5, PAPER).replace("/>", ' stroke-dasharray="0.1 9"/>')


def _step(spread: int) -> int:
    """How far apart the lines are, so that there are three to six of them."""
    return next((step for step in (10, 20, 50, 100, 200, 500) if spread <= 4 * step), 1000)


def _sources(scene: SourcesScene) -> Canvas:
    high = BANNER + 50 + _BAR_STEP * len(scene.points) + 58 + _BAR_STEP * len(scene.wins)
    canvas = Canvas(high)
    _banner(canvas, scene)
    y = _bars(canvas, scene.points_label, scene.points, BANNER + 14, GOLD)
    canvas.box(EDGE, y + 6, WIDE - 2 * EDGE, 2, DARK)
    _bars(canvas, scene.wins_label, scene.wins, y + 20, _RIVAL)
    return canvas


def _bars(canvas: Canvas, label: str, bars: tuple[Bar, ...], y: float, colour: str) -> float:
    """Bars below their label; returns where they end."""
    small(canvas, label, EDGE, y, WIDE - 2 * EDGE)
    y += 32
    left = EDGE + _LABELS
    end = WIDE - EDGE - max((text(bar.value, _BAR_WORDS).width for bar in bars), default=0) - 14
    for bar in bars:
        small(canvas, bar.label, EDGE, y + 3, _LABELS - 12, colour=PAPER)
        canvas.plate(left, y, end - left, _BAR_HIGH, DARK, radius=4, ground=FELT)
        if bar.share > 0:
            canvas.plate(left, y, max(6, (end - left) * bar.share), _BAR_HIGH, colour, radius=3, ground=FELT)
        canvas.write(bar.value, WIDE - EDGE, y + 2, _BAR_WORDS, align=1)
        y += _BAR_STEP
    return y


def _duel(scene: DuelScene) -> Canvas:
    form_high = 60 if scene.form else 0
    canvas = Canvas(BANNER + 156 + form_high + 40 * len(scene.figures))
    canvas.box(0, 0, WIDE, BANNER, DARK)
    for name, number, colour, x, align in (
        (scene.names[0], "#1", GOLD, EDGE, 0.0),
        (scene.names[1], "#2", _RIVAL, WIDE - EDGE, 1.0),
    ):
        shown, high = fitting(name, WIDE / 2 - 2 * EDGE, 30 if len(name) <= _SHORT else 19, number, LEAST)
        canvas.write(shown, x, (BANNER - high) / 2, high, colour=colour, ground=DARK, align=align)
    y = BANNER + 22
    for wins, x, align in ((scene.wins[0], EDGE + 8, 0.0), (scene.wins[1], WIDE - EDGE - 8, 1.0)):
        canvas.write(str(wins), x, y, 52, align=align)
    small(canvas, scene.label, WIDE / 2, y + 18, 260, align=0.5)
    _split(canvas, scene.wins, y + 74)
    y += 120
    if scene.form:
        _meetings(canvas, scene, y)
        y += form_high
    canvas.box(EDGE, y, WIDE - 2 * EDGE, 2, DARK)
    for number, (mine, label, theirs) in enumerate(scene.figures):
        top = y + 14 + 40 * number
        canvas.write(mine, EDGE, top, 22)
        canvas.write(theirs, WIDE - EDGE, top, 22, align=1)
        small(canvas, label, WIDE / 2, top + 4, 260, align=0.5)
    return canvas


def _split(canvas: Canvas, wins: tuple[int, int], y: float) -> None:
    """One bar, divided as their wins are."""
    length, total = WIDE - 2 * EDGE, sum(wins)
    if not total:
        canvas.plate(EDGE, y, length, 26, DARK, radius=13, ground=FELT)
        return
    canvas.plate(EDGE, y, length, 26, GOLD if wins[0] else _RIVAL, radius=13, ground=FELT)
    if all(wins):
        end = min(length - 26, max(26, round(length * wins[0] / total)))
        canvas.plate(EDGE + end, y, length - end, 26, _RIVAL, radius=13, ground=FELT)
        canvas.box(EDGE + end, y, 14, 26, _RIVAL)
        canvas.box(EDGE + end - 1, y, 3, 26, FELT)


def _meetings(canvas: Canvas, scene: DuelScene, y: float) -> None:
    """Who won their latest matches, the newest at the right: a star on the line of whoever did."""
    small(canvas, scene.form_label, EDGE, y + 14, 190)
    first = WIDE - EDGE - 36 * len(scene.form)
    for number, winner in enumerate(scene.form):
        if winner is None:
            mark = disc(0, 0, 7, DARK, width=3, stroke=PAPER)
        else:
            mark = star(5, 15, 7, (YELLOW, _RIVAL)[winner], width=2)
        canvas.put(drawn(page(placed(mark, 17, 17), 34, 34), 34), first + 36 * number, y + 4)
