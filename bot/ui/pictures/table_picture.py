"""Paints tables and panels: the sides and their piles above, then the cards on the table, and below them a hand."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from math import ceil
from typing import Final, Generic, TypeVar

from bot.engine.cards import Card
from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, file_of, fitting
from bot.ui.pictures.deck.ink import INK, PAPER, RED, YELLOW, block, disc, page, path, placed
from bot.ui.pictures.deck.signs import width_of, writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.png import Piece
from bot.ui.pictures.scenes import PanelScene, Side, TableScene, Taking
from bot.ui.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, DARK, GOLD, LATEST_WIDTH, back, drawn, face, framed
from bot.ui.words.faces import Deck

K = TypeVar("K", bound=Hashable)
_GAP: Final = 6
_IN_A_ROW: Final = 5
_STRIP: Final = 138
"""The height of the sides' part."""
_BACK: Final = 36
_ROOMY: Final = 200
"""A side at least this wide has its names written larger."""
_LATEST_HEIGHT: Final = 150
_RAISED: Final = 12
_FRAME: Final = 5
_OVERLAPPING_FROM: Final = 3
"""With this many rows or more, each covers the lower part of the one above."""
_OVERLAP: Final = 68


class Kept(Generic[K]):
    """Parts that have been painted lately, at most `most`. One thread makes them, any may ask for them."""

    __slots__ = ("_make", "_most", "_parts")

    def __init__(self, make: Callable[[K], Piece], most: int) -> None:
        self._make = make
        self._most = most
        self._parts: OrderedDict[K, Piece] = OrderedDict()

    def __len__(self) -> int:
        return len(self._parts)

    def at_hand(self, key: K) -> Piece | None:
        """The part, if it has been painted."""
        part = self._parts.get(key)
        if part is not None:
            with suppress(KeyError):  # the other thread has just let go of it
                self._parts.move_to_end(key)
        return part

    def made(self, key: K) -> Piece:
        """The part, painted now if it isn't at hand."""
        part = self.at_hand(key)
        if part is None:
            part = self._parts[key] = self._make(key)
            if len(self._parts) > self._most:
                self._parts.popitem(last=False)
        return part


class Shared:
    """The parts that pictures share: a table with its panels, and a hand with itself while others play."""

    __slots__ = ("hands", "tables")

    def __init__(self) -> None:
        self.tables: Kept[TableScene] = Kept(_table, 128)
        self.hands: Kept[tuple[Deck, tuple[Card, ...]]] = Kept(_hand, 512)


def paint_table(scene: TableScene, shared: Shared) -> bytes:
    """Paint a table as a PNG file."""
    return file_of(shared.tables.made(scene))


def paint_panel(scene: PanelScene, shared: Shared) -> bytes:
    """Paint a panel as a PNG file: the public picture's rows, as they were compressed for everybody, and a hand."""
    table = shared.tables.made(scene.table)
    return file_of(table, shared.hands.made((scene.table.deck, scene.hand))) if scene.hand else file_of(table)


def put_together(scene: TableScene | PanelScene, shared: Shared) -> bytes | None:
    """What painting the scene would make, if all of its parts are at hand: that takes 0.03 ms."""
    panel = isinstance(scene, PanelScene)
    table = shared.tables.at_hand(scene.table if panel else scene)
    if table is None:
        return None
    if not (panel and scene.hand):
        return file_of(table)
    hand = shared.hands.at_hand((scene.table.deck, scene.hand))
    return None if hand is None else file_of(table, hand)


def _table(scene: TableScene) -> Piece:
    """What everybody sees. Nothing of a hand may get in here."""
    canvas = Canvas(_table_height(scene))
    _paint(canvas, scene)
    return canvas.compressed()


def _hand(of: tuple[Deck, tuple[Card, ...]]) -> Piece:
    deck, hand = of
    rows = ceil(len(hand) / _IN_A_ROW)
    canvas = Canvas(MARGIN * 3 + rows * (CARD_HEIGHT + _GAP) - _GAP, DARK)
    canvas.box(0, 0, WIDE, 3, PAPER)
    _rows(canvas, deck, hand, MARGIN + 6, CARD_HEIGHT + _GAP)
    return canvas.compressed()


def _paint(canvas: Canvas, scene: TableScene) -> None:
    canvas.box(0, 0, WIDE, _STRIP, DARK)
    width = WIDE / len(scene.sides)
    for number, side in enumerate(scene.sides):
        _side(canvas, scene, side, number, number * width, width)
    y = _STRIP + MARGIN
    if scene.laid is not None:
        _raised(canvas, scene.deck, scene.laid, (WIDE - CARD_WIDTH) / 2, y + _RAISED)
        y += CARD_HEIGHT + 2 * _RAISED + 2 * MARGIN
    elif scene.latest is not None and scene.latest.taken:
        _taking(canvas, scene, scene.latest, y)
        y += _LATEST_HEIGHT
    if scene.escoba:
        _escoba(canvas, scene.escoba, y)
    else:
        _cards(canvas, scene, y)


def _table_height(scene: TableScene) -> int:
    height = _STRIP + 2 * MARGIN
    if scene.laid is not None:
        height += CARD_HEIGHT + 2 * _RAISED + 2 * MARGIN
    elif scene.latest is not None and scene.latest.taken:
        height += _LATEST_HEIGHT
    if scene.escoba:
        return height + 130
    rows = ceil(len(scene.cards) / _IN_A_ROW)
    return height + _RAISED + (_row_step(scene) * (rows - 1) + CARD_HEIGHT if rows else 84)


def _row_step(scene: TableScene) -> int:
    rows = ceil(len(scene.cards) / _IN_A_ROW)
    if rows < _OVERLAPPING_FROM or scene.choices:  # the captures' numbers must stay visible
        return CARD_HEIGHT + _GAP
    return CARD_HEIGHT - _OVERLAP


def _side(canvas: Canvas, scene: TableScene, side: Side, number: int, x: float, width: float) -> None:
    """A side's names, hands, pile with its escobas across, and points."""
    if side.at_turn:
        canvas.plate(x + 3, 3, width - 6, 34, GOLD, radius=8, ground=DARK)
    ground, colour = (GOLD, INK) if side.at_turn else (DARK, PAPER)
    points = str(side.total)
    high = 20 if width >= _ROOMY else 17
    taken = canvas.write(points, x + width - 10, 10, 20, colour=colour, ground=ground, align=1)
    at = x + 8
    for place, (name, room) in enumerate(zip(side.names, _rooms(side.names, width - 24 - taken, high), strict=True)):
        seat = number + place * len(scene.sides)
        shown = fitting(name, room, high, str(seat + 1))
        if place:
            at += canvas.write("&", at, 11, high, colour=colour, ground=ground)
        at += canvas.write(shown, at, 11, high, colour=colour, ground=ground)
    y = 48
    one = back(scene.deck, _BACK)
    hands = width * 0.5
    at = x + 8
    for hand in side.hands:
        at = canvas.fan([one] * hand, at, y, hands / len(side.hands) - 10, 16) + 8
    at = x + width * 0.56
    if side.pile:
        for layer in range(min(3, 1 + side.pile // 8)):
            canvas.put(one, at + 2 * layer, y - 2 * layer)
        canvas.write(str(side.pile), at + _BACK / 2, y + 67, 16, ground=DARK, align=0.5)
    across = back(scene.deck, _BACK, crossed=True)
    room = x + width - 6 - (at + 6)
    step = min(13.0, max(0.0, (room - across.width) / max(1, side.escobas - 1)))
    for n in range(side.escobas):
        canvas.put(across, at + 6 + n * step, y + 10 + (n % 2) * 4)


def _rooms(names: Sequence[str], width: float, high: int) -> list[float]:
    """How wide each name of a side may be, with "&" between two; names share what others don't need."""
    wanted = [(width_of(name) + 24) * high / 60 for name in names]
    left = width - (len(names) - 1) * (width_of("&") + 24) * high / 60
    rooms = [0.0] * len(names)
    for done, place in enumerate(sorted(range(len(names)), key=wanted.__getitem__)):
        rooms[place] = min(wanted[place], left / (len(names) - done))
        left -= rooms[place]
    return rooms


def _cards(canvas: Canvas, scene: TableScene, y: float) -> None:
    """The table's cards in rows of five; one just laid stands out, and the captures to choose from are numbered."""
    if not scene.cards:
        canvas.put(drawn(_slot(), 64), (WIDE - 64) / 2, y)
        return
    latest = scene.latest.card if scene.latest is not None and not scene.latest.taken else None
    places = _rows(canvas, scene.deck, scene.cards, y + _RAISED, _row_step(scene), latest)
    marks: defaultdict[Card, list[int]] = defaultdict(list)
    for number, group in enumerate(scene.choices, start=1):
        for card in group:
            marks[card].append(number)
    for card, numbers in marks.items():
        _marks(canvas, numbers, *places[card])


def _rows(
    canvas: Canvas, deck: Deck, cards: Sequence[Card], y: float, step: float, latest: Card | None = None
) -> dict[Card, tuple[float, float]]:
    places: dict[Card, tuple[float, float]] = {}
    for first in range(0, len(cards), _IN_A_ROW):
        row = cards[first : first + _IN_A_ROW]
        x = (WIDE - len(row) * CARD_WIDTH - (len(row) - 1) * _GAP) / 2
        for card in row:
            if card is latest:
                _raised(canvas, deck, card, x, y)
            else:
                canvas.put(face(deck, card), x, y)
            places[card] = x, y
            x += CARD_WIDTH + _GAP
        y += step
    return places


def _raised(canvas: Canvas, deck: Deck, card: Card, x: float, y: float, width: int = CARD_WIDTH) -> None:
    """A card raised above the table, in a golden frame."""
    canvas.put(framed(deck, card, width, _FRAME), x - _FRAME, y - _RAISED - _FRAME)


def _marks(canvas: Canvas, numbers: list[int], x: float, y: float) -> None:
    """The numbers of a card's captures, from its lower edge upwards."""
    size, across = (34, 3) if len(numbers) <= 3 else (27, 4)
    for place, number in enumerate(numbers):
        up, right = divmod(place, across)
        canvas.put(drawn(_badge(number), size), x + 4 + right * (size + 1), y + CARD_HEIGHT - (up + 1) * (size + 2) - 2)


def _taking(canvas: Canvas, scene: TableScene, latest: Taking, y: float) -> None:
    """The card just played, followed by the cards it took, fading towards the side that took them."""
    goal = WIDE / len(scene.sides) * (latest.side + 0.5)
    count = len(latest.taken) + 1
    step = min(58.0, (WIDE - 2 * MARGIN - 20 - LATEST_WIDTH) / max(1, count - 1))
    direction = 1 if goal >= WIDE / 2 else -1
    length = step * (count - 1)
    start = goal - direction * length / 2 - LATEST_WIDTH / 2
    low, high = sorted((start, start + direction * length))
    start += max(0, MARGIN + 8 - low) - max(0, high + LATEST_WIDTH + MARGIN + 8 - WIDE)
    if latest.card is not None and direction > 0:
        _raised(canvas, scene.deck, latest.card, start, y + 14 + _RAISED / 2, LATEST_WIDTH)
    for n in range(1, count) if direction > 0 else range(count - 1, 0, -1):  # from the left, to show each index
        strength = 0.75 if n <= count / 2 else 0.5  # the palette has both blends of each ink
        sprite = face(scene.deck, latest.taken[n - 1], LATEST_WIDTH, strength=strength)
        canvas.put(sprite, start + direction * step * n, y + 14 - min(10, 4 * n))
    if latest.card is not None and direction < 0:
        _raised(canvas, scene.deck, latest.card, start, y + 14 + _RAISED / 2, LATEST_WIDTH)


def _escoba(canvas: Canvas, word: str, y: float) -> None:
    """The word across the swept table, and a golden frame around the picture."""
    canvas.put(drawn(_banner(word), WIDE - 40), 20, y + 2)
    canvas.edge(GOLD, 9, _STRIP)
    canvas.edge(RED, 3, _STRIP, 9)


def _banner(word: str) -> str:
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


def _slot() -> str:
    """An empty place for a card."""
    edge = block(3, 3, 58, 92, "none", radius=10, outline=3).replace("/>", ' stroke-dasharray="9 9"/>')
    return page(edge.replace(INK, DARK), 64, 98)
