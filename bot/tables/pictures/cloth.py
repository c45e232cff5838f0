"""The cards on the table, in their places, with the numbers of the captures to choose from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import LEAST, MARGIN, Canvas
from bot.cards.pictures.deck.ink import INK, PAPER, disc, page
from bot.cards.pictures.deck.signs import writing
from bot.cards.pictures.sprites import GOLD, TABLE_HEIGHT, TABLE_WIDTH, drawn, face
from bot.engine.cards import Card
from bot.platform.language.faces import Deck
from bot.tables.pictures.ornaments import RAISED, draw_raised

_GAP: Final = 8
TRAY: Final = 150
"""The width of the part for the latest move, left of the table's cards."""
CLOTH: Final = 2 * TABLE_HEIGHT + _GAP + 2 * (RAISED + MARGIN)
"""The height of the part below the sides: room for two rows of cards."""
_ROOMY: Final = 10
"""Up to this many cards lie apart; more overlap, with every index in sight."""
_BADGES: Final = (38, 32, 29)
_SMALL_BADGES: Final = (*_BADGES, 26, 23)
"""The sizes of numbers of one digit."""
_CELL: Final = 25
_LINE: Final = 19
"""The size of a number's part of a list of them."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """The places of cards on the table: how many in a row, and how far apart."""

    columns: int
    across: float
    down: float


def _grid(cards: int) -> _Grid:
    if cards <= _ROOMY:
        return _Grid(5, TABLE_WIDTH + _GAP, TABLE_HEIGHT + _GAP)
    rows = 3 if cards <= 21 else 4 if cards <= 32 else 5
    columns = max(5, ceil(cards / rows))
    return _Grid(columns, (4 * (TABLE_WIDTH + _GAP)) / (columns - 1), (TABLE_HEIGHT + _GAP) / (rows - 1))


def draw_cards(
    canvas: Canvas,
    deck: Deck,
    places: Sequence[Card | None],
    top: float,
    *,
    latest: Card | None,
    choices: Sequence[Sequence[Card]],
) -> None:
    """Draw the table's cards in their places; the latest stands out, and the captures to choose from are numbered."""
    if len(places) > _ROOMY:
        places = [card for card in places if card is not None]
    grid = _grid(len(places))
    lie: dict[Card, tuple[float, float]] = {}
    upper = top + (CLOTH - TABLE_HEIGHT) / 2 if len(places) <= grid.columns else top + MARGIN + RAISED
    for place, card in enumerate(places):
        if card is None:
            continue
        row, column = divmod(place, grid.columns)
        x, y = TRAY + MARGIN + column * grid.across, upper + row * grid.down
        lie[card] = x, y
        if card is latest:
            draw_raised(canvas, deck, card, x, y, TABLE_WIDTH)
        else:
            canvas.put(face(deck, card, TABLE_WIDTH), x, y)
    marks: defaultdict[Card, list[int]] = defaultdict(list)
    for number, group in enumerate(choices, start=1):
        for card in group:
            marks[card].append(number)
    for card, numbers in marks.items():
        _marks(canvas, numbers, *lie[card], grid)


def _marks(canvas: Canvas, numbers: list[int], x: float, y: float, grid: _Grid) -> None:
    """Draw the numbers of a card's captures: on its lower part, or where that is covered, beside its index."""
    covered = grid.down < TABLE_HEIGHT
    wide = max(28.0, min(grid.across, TABLE_WIDTH) - 32) if covered else TABLE_WIDTH - 4
    high = grid.down - 2 if covered else TABLE_HEIGHT - 42
    sizes = _BADGES if numbers[-1] > 9 else _SMALL_BADGES
    size = next((size for size in sizes if (wide // size) * (high // size) >= len(numbers)), 0)
    columns = int(wide // (size or _CELL))
    rows = ceil(len(numbers) / columns) if size else min(ceil(len(numbers) / columns), int((high - 4) // _LINE))
    left = x + min(grid.across, TABLE_WIDTH) - wide - 1 if covered else x + 2
    upper = y + 2 if covered else y + TABLE_HEIGHT - 3 - rows * (size or _LINE)
    if not size:
        _list(canvas, numbers, left, upper - 2, columns, rows)
        return
    for place, number in enumerate(numbers):
        down, right = divmod(place, columns)
        canvas.put(drawn(_badge(number), size), left + right * size, upper + down * size)


def _list(canvas: Canvas, numbers: list[int], x: float, y: float, columns: int, rows: int) -> None:
    """Draw many numbers on one plate; if even that hasn't room for all, the last place says that there are more."""
    canvas.plate(x, y, columns * _CELL, rows * _LINE + 4, GOLD, radius=6, ground=PAPER)
    shown = [str(number) for number in numbers]
    if len(shown) > columns * rows:
        shown[columns * rows - 1 :] = "…"
    for place, each in enumerate(shown):
        down, right = divmod(place, columns)
        middle = x + (right + 0.5) * _CELL
        canvas.write(each, middle, y + 4 + down * _LINE, LEAST, colour=INK, ground=GOLD, align=0.5)


def _badge(number: int) -> str:
    """A number in at least the least height of letters, as small as the badge may be."""
    size = 40 if number < 10 else 32
    return page(
        disc(32, 32, 30, GOLD, width=4) + writing(str(number), 32, 32 - size / 2, size, bold=12, centred=True), 64, 64
    )
