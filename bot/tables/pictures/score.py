"""The score of a round, item by item."""

from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import (
    BADGE_HIGH,
    BADGE_WIDTH,
    MARGIN,
    WIDE,
    Canvas,
    Whole,
    fitting,
    fitting_height,
    seat_number,
)
from bot.cards.pictures.deck.ink import INK, PAPER
from bot.cards.pictures.sprites import DARK, FELT, GOLD, SMALL_WIDTH, Sprite, back, face, pip
from bot.cards.words.cards import spoken_all
from bot.cards.words.items import sung_text
from bot.cards.words.rules import item_name
from bot.engine.cards import DECK, Card, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, PRIME_CARDS, Item, ItemScore, RoundScore, setenta_place
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.tables.live.view import TableView
from bot.tables.pictures.sides import names_of

_LINE: Final = 30
"""The height of a player's name at the top."""
_LABEL: Final = 30
"""The height of an item's name, above the sides' cells."""
_CELL: Final = 62
"""The height of a side's cell: cards are tucked into it, so that their lower part is hidden."""
_SUM: Final = 30
"""The height of the amount and the points in a narrow column, where they stand above the cards."""
_INDEX: Final = 44
"""The height of the part of a card that says which one it is."""
_TUCKED: Final = 36
_SUNG: Final = 21
"""The height of a canto's line."""
_FOOT: Final = 64
_ROOMY: Final = 200
"""In a column narrower than this the amount and the points stand above the cards."""
_POINTS_AT: Final = 28
"""Distance of an item's points below its label."""
_APART: Final = 4
"""Backs closer than this are a grey blur: then a back stands for several cards."""
_BESIDE_BADGE: Final = 3
"""Up to this many sides have their points right of Discord's badge, more above it."""
_LEAST_STEP: Final = 14
"""The width of an index: cards closer than this could not be told apart."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item of a round's score: each side's amount and points, and the cards shown for it.

    `texts` are what each side has sung, for the cantos, and the sums of a prime that is added up.
    """

    item: Item
    label: str
    amounts: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundScene(Whole):
    """A scored round: its items, and each side's players and points in it and in total; the points may be left out."""

    deck: Deck
    sides: tuple[tuple[str, ...], ...]
    rows: tuple[ItemRow, ...]
    gained: tuple[int, ...]
    totals: tuple[int, ...]

    def draw(self) -> Canvas:
        width = WIDE / len(self.sides)
        head = 12 + _LINE * max(map(len, self.sides))
        foot = _FOOT if self.gained else 0
        beside_badge = self.gained and len(self.sides) <= _BESIDE_BADGE
        rows = sum(_height(row, width) for row in self.rows)
        canvas = Canvas(head + rows + foot + (0 if beside_badge else BADGE_HIGH), DARK)
        _heads(canvas, self, head, width)
        y = head
        for number, row in enumerate(self.rows):
            ground = DARK if number % 2 else FELT
            canvas.box(0, y, WIDE, _height(row, width), ground)
            canvas.write(row.label, 10, y + 10, 17, colour=GOLD, ground=ground)
            draw = _cell if width >= _ROOMY else _narrow_cell
            for side in range(len(self.sides)):
                draw(canvas, self, row, side, side * width, y + _LABEL, width, ground)
            y += _height(row, width)
        canvas.box(0, y, WIDE, canvas.height - y, DARK)  # over the cards' lower part
        if self.gained:
            _foot(canvas, self, y, width)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        parts = [
            t.plural(
                "{name}: {n} point in this round, {total} in all.",
                "{name}: {n} points in this round, {total} in all.",
                gained,
                name=" & ".join(names),
                total=total,
            )
            for names, gained, total in zip(self.sides, self.gained, self.totals, strict=bool(self.gained))
        ]
        return [*parts, *(_sentence(row, self, t) for row in self.rows)]


def round_scene(view: TableView, t: Words) -> RoundScene:
    """Make the scene of the latest scored round."""
    match = view.match
    assert match is not None, "there is no score without a match"
    assert match.scores, "a round was scored"
    score = match.scores[-1]
    return RoundScene(
        deck=t.faces.deck,
        sides=tuple(names_of(match, side, view.seats) for side in range(match.seating.sides)),
        rows=tuple(_row(scored, score, match.rules, t) for scored in score.items),
        gained=score.points,
        totals=match.totals,
    )


def item_scene(view: TableView, item: Item, t: Words, *, points: bool) -> RoundScene:
    """Make the scene of one item of the latest scored round, with its points or before they are known."""
    whole = round_scene(view, t)
    rows = (row for row in whole.rows if row.item is item)
    shown = rows if points else (replace(row, points=(0,) * len(row.points)) for row in rows)
    return replace(whole, rows=tuple(shown), gained=(), totals=())


def _row(scored: ItemScore, score: RoundScore, rules: Rules, t: Words) -> ItemRow:
    cards: tuple[tuple[Card, ...], ...] = ()
    if scored.item is not Item.CARDS:  # the best for a prime first
        cards = tuple(tuple(sorted(made, key=lambda card: -setenta_place(card.rank))) for made in scored.cards)
    texts: tuple[str, ...] = ()
    if scored.item is Item.CANTOS:
        texts = tuple(sung_text(cantos) for cantos in score.cantos)
    elif scored.item is Item.PRIME and rules.prime in (Prime.POINTS, Prime.SUITS):
        texts = tuple(str(amount) if amount else "" for amount in scored.amounts)
    return ItemRow(scored.item, item_name(scored.item, rules, t), scored.amounts, scored.points, cards, texts)


def _sentence(row: ItemRow, scene: RoundScene, t: Words) -> str:
    said: list[str] = []
    for side, names in enumerate(scene.sides):
        if row.item is Item.PRIME:
            has = spoken_all(row.cards[side], t, scene.deck)
            has += f" = {row.texts[side]}" if row.texts and has else ""
        else:
            has = row.texts[side] if row.item is Item.CANTOS else str(row.amounts[side])
        said.append(f"{' & '.join(names)} {has or '–'}" + (f" (+{row.points[side]})" if row.points[side] else ""))
    return f"{row.label}{t.colon}{'; '.join(said)}."


def _height(row: ItemRow, width: float) -> int:
    if row.item is Item.CANTOS:
        most = max(text.count(" + ") + 1 for text in row.texts)
        return _LABEL + max(_CELL, _SUNG * most + 8 + (0 if width >= _ROOMY else _SUM))
    if width >= _ROOMY:
        return _LABEL + _CELL
    return _LABEL + _SUM + (2 * _INDEX + 4 if row.item is Item.PRIME else _TUCKED)


def _foot(canvas: Canvas, scene: RoundScene, y: float, width: float) -> None:
    """Draw what each side has gained, and has in total."""
    canvas.box(0, y, WIDE, 3, PAPER)
    beside_badge = len(scene.sides) <= _BESIDE_BADGE
    left, right, high = (52, 62, 30) if width > _ROOMY else (42, 44, 24)
    begin = BADGE_WIDTH if beside_badge else (width - left - right - MARGIN) / 2
    for side, (gained, total) in enumerate(zip(scene.gained, scene.totals, strict=True)):
        x = side * width + begin
        _points(canvas, gained, x, y + 15, left, 38, DARK)
        x += left + MARGIN
        canvas.plate(x, y + 11, right, 46, PAPER, radius=10, ground=DARK)
        size = fitting_height(str(total), right - 6, high)
        canvas.write(str(total), x + right / 2, y + 34 - size / 2, size, colour=INK, ground=PAPER, align=0.5)


def _points(canvas: Canvas, points: int, x: float, y: float, width: float, height: float, ground: str) -> None:
    """Draw points that were gained."""
    canvas.plate(x, y, width, height, GOLD, radius=10, ground=ground)
    high = fitting_height(f"+{points}", width - 4, min(20, round(height * 0.6)))
    canvas.write(f"+{points}", x + width / 2, y + (height - high) / 2, high, colour=INK, ground=GOLD, align=0.5)


def _heads(canvas: Canvas, scene: RoundScene, head: float, width: float) -> None:
    """Draw the players, those of a side one below the other, with a line between the sides."""
    canvas.box(0, 0, WIDE, head, DARK)
    for side, names in enumerate(scene.sides):
        if side:
            canvas.box(side * width - 1, 6, 2, head - 12, FELT)
        for place, name in enumerate(names):
            shown, high = fitting(name, width - 16, 17, seat_number(side, place, len(scene.sides)))
            canvas.write(
                shown, side * width + width / 2, 7 + place * _LINE + (_LINE - high) / 2, high, ground=DARK, align=0.5
            )


def _cell(
    canvas: Canvas, scene: RoundScene, row: ItemRow, side: int, x: float, y: float, width: float, ground: str
) -> None:
    """Draw what a side has of an item as a fan of cards, with its amount and its points beside it."""
    _cards(canvas, scene, row, side, x + MARGIN, y + 2, width - 62, ground)
    if amount := _amount(row, side):
        canvas.write(amount, x + width - 14, y + 1, 20, ground=ground, align=1)
    if points := row.points[side]:
        wide = 46 if points < 10 else 54
        _points(canvas, points, x + width - 8 - wide, y + _POINTS_AT, wide, 30, ground)


def _narrow_cell(
    canvas: Canvas, scene: RoundScene, row: ItemRow, side: int, x: float, y: float, width: float, ground: str
) -> None:
    """Draw what a side has of an item: its amount and its points in a line, and the cards below that."""
    if amount := _amount(row, side):
        canvas.write(amount, x + MARGIN, y + 4, 20, ground=ground)
    if points := row.points[side]:
        _points(canvas, points, x + width - MARGIN - 48, y, 48, 28, ground)
    _cards(canvas, scene, row, side, x + MARGIN, y + _SUM, width - 2 * MARGIN, ground)


def _amount(row: ItemRow, side: int) -> str:
    """Write what is compared, unless it is said by the cards: those of a prime, a single one, or what was sung."""
    single = row.item in MOST_OF and MOST_OF[row.item].single
    if row.item is Item.CANTOS or single or not row.amounts[side]:
        return ""
    if row.item is Item.PRIME:
        return row.texts[side] if row.texts else ""
    return str(row.amounts[side])


def _cards(
    canvas: Canvas, scene: RoundScene, row: ItemRow, side: int, x: float, y: float, room: float, ground: str
) -> None:
    """Draw the cards of an item."""
    if row.item is Item.CANTOS:
        _written(canvas, row.texts[side], x + 2, y + 5, (WIDE / len(scene.sides) - 2 * MARGIN, room), ground)
        return
    sprites = _fan(scene, row, side, room)
    prime = row.item is Item.PRIME
    if prime and WIDE / len(scene.sides) < _ROOMY and len(sprites) <= PRIME_CARDS:  # in a square
        for place, sprite in enumerate(sprites):
            canvas.put(sprite, x + place % 2 * SMALL_WIDTH, y + 2 + place // 2 * _INDEX)
    else:
        canvas.fan(sprites, x, y, room, 34 if prime else 22)


def _written(canvas: Canvas, sung: str, x: float, y: float, rooms: tuple[float, float], ground: str) -> None:
    """Write what was sung, a line for each canto, the longest at the top: the points may stand beside the others."""
    for number, canto in enumerate(sorted(sung.split(" + "), key=len, reverse=True) if sung else []):
        shown, high = fitting(canto, rooms[min(number, 1)], 15, "–")
        canvas.write(shown, x, y + number * _SUNG, high, ground=ground)


def _fan(scene: RoundScene, row: ItemRow, side: int, room: float) -> list[Sprite]:
    amount = row.amounts[side]
    match row.item:
        case Item.ESCOBAS:
            wide = SMALL_WIDTH if WIDE / len(scene.sides) >= _ROOMY else SMALL_WIDTH * 2 // 3
            return [back(scene.deck, wide, crossed=True)] * amount
        case Item.CARDS:
            per_back = ceil(_APART * len(DECK) / (room - SMALL_WIDTH))
            return [back(scene.deck, SMALL_WIDTH)] * ceil(amount / per_back)
        case Item.OROS if (amount - 1) * _LEAST_STEP > room - SMALL_WIDTH:  # no index would be visible
            return [pip(scene.deck, Suit.OROS, 58)] * amount
        case Item.CANTOS:
            return []
        case _:
            return [face(scene.deck, card, SMALL_WIDTH) for card in row.cards[side]]
