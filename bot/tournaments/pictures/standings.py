"""A page of a tournament's standings: places, names, and each figure with the sum that makes it."""

from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.canvas import (
    BADGE_HIGH,
    BADGE_WIDTH,
    LEAST,
    WIDE,
    Canvas,
    Whole,
    fitting,
    fitting_height,
    width_at,
)
from bot.cards.pictures.deck.ink import INK, PAPER, STEEL, YELLOW
from bot.cards.pictures.sprites import BRONZE, DARK, FELT, GOLD, SHADE, pip
from bot.engine.cards import Suit
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words

_ROOM: Final = 1000
"""The approximate length of the longest alt text."""
_BANNER: Final = 52
_HEAD: Final = 30
_ROW: Final = 64
"""The height of an entry's line, if its sums need no more."""
_FOOT: Final = BADGE_HIGH
_EDGE: Final = 10
_PLACE: Final = 50
_FIRST: Final = 90
"""The width of the first column, whose figures are the largest."""
_COLUMN: Final = 104
_ALONE: Final = 190
_NAME: Final = 18
_PAIR_NAME: Final = 15
_PAIR_LINE: Final = 27
_VALUE: Final = 20
_LARGE_VALUE: Final = 26
_SUM_LINE: Final = 21
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
        columns = _columns(len(self.columns))
        row_high = max((_height(row, columns) for row in self.rows), default=_ROW)
        canvas = Canvas(_BANNER + _HEAD + row_high * max(1, len(self.rows)) + _FOOT)
        _banner(canvas, self)
        canvas.box(0, _BANNER, WIDE, _HEAD, SHADE)
        for label, (x, width) in zip(self.columns, columns, strict=True):
            high = fitting_height(label, width - 2, 15)
            canvas.write(label, x + width / 2, _BANNER + (_HEAD - high) / 2, high, colour=GOLD, ground=SHADE, align=0.5)
        for number, row in enumerate(self.rows):
            y = _BANNER + _HEAD + row_high * number
            ground = DARK if number % 2 else FELT
            canvas.box(0, y, WIDE, row_high, ground)
            _place(canvas, row, y + row_high / 2, ground)
            room = (columns[0][0] if columns else WIDE) - _PLACE - 14
            _names(canvas, row, y + row_high / 2, room, ground)
            for index, (figure, (x, width)) in enumerate(zip(row.figures, columns, strict=True)):
                _figure(canvas, figure, x + width / 2, y + row_high / 2, width, ground, first=index == 0)
        _foot(canvas, self)
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
        out = ", " + t.context("entry", "out") if row.out else ""
        parts.append(f"{row.place}. {' & '.join(row.names)}{out}{t.colon}{figures}.")
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
    canvas.put(pip(scene.deck, Suit.OROS, 42), 10, 5)
    title, high = fitting(scene.title, WIDE - 80, 26, "#")
    canvas.write(title, 62, 16, high, colour=GOLD, ground=DARK)


def _foot(canvas: Canvas, scene: StandingsScene) -> None:
    top = canvas.height - _FOOT
    canvas.box(0, top, WIDE, _FOOT, SHADE)
    note, high = fitting(scene.note, WIDE - BADGE_WIDTH - _EDGE, 16, "#")
    canvas.write(note, WIDE - _EDGE, top + (_FOOT - high) / 2, high, colour=PAPER, ground=SHADE, align=1)


def _place(canvas: Canvas, row: StandingsRow, middle: float, ground: str) -> None:
    colour = _MEDALS.get(row.place)
    if colour is not None and not row.out:
        canvas.plate(_EDGE, middle - 18, 36, 36, colour, radius=18, ground=ground)
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, colour=INK, ground=colour, align=0.5)
    else:
        canvas.write(str(row.place), _EDGE + 18, middle - 9, 18, ground=ground, align=0.5)


def _names(canvas: Canvas, row: StandingsRow, middle: float, room: float, ground: str) -> None:
    """Write the names one below the other, a single long one in two lines, struck through if the entry is out."""
    names = list(row.names)
    if len(names) == 1 and width_at(names[0], _NAME) > room and " " in names[0]:
        names = halves(names[0])
    top = middle - _PAIR_LINE * (len(names) - 1) / 2
    for index, name in enumerate(names):
        shown, high = fitting(name, room, _NAME if len(names) == 1 else _PAIR_NAME, f"#{row.number}")
        y = top + _PAIR_LINE * index
        taken = canvas.write(shown, _PLACE + 6, y - high / 2, high, ground=ground)
        if row.out:
            canvas.box(_PLACE + 6, y, taken, 2, GOLD)


def halves(name: str) -> list[str]:
    """Cut a name at a space, in two parts of about the same length."""
    spaces = [place for place, sign in enumerate(name) if sign == " "]
    middle = min(spaces, key=lambda place: abs(2 * place - len(name)))
    return [name[:middle], name[middle + 1 :]]


def _figure(
    canvas: Canvas, figure: SummedFigure, x: float, middle: float, width: float, ground: str, *, first: bool
) -> None:
    """Write a figure, and below it in smaller print what it is made of."""
    lines = _lines(figure, width)
    high = fitting_height(figure.value, width - 2, _LARGE_VALUE if first else _VALUE)
    top = middle - (high + _SUM_LINE * len(lines)) / 2
    canvas.write(figure.value, x, top, high, colour=GOLD if first else PAPER, ground=ground, align=0.5)
    for number, text in enumerate(lines):
        y = top + high + _gap(figure) + _SUM_LINE * number
        canvas.write(text, x, y, LEAST, ground=ground, align=0.5)


def _gap(figure: SummedFigure) -> int:
    """Return how far below a figure its sum begins: the decimal sign reaches below the digits."""
    return 11 if {*figure.value} & {*",."} else 6


def _height(row: StandingsRow, columns: list[tuple[float, float]]) -> int:
    """Return how high an entry's line must be for its sums."""
    most = max((len(_lines(each, width)) for each, (_, width) in zip(row.figures, columns, strict=True)), default=0)
    return max(_ROW, _LARGE_VALUE + _SUM_LINE * most + 24)


def _lines(figure: SummedFigure, width: float) -> list[str]:
    if len(figure.parts) < 2:
        return []
    parts = list(figure.parts)
    if not figure.mean:
        parts[1:] = [part if part[:1] in "+−" else f"+{part}" for part in parts[1:]]
    between, lines = " · " if figure.mean else "", [parts[0]]
    for part in parts[1:]:
        longer = lines[-1] + between + part
        if width_at(longer, LEAST) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
