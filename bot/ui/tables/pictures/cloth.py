"""The cards on the table, in their places, with the numbers of the captures to choose from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.engine.cards import Card
from bot.ui.pictures.canvas import MARGIN, Canvas
from bot.ui.pictures.deck.ink import disc, page
from bot.ui.pictures.deck.signs import writing
from bot.ui.pictures.sprites import GOLD, TABLE_HEIGHT, TABLE_WIDTH, drawn, face
from bot.ui.tables.pictures.ornaments import RAISED, draw_raised
from bot.ui.words.faces import Deck

_GAP: Final = 8
TRAY: Final = 150
"""The width of the part for the latest move, left of the table's cards."""
CLOTH: Final = 2 * TABLE_HEIGHT + _GAP + 2 * (RAISED + MARGIN)
"""The height of the part below the sides: room for two rows of cards."""
_ROOMY: Final = 10
"""Up to this many cards lie apart; more overlap, with every index in sight."""
_BADGES: Final = (38, 32, 27, 23, 20, 17, 14)


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
    wide = max(30.0, min(grid.across, TABLE_WIDTH) - 30) if covered else TABLE_WIDTH - 4
    high = grid.down if covered else TABLE_HEIGHT - 42
    size = next((size for size in _BADGES if (wide // size) * (high // size) >= len(numbers)), _BADGES[-1])
    columns = int(wide // size)
    rows = ceil(len(numbers) / columns)
    left = x + min(grid.across, TABLE_WIDTH) - wide - 1 if covered else x + 2
    upper = y + 2 if covered else y + TABLE_HEIGHT - 3 - rows * size
    for place, number in enumerate(numbers):
        down, right = divmod(place, columns)
        canvas.put(drawn(_badge(number), size), left + right * size, upper + down * size)


def _badge(number: int) -> str:
    size = 30 if number < 10 else 26
    return page(
        disc(32, 32, 29, GOLD, width=5) + writing(str(number), 32, 32 - size / 2, size, bold=14, centred=True),
        64,
        64,
    )
