"""Paints a player's statistics as a card: name and place, the figures, the latest matches, records, rivals."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Suit
from bot.ui.pictures.canvas import WIDE, Canvas, file_of, fitting
from bot.ui.pictures.deck.ink import BROWN, INK, PAPER, STEEL, YELLOW, disc, page, path, placed
from bot.ui.pictures.deck.signs import width_of
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.png import PngFile
from bot.ui.pictures.sprites import DARK, FELT, GOLD, drawn, pip
from bot.ui.pictures.stats_scene import Figure, StatsScene

HIGH: Final = 400
BANNER: Final = 84
EDGE: Final = 18
_MEDALS: Final = (YELLOW, STEEL, BROWN)
LEAST: Final = 11
_MANY: Final = 5
"""From this many on, figures are written smaller."""


def paint_stats(scene: StatsScene) -> PngFile:
    """Paint a player's statistics as a PNG file."""
    canvas = Canvas(HIGH)
    _banner(canvas, scene)
    width = (WIDE - 2 * EDGE) / len(scene.figures)
    high = 38 if len(scene.figures) < _MANY else 29
    for number, figure in enumerate(scene.figures):
        x = EDGE + width * (number + 0.5)
        canvas.write(figure.value, x, BANNER + 16 + (38 - high) / 2, high, colour=PAPER, align=0.5)
        small(canvas, figure.label, x, BANNER + 66, width - 8, align=0.5)
    _rate(canvas, scene, BANNER + 100)
    _form(canvas, scene, BANNER + 148)
    canvas.box(EDGE, 288, WIDE - 2 * EDGE, 2, DARK)
    for number, record in enumerate(scene.records):
        _record(canvas, record, 302 + 32 * number)
    _duels(canvas, scene)
    return file_of(canvas.compressed())


def _banner(canvas: Canvas, scene: StatsScene) -> None:
    canvas.box(0, 0, WIDE, BANNER, DARK)
    canvas.put(pip(scene.deck, Suit.OROS, 64), 12, 10)
    shown, high = fitting(scene.name, WIDE - 200, 38, "#", LEAST)
    canvas.write(shown, 92, (BANNER - high) / 2, high, colour=GOLD, ground=DARK)
    if scene.rank:
        colour = _MEDALS[scene.rank - 1] if scene.rank <= len(_MEDALS) else PAPER
        medal = path("M22 44L16 78L34 68L52 78L46 44Z", colour, width=3) + disc(34, 30, 26, colour, width=3)
        canvas.put(drawn(page(medal, 68, 84), 64, DARK), WIDE - 84, 2)
        high = 26 if scene.rank < 10 else 20 if scene.rank < 100 else 13
        canvas.write(str(scene.rank), WIDE - 52, 30 - high / 2, high, colour=INK, ground=colour, align=0.5)


def _rate(canvas: Canvas, scene: StatsScene, y: float) -> None:
    """The share of matches won as a bar, with its number to the right."""
    taken = canvas.write(scene.rate_text, WIDE - EDGE, y + 5, 17, align=1)
    room = WIDE - 2 * EDGE - taken - 16
    canvas.plate(EDGE, y, room, 26, DARK, radius=13, ground=FELT)
    if scene.rate:
        canvas.plate(EDGE, y, max(26, round(room * scene.rate)), 26, GOLD, radius=13, ground=FELT)


def _form(canvas: Canvas, scene: StatsScene, y: float) -> None:
    """The latest matches, the newest at the right: a star for a win, a ring for a loss."""
    if not scene.form:
        return
    small(canvas, scene.form_label, EDGE, y + 12, 180)
    first = WIDE - EDGE - 36 * len(scene.form)
    for number, won in enumerate(scene.form):
        mark = star(5, 15, 7, YELLOW, width=2) if won else disc(0, 0, 9, DARK, width=3, stroke=PAPER)
        canvas.put(drawn(page(placed(mark, 17, 17), 34, 34), 34), first + 36 * number, y)


def _record(canvas: Canvas, record: Figure, y: float) -> None:
    taken = canvas.write(record.value, EDGE + 52, y, 22, colour=PAPER, align=1)
    small(canvas, record.label, EDGE + max(64, taken + 12), y + 4, 210)


def _duels(canvas: Canvas, scene: StatsScene) -> None:
    if not scene.duels:
        return
    left = 322
    canvas.box(left - 16, 300, 2, HIGH - 312, DARK)
    for number, each in enumerate(scene.duels):
        y = 302 + 32 * number
        taken = canvas.write(f"{each.wins} – {each.losses}", WIDE - EDGE, y, 22, colour=GOLD, align=1)
        shown, high = fitting(each.name, WIDE - EDGE - left - taken - 12, 18, f"#{number + 1}", LEAST)
        canvas.write(shown, left, y + 2 + (18 - high) / 2, high)


def small(canvas: Canvas, words: str, x: float, y: float, room: float, *, align: float = 0, colour: str = GOLD) -> None:
    """Write a label, as small as it must be to fit."""
    high = 15
    while high > LEAST and (width_of(words) + 22) * high / 60 > room:
        high -= 1
    canvas.write(words, x, y + (15 - high) / 2, high, colour=colour, align=align)
