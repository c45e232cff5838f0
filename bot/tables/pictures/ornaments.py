"""The cloth of a table, and what lies on it besides cards."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import LEAST, MARGIN, WIDE, Canvas
from bot.cards.pictures.deck.ink import BLUE, GREEN, INK, LEAF, PAPER, RED, YELLOW, block, disc, page, path, placed
from bot.cards.pictures.deck.signs import width_of, writing
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import DARK, GOLD, TABLE_HEIGHT, TABLE_WIDTH, Sprite, drawn, drawn_once, face, framed
from bot.engine.cards import Card
from bot.platform.language.faces import Deck

RAISED: Final = 6
"""Pixels that a raised card stands above its place."""
BANNER_ROOM: Final = 376
"""The width of a ribbon's word, between two stars, if the ribbon is 560 wide."""
_FRAME: Final = 5
_SCRAPS: Final = (YELLOW, RED, BLUE, LEAF, PAPER, GREEN)
_CONFETTI: Final = 80
_NEAR: Final = 18
_FREE: Final = 12
"""The height of a strip without confetti, above the letters that follow below."""


def draw_raised(canvas: Canvas, deck: Deck, card: Card, x: float, y: float, width: int) -> None:
    """Draw a card raised above the table, in a golden frame."""
    canvas.put(framed(deck, card, width, _FRAME), x - _FRAME, y - RAISED - _FRAME)


def draw_frame(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Draw the frame of an escoba."""
    canvas.edge(GOLD, 9, x, y, width, height)
    canvas.edge(RED, 3, x + 3, y + 3, width - 6, height - 6)


def banner(word: str, width: int) -> Sprite:
    """Draw a word on a red ribbon."""
    wide, high = 560, 116
    size = min(58.0, BANNER_ROOM / max(1.0, width_of(word)) * 60)
    top = (high - size) / 2 + 2
    drawing = page(
        path(
            f"M6 {high / 2}L34 12H{wide - 34}L{wide - 6} {high / 2}L{wide - 34} {high - 12}H34Z",
            RED,
            width=6,
            stroke=GOLD,
        )
        + placed(star(8, 26, 11, YELLOW), 58, high / 2)
        + placed(star(8, 26, 11, YELLOW), wide - 58, high / 2)
        + writing(word, wide / 2, top, size, bold=18, colour=INK, centred=True)
        + writing(word, wide / 2, top, size, bold=11, colour=GOLD, centred=True),
        wide,
        high,
    )
    return drawn(drawing, width)


def empty_place(ground: str) -> Sprite:
    """Draw an empty place for a card."""
    edge = block(3, 3, 58, 92, "none", radius=10, outline=3).replace("/>", ' stroke-dasharray="9 9"/>')
    return drawn(page(edge.replace(INK, PAPER), 64, 98), 64, ground)


def confetti(height: int, clear: Sequence[tuple[float, float, float, float]]) -> Sprite:
    """Draw scraps of the deck's colours, always in the same places: a fixed sequence that looks thrown.

    Near the `clear` boxes there is none: a scrap beside a letter would be read as punctuation.
    """
    scraps, seed = "", 7
    for number in range(_CONFETTI):
        seed = (seed * 16807) % 2147483647
        x = (number * 233 + seed % 40) % 596 + 2
        y = seed // 590 % (height - 8) + 4
        turn = seed // 7 % 180
        if y > height - _FREE or any(a - _NEAR < x < c + _NEAR and b - _NEAR < y < d + _NEAR for a, b, c, d in clear):
            continue
        colour, size = _SCRAPS[number % len(_SCRAPS)], 1 + seed % 3 * 0.25
        scrap = (
            block(-4, -2.5, 8, 5, colour, outline=0),
            disc(0, 0, 3, colour, width=0),
            star(5, 5, 2.2, colour, width=0),
            path("M-5 0Q-2 -5 0 0T5 0", width=2.2, stroke=colour),
        )[number % 4]
        scraps += placed(scrap, x, y, size=size, turn=turn)
    return drawn_once(page(scraps, WIDE, height), WIDE, DARK)


def laurel(width: int) -> Sprite:
    """Draw the winner's wreath."""
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
    return drawn(page(leaves + placed(star(5, 22, 9, YELLOW), 50, 50), 100, 100), width, DARK)


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
    for place, figure in enumerate(shown):
        down, right = divmod(place, columns)
        middle = x + (right + 0.5) * _CELL
        canvas.write(figure, middle, y + 4 + down * _LINE, LEAST, colour=INK, ground=GOLD, align=0.5)


def _badge(number: int) -> str:
    """A number in at least the least height of letters, as small as the badge may be."""
    size = 40 if number < 10 else 32
    return page(
        disc(32, 32, 30, GOLD, width=4) + writing(str(number), 32, 32 - size / 2, size, bold=12, centred=True), 64, 64
    )
