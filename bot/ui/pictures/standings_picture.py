"""Paints a page of a tournament's standings: places, names, and each figure with the sum that makes it."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Suit
from bot.ui.pictures.canvas import WIDE, Canvas, file_of, fitting
from bot.ui.pictures.deck.ink import BROWN, INK, PAPER, STEEL, YELLOW
from bot.ui.pictures.deck.signs import width_of
from bot.ui.pictures.png import PngFile
from bot.ui.pictures.sprites import DARK, FELT, GOLD, SHADE, pip
from bot.ui.pictures.standings_scene import Figure, StandingsRow, StandingsScene

_BANNER: Final = 72
_HEAD: Final = 30
_ROW: Final = 64
_EDGE: Final = 10
_PLACE: Final = 50
_FIRST: Final = 74
"""The width of the first column, whose figures are the largest."""
_COLUMN: Final = 104
_ALONE: Final = 190
_NAME: Final = 20
_LEAST: Final = 13
_SMALL: Final = 11
_MEDALS: Final = {1: YELLOW, 2: STEEL, 3: BROWN}


def paint_standings(scene: StandingsScene) -> PngFile:
    """Paint a page of standings as a PNG file."""
    canvas = Canvas(_BANNER + _HEAD + _ROW * max(1, len(scene.rows)))
    _banner(canvas, scene)
    columns = _columns(len(scene.columns))
    canvas.box(0, _BANNER, WIDE, _HEAD, SHADE)
    for label, (x, width) in zip(scene.columns, columns, strict=True):
        high = _fit(label, width - 8, 15)
        canvas.write(label, x + width / 2, _BANNER + (_HEAD - high) / 2, high, colour=GOLD, ground=SHADE, align=0.5)
    for number, row in enumerate(scene.rows):
        y = _BANNER + _HEAD + _ROW * number
        ground = DARK if number % 2 else FELT
        canvas.box(0, y, WIDE, _ROW, ground)
        _place(canvas, row, y, ground)
        _names(canvas, row, y, columns[0][0] - _PLACE - 14 if columns else WIDE - _PLACE - 14, ground)
        for index, (figure, (x, width)) in enumerate(zip(row.figures, columns, strict=True)):
            _figure(canvas, figure, x + width / 2, y, width, ground, first=index == 0)
    return file_of(canvas.compressed())


def _columns(count: int) -> list[tuple[float, float]]:
    """Where each column begins, and its width: they end at the right edge."""
    widths = [_FIRST, *[_COLUMN] * (count - 1)] if count > 1 else [_ALONE] * count
    left = WIDE - _EDGE / 2 - sum(widths)
    found: list[tuple[float, float]] = []
    for width in widths:
        found.append((left, width))
        left += width
    return found


def _banner(canvas: Canvas, scene: StandingsScene) -> None:
    canvas.box(0, 0, WIDE, _BANNER, DARK)
    canvas.put(pip(scene.deck, Suit.OROS, 56), 10, 8)
    title, high = fitting(scene.title, WIDE - 100, 26, "#")
    canvas.write(title, 82, 14, high, colour=GOLD, ground=DARK)
    note, high = fitting(scene.note, WIDE - 100, 15, "#")
    canvas.write(note, 82, 48, high, colour=PAPER, ground=DARK)


def _place(canvas: Canvas, row: StandingsRow, y: float, ground: str) -> None:
    """The place; for the first three on a medal."""
    colour, middle = _MEDALS.get(row.place), y + _ROW / 2
    if colour is not None and not row.out:
        canvas.plate(_EDGE, middle - 18, 36, 36, colour, radius=18, ground=ground)
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, colour=INK, ground=colour, align=0.5)
    else:
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, ground=ground, align=0.5)


def _names(canvas: Canvas, row: StandingsRow, y: float, room: float, ground: str) -> None:
    """The names one below the other, a single long one in two lines, struck through if the entry is out."""
    names = list(row.names)
    if len(names) == 1 and _wide(names[0], _NAME) > room and " " in names[0]:
        names = _halves(names[0])
    largest, line = (_NAME, _ROW) if len(names) < 2 else (17, 26)
    top = y + (_ROW - line * len(names)) / 2
    for index, name in enumerate(names):
        shown, high = fitting(name, room, largest, f"#{row.number}", _LEAST)
        middle = top + line * (index + 0.5)
        taken = canvas.write(shown, _PLACE + 6, middle - high / 2, high, ground=ground)
        if row.out:
            canvas.box(_PLACE + 6, middle, taken, 2, GOLD)


def _halves(name: str) -> list[str]:
    """A name in two parts of about the same length, cut at a space."""
    spaces = [place for place, sign in enumerate(name) if sign == " "]
    middle = min(spaces, key=lambda place: abs(2 * place - len(name)))
    return [name[:middle], name[middle + 1 :]]


def _figure(canvas: Canvas, figure: Figure, x: float, y: float, width: float, ground: str, *, first: bool) -> None:
    """A figure, and below it in small print what it is made of, in up to two lines."""
    lines = _lines(figure, width - 6)
    high = 26 if first else 20
    gap = 9 if lines and {*figure.value} & {*",."} else 5  # the decimal sign reaches below the digits
    top = y + (_ROW - high - gap + 5 - len(lines) * (_SMALL + 5)) / 2
    canvas.write(figure.value, x, top, high, colour=GOLD if first else PAPER, ground=ground, align=0.5)
    for number, text in enumerate(lines):
        small = _fit(text, width - 4, _SMALL, least=7)
        canvas.write(text, x, top + high + gap + number * (_SMALL + 5), small, ground=ground, align=0.5)


def _lines(figure: Figure, room: float) -> list[str]:
    if len(figure.parts) < 2:
        return []
    between = " · " if figure.mean else ""
    signed = [figure.parts[0], *(part if part[:1] in "+−" else f"+{part}" for part in figure.parts[1:])]
    parts = figure.parts if figure.mean else signed
    whole = between.join(parts)
    if _wide(whole, _SMALL) <= room:
        return [whole]
    half = (len(parts) + 1) // 2
    return [between.join(parts[:half]), between.join(parts[half:])]


def _fit(words: str, room: float, high: int, least: int = _SMALL) -> int:
    """How high a text can be in this room."""
    while high > least and _wide(words, high) > room:
        high -= 1
    return high


def _wide(words: str, high: int) -> float:
    return (width_of(words) + 22) * high / 60
