"""Paints tables and panels: the sides above, the latest move beside the cards on the table, and below them a hand.

A table's picture has one size all through a match, and so has a panel's: what lies on the table changes neither. Only
hands that lie open after a canto add a strip of their own.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import Final, Generic, TypeVar

from bot.engine.cards import Card
from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, file_of, fitting, seat_number
from bot.ui.pictures.deck.ink import INK, PAPER, RED, YELLOW, block, disc, page, path, placed
from bot.ui.pictures.deck.signs import width_of, writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.png import Piece, PngFile
from bot.ui.pictures.scenes import PanelScene, TableScene, Taking, hand_columns
from bot.ui.pictures.sides_picture import paint_sides, sides_height
from bot.ui.pictures.sprites import (
    CARD_HEIGHT,
    CARD_WIDTH,
    DARK,
    FELT,
    GOLD,
    SHADE,
    SMALL_WIDTH,
    TABLE_HEIGHT,
    TABLE_WIDTH,
    drawn,
    face,
    framed,
)
from bot.ui.words.faces import Deck

K = TypeVar("K", bound=Hashable)
_GAP: Final = 8
_TRAY: Final = 150
"""The width of the part for the latest move, left of the table's cards."""
_RAISED: Final = 6
_FRAME: Final = 5
_CLOTH: Final = 2 * TABLE_HEIGHT + _GAP + 2 * (_RAISED + MARGIN)
"""The height of the part below the sides: room for two rows of cards."""
_STRIP: Final = 64
"""The height of the part for hands that lie open: cards are tucked into it."""
_ROOMY: Final = 10
"""Up to this many cards lie apart; more overlap, with every index in sight."""
_BADGES: Final = (38, 32, 27, 23, 20, 17, 14)
_STEP: Final = 82
"""How far apart the rows of a whole hand are."""


class PartCache(Generic[K]):
    """The parts that were used last, at most `most` of them. One thread makes them; any thread may ask for them."""

    __slots__ = ("_make", "_most", "_parts")

    def __init__(self, make: Callable[[K], Piece], most: int) -> None:
        self._make = make
        self._most = most
        self._parts: OrderedDict[K, Piece] = OrderedDict()

    def __len__(self) -> int:
        return len(self._parts)

    def cached(self, key: K) -> Piece | None:
        """The part, if it has been painted."""
        part = self._parts.get(key)
        if part is not None:
            with suppress(KeyError):  # the other thread has just dropped it
                self._parts.move_to_end(key)
        return part

    def get_or_paint(self, key: K) -> Piece:
        """The part, painted now if it isn't cached."""
        part = self.cached(key)
        if part is None:
            part = self._parts[key] = self._make(key)
            if len(self._parts) > self._most:
                self._parts.popitem(last=False)
        return part


@dataclass(frozen=True, slots=True)
class Hand:
    """The lower part of a panel. `most` is the number of cards in a whole hand; `swept`, whether its side swept."""

    deck: Deck
    cards: tuple[Card, ...]
    most: int
    swept: bool


class Shared:
    """The parts that pictures share: a table is in all of its panels, and a hand stays the same while others play."""

    __slots__ = ("hands", "tables")

    def __init__(self) -> None:
        self.tables: PartCache[TableScene] = PartCache(_table, 128)
        self.hands: PartCache[Hand] = PartCache(_hand, 512)


def paint_table(scene: TableScene, shared: Shared) -> PngFile:
    """Paint a table as a PNG file."""
    return file_of(shared.tables.get_or_paint(scene))


def paint_panel(scene: PanelScene, shared: Shared) -> PngFile:
    """Paint a panel as a PNG file: the public picture's rows, as they were compressed for everybody, and a hand."""
    return file_of(shared.tables.get_or_paint(scene.table), shared.hands.get_or_paint(_hand_of(scene)))


def put_together(scene: TableScene | PanelScene, shared: Shared) -> PngFile | None:
    """What painting the scene would make, if all of its parts are cached: that takes 0.03 ms."""
    panel = isinstance(scene, PanelScene)
    table = shared.tables.cached(scene.table if panel else scene)
    if table is None:
        return None
    if not panel:
        return file_of(table)
    hand = shared.hands.cached(_hand_of(scene))
    return None if hand is None else file_of(table, hand)


def _hand_of(scene: PanelScene) -> Hand:
    return Hand(scene.table.deck, scene.hand, scene.most, scene.swept)


def _hand(of: Hand) -> Piece:
    """The cards of a hand. Its rows are closer together while it has the most cards, so that it keeps its height."""
    rows = ceil(of.most / hand_columns(of.most))
    high = CARD_HEIGHT + _STEP * (rows - 1)
    canvas = Canvas(high + 3 * MARGIN, DARK)
    canvas.box(0, 0, WIDE, 3, PAPER)
    if of.cards:
        columns = hand_columns(len(of.cards))
        rows = ceil(len(of.cards) / columns)
        step = min(CARD_HEIGHT + _GAP, (high - CARD_HEIGHT) / max(1, rows - 1))
        y = 3 + (canvas.height - 3 - CARD_HEIGHT - step * (rows - 1)) / 2
        for first in range(0, len(of.cards), columns):
            x = (WIDE - columns * (CARD_WIDTH + _GAP) + _GAP) / 2
            for card in of.cards[first : first + columns]:
                canvas.put(face(of.deck, card), x, y)
                x += CARD_WIDTH + _GAP
            y += step
    else:
        canvas.put(drawn(_slot(SHADE), 64, DARK), (WIDE - 64) / 2, (canvas.height - 98) / 2)
    if of.swept:
        _frame(canvas, 0, 3, WIDE, canvas.height - 3)
    return canvas.compressed()


def _table(scene: TableScene) -> Piece:
    """What everybody sees. Nothing of a hand may get in here."""
    top = sides_height(scene) + (_STRIP if scene.sung_hands else 0)
    canvas = Canvas(top + _CLOTH)
    paint_sides(canvas, scene)
    if scene.sung_hands:
        _sung_hands(canvas, scene, top - _STRIP)
    canvas.box(0, top, _TRAY, _CLOTH, DARK)
    if scene.laid is not None:
        _raised(canvas, scene.deck, scene.laid, (_TRAY - CARD_WIDTH) / 2, top + (_CLOTH - CARD_HEIGHT) / 2, CARD_WIDTH)
    elif scene.latest is not None and scene.latest.taken:
        _taking(canvas, scene, scene.latest, top)
    if scene.escoba:
        _escoba(canvas, scene, top)
    elif scene.cards:
        _cards(canvas, scene, top)
    else:
        canvas.put(drawn(_slot(DARK), 64), (WIDE + _TRAY - 64) / 2, top + (_CLOTH - 98) / 2)
    return canvas.compressed()


def _sung_hands(canvas: Canvas, scene: TableScene, top: float) -> None:
    """The hands that lie open, side by side: whose they are, and the upper part of their cards."""
    canvas.box(0, top, WIDE, _STRIP, DARK)
    width = WIDE / len(scene.sung_hands)
    for number, each in enumerate(scene.sung_hands):
        x = number * width
        canvas.box(x + (2 if number else 0), top, width, 2, FELT)
        room = width - 16
        cards = [face(scene.deck, card, SMALL_WIDTH) for card in each.cards]
        instead = seat_number(each.side, each.player, len(scene.sides))
        if width >= WIDE / 2:
            wide = len(cards) * (SMALL_WIDTH + 4)
            name, high = fitting(scene.name_of(each), room - wide - 8, 18, instead)
            written = canvas.write(name, x + 10, top + (_STRIP - high) / 2, high, colour=GOLD, ground=DARK)
            canvas.fan(cards, x + written + 22, top + 6, wide, SMALL_WIDTH + 4)
        else:
            name, high = fitting(scene.name_of(each), room, 14, instead)
            canvas.write(name, x + 9, top + 6, high, colour=GOLD, ground=DARK)
            canvas.fan(cards, x + 8, top + 24, room, SMALL_WIDTH + 4)
    canvas.box(0, top + _STRIP, WIDE, _CLOTH, FELT)  # over the cards' lower part


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where cards lie on the table: how many in a row, and how far apart."""

    columns: int
    across: float
    down: float


def _grid(cards: int) -> _Grid:
    if cards <= _ROOMY:
        return _Grid(5, TABLE_WIDTH + _GAP, TABLE_HEIGHT + _GAP)
    rows = 3 if cards <= 21 else 4 if cards <= 32 else 5
    columns = max(5, ceil(cards / rows))
    return _Grid(columns, (4 * (TABLE_WIDTH + _GAP)) / (columns - 1), (TABLE_HEIGHT + _GAP) / (rows - 1))


def _cards(canvas: Canvas, scene: TableScene, top: float) -> None:
    """The table's cards in their places; one just laid stands out, and the captures to choose from are numbered."""
    places = scene.places if len(scene.places) <= _ROOMY else scene.cards
    latest = scene.latest.card if scene.latest is not None and not scene.latest.taken else None
    grid = _grid(len(places))
    lie: dict[Card, tuple[float, float]] = {}
    upper = top + (_CLOTH - TABLE_HEIGHT) / 2 if len(places) <= grid.columns else top + MARGIN + _RAISED
    for place, card in enumerate(places):
        if card is None:
            continue
        row, column = divmod(place, grid.columns)
        x, y = _TRAY + MARGIN + column * grid.across, upper + row * grid.down
        lie[card] = x, y
        if card is latest:
            _raised(canvas, scene.deck, card, x, y, TABLE_WIDTH)
        else:
            canvas.put(face(scene.deck, card, TABLE_WIDTH), x, y)
    marks: defaultdict[Card, list[int]] = defaultdict(list)
    for number, group in enumerate(scene.choices, start=1):
        for card in group:
            marks[card].append(number)
    for card, numbers in marks.items():
        _marks(canvas, numbers, *lie[card], grid)


def _raised(canvas: Canvas, deck: Deck, card: Card, x: float, y: float, width: int) -> None:
    """A card raised above the table, in a golden frame."""
    canvas.put(framed(deck, card, width, _FRAME), x - _FRAME, y - _RAISED - _FRAME)


def _marks(canvas: Canvas, numbers: list[int], x: float, y: float, grid: _Grid) -> None:
    """The numbers of a card's captures: on its lower part, or where that is covered, beside its index."""
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


def _taking(canvas: Canvas, scene: TableScene, latest: Taking, top: float) -> None:
    """Who took, the card played, and in rows across its lower part what it took."""
    name, high = _mover(scene, latest, _TRAY - 12, 16)
    canvas.write(name, _TRAY / 2, top + 9, high, colour=GOLD, ground=DARK, align=0.5)
    upper = top + 40
    if latest.card is not None:
        _raised(canvas, scene.deck, latest.card, 12, upper + _RAISED, TABLE_WIDTH)
    rows = ceil(len(latest.taken) / 3)
    lowest = top + _CLOTH - MARGIN - TABLE_HEIGHT
    step = min(44.0, (lowest - upper - 44) / max(1, rows - 1))
    y = lowest - step * (rows - 1)
    for first in range(0, len(latest.taken), 3):
        row = latest.taken[first : first + 3]
        for n, card in enumerate(row):
            canvas.put(face(scene.deck, card, TABLE_WIDTH), _TRAY - 6 - TABLE_WIDTH - 25 * (len(row) - 1 - n), y)
        y += step


def _mover(scene: TableScene, latest: Taking, width: float, high: int) -> tuple[str, int]:
    return fitting(scene.name_of(latest), width, high, seat_number(latest.side, latest.player, len(scene.sides)))


def _escoba(canvas: Canvas, scene: TableScene, top: float) -> None:
    """The word and the name across the swept table, with a frame around it."""
    assert scene.latest is not None, "somebody swept the table"
    wide = WIDE - _TRAY
    canvas.put(drawn(banner(scene.escoba), wide - 44), _TRAY + 22, top + 62)
    name, high = _mover(scene, scene.latest, wide - 60, 34)
    canvas.write(name, _TRAY + wide / 2, top + 182, high, colour=GOLD, align=0.5)
    _frame(canvas, _TRAY, top, wide, _CLOTH)


def _frame(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    canvas.edge(GOLD, 9, x, y, width, height)
    canvas.edge(RED, 3, x + 3, y + 3, width - 6, height - 6)


def banner(word: str) -> str:
    """A word on a red ribbon."""
    wide, high = 560, 116
    size = min(58.0, 400 / max(1.0, width_of(word)) * 60)
    top = (high - size) / 2 + 2
    return page(
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


def _badge(number: int) -> str:
    size = 30 if number < 10 else 26
    return page(
        disc(32, 32, 29, GOLD, width=5) + writing(str(number), 32, 32 - size / 2, size, bold=14, centred=True),
        64,
        64,
    )


def _slot(colour: str) -> str:
    """An empty place for a card."""
    edge = block(3, 3, 58, 92, "none", radius=10, outline=3).replace("/>", ' stroke-dasharray="9 9"/>')
    return page(edge.replace(INK, colour), 64, 98)
