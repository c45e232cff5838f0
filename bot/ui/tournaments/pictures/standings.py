"""A page of a tournament's standings: places, names, and each figure with the sum that makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.engine.cards import Suit
from bot.ui.pictures.canvas import WIDE, Canvas, fitting
from bot.ui.pictures.deck.ink import INK, PAPER, STEEL, YELLOW
from bot.ui.pictures.deck.signs import width_of
from bot.ui.pictures.scenes import Whole
from bot.ui.pictures.sprites import BRONZE, DARK, FELT, GOLD, SHADE, pip
from bot.ui.words.faces import Deck
from bot.ui.words.texts import Words

_ROOM: Final = 1000
"""The approximate length of the longest alt text."""
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
_MEDALS: Final = {1: YELLOW, 2: STEEL, 3: BRONZE}


@dataclass(frozen=True, slots=True)
class SummedFigure:
    """A figure, and the parts whose sum or mean it is; `parts` is empty if there is no more than one."""

    value: str
    parts: tuple[str, ...] = ()
    mean: bool = False


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry's line.

    Attributes:
        place: from 1; equal entries share a place.
        number: the entry's, which stands in for names that can't be written.
        names: those of its people.
        figures: one for each column.
        out: whether it no longer takes part.
    """

    place: int
    number: int
    names: tuple[str, ...]
    figures: tuple[SummedFigure, ...]
    out: bool = False


@dataclass(frozen=True, slots=True)
class StandingsScene(Whole):
    """A page of a tournament's standings.

    Attributes:
        deck: the deck it is drawn with.
        title: which standings.
        note: after which round, and which page.
        columns: what the figures are.
        rows: the entries, best first.
    """

    deck: Deck
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[StandingsRow, ...]

    def draw(self) -> Canvas:
        canvas = Canvas(_BANNER + _HEAD + _ROW * max(1, len(self.rows)))
        _banner(canvas, self)
        columns = _columns(len(self.columns))
        canvas.box(0, _BANNER, WIDE, _HEAD, SHADE)
        for label, (x, width) in zip(self.columns, columns, strict=True):
            high = _fit(label, width - 8, 15)
            canvas.write(label, x + width / 2, _BANNER + (_HEAD - high) / 2, high, colour=GOLD, ground=SHADE, align=0.5)
        for number, row in enumerate(self.rows):
            y = _BANNER + _HEAD + _ROW * number
            ground = DARK if number % 2 else FELT
            canvas.box(0, y, WIDE, _ROW, ground)
            _place(canvas, row, y, ground)
            _names(canvas, row, y, columns[0][0] - _PLACE - 14 if columns else WIDE - _PLACE - 14, ground)
            for index, (figure, (x, width)) in enumerate(zip(row.figures, columns, strict=True)):
                _figure(canvas, figure, x + width / 2, y, width, ground, first=index == 0)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        """Say a sentence for each entry; without the sums if they would push entries out."""
        whole = _sentences(self, t, sums=True)
        return whole if sum(map(len, whole)) + len(whole) < _ROOM else _sentences(self, t, sums=False)


def _sentences(scene: StandingsScene, t: Words, *, sums: bool) -> list[str]:
    parts = [f"{scene.title}. {scene.note}."]
    for row in scene.rows:
        figures = "; ".join(
            f"{column} {spelled(figure) if sums else figure.value}"
            for column, figure in zip(scene.columns, row.figures, strict=True)
        )
        out = ", " + t("out") if row.out else ""
        parts.append(f"{row.place}. {' & '.join(row.names)}{out}: {figures}.")
    return parts


def spelled(figure: SummedFigure) -> str:
    """Write a figure with its sum.

    >>> spelled(Figure("7", ("4", "3")))
    '7 = 4 + 3'
    """
    if not figure.parts:
        return figure.value
    if figure.mean:
        return f"{figure.value} = ({' + '.join(figure.parts)}) / {len(figure.parts)}"
    text = figure.parts[0]
    for part in figure.parts[1:]:
        negative = part.startswith("−")
        text += f" − {part[1:]}" if negative else f" + {part.removeprefix('+')}"
    return f"{figure.value} = {text}"


def _columns(count: int) -> list[tuple[float, float]]:
    """Return where each column begins, and its width: they end at the right edge."""
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
    """Draw the place; for the first three on a medal."""
    colour, middle = _MEDALS.get(row.place), y + _ROW / 2
    if colour is not None and not row.out:
        canvas.plate(_EDGE, middle - 18, 36, 36, colour, radius=18, ground=ground)
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, colour=INK, ground=colour, align=0.5)
    else:
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, ground=ground, align=0.5)


def _names(canvas: Canvas, row: StandingsRow, y: float, room: float, ground: str) -> None:
    """Write the names one below the other, a single long one in two lines, struck through if the entry is out."""
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
    """Cut a name at a space, in two parts of about the same length."""
    spaces = [place for place, sign in enumerate(name) if sign == " "]
    middle = min(spaces, key=lambda place: abs(2 * place - len(name)))
    return [name[:middle], name[middle + 1 :]]


def _figure(
    canvas: Canvas, figure: SummedFigure, x: float, y: float, width: float, ground: str, *, first: bool
) -> None:
    """Write a figure, and below it in small print what it is made of, in up to two lines."""
    lines = _lines(figure, width - 6)
    high = 26 if first else 20
    gap = 9 if lines and {*figure.value} & {*",."} else 5  # the decimal sign reaches below the digits
    top = y + (_ROW - high - gap + 5 - len(lines) * (_SMALL + 5)) / 2
    canvas.write(figure.value, x, top, high, colour=GOLD if first else PAPER, ground=ground, align=0.5)
    for number, text in enumerate(lines):
        small = _fit(text, width - 4, _SMALL, least=7)
        canvas.write(text, x, top + high + gap + number * (_SMALL + 5), small, ground=ground, align=0.5)


def _lines(figure: SummedFigure, room: float) -> list[str]:
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
    """Return how high a text can be in this room."""
    while high > least and _wide(words, high) > room:
        high -= 1
    return high


def _wide(words: str, high: int) -> float:
    return (width_of(words) + 22) * high / 60
