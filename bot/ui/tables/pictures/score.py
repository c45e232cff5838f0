"""The score of a round, item by item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from bot.engine.cards import DECK, Card, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, PRIME_CARDS, Item, ItemScore, RoundScore, setenta_place
from bot.tables.view import TableView
from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, fitting, seat_number
from bot.ui.pictures.deck.ink import INK, PAPER
from bot.ui.pictures.scenes import Whole
from bot.ui.pictures.sprites import DARK, FELT, GOLD, SMALL_WIDTH, Sprite, back, face, pip
from bot.ui.tables.pictures.sides import names_of
from bot.ui.words.cantos import sung_text
from bot.ui.words.cards import spoken_all
from bot.ui.words.faces import Deck
from bot.ui.words.items import item_name
from bot.ui.words.texts import Words

_LINE: Final = 30
"""The height of a player's name at the top."""
_LABEL: Final = 30
"""The height of an item's name, above the sides' cells."""
_ROW: Final = _LABEL + 62
"""The height of an item: cards are tucked into it, so that their lower part is hidden."""
_FOOT: Final = 64
_ROOMY: Final = 200
_TIGHT: Final = 140
"""In a column narrower than this things are smaller, or closer to each other."""
_POINTS_AT: Final = 28
"""Distance of an item's points below its label."""
_APART: Final = 4
"""Backs closer than this are a grey blur: then a back stands for several cards."""


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
        head = 12 + _LINE * max(map(len, self.sides))
        foot = _FOOT if self.gained else 0
        canvas = Canvas(head + _ROW * len(self.rows) + foot)
        width = WIDE / len(self.sides)
        _heads(canvas, self, head, width)
        for number, row in enumerate(self.rows):
            y = head + number * _ROW
            ground = DARK if number % 2 else FELT
            canvas.box(0, y, WIDE, _ROW, ground)
            canvas.write(row.label, 10, y + 10, 19, colour=GOLD, ground=ground)
            for side in range(len(self.sides)):
                _cell(canvas, self, row, side, side * width, y + _LABEL, width, ground)
        if self.gained:
            _foot(canvas, self, width)
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
        rows=tuple(_row(each, score, match.rules, t) for each in score.items),
        gained=score.points,
        totals=match.totals,
    )


def item_scene(view: TableView, item: Item, t: Words, *, points: bool) -> RoundScene:
    """Make the scene of one item of the latest scored round, with its points or before they are known."""
    whole = round_scene(view, t)
    rows = (row for row in whole.rows if row.item is item)
    shown = rows if points else (replace(row, points=(0,) * len(row.points)) for row in rows)
    return replace(whole, rows=tuple(shown), gained=(), totals=())


def _row(each: ItemScore, score: RoundScore, rules: Rules, t: Words) -> ItemRow:
    cards = tuple(tuple(sorted(made, key=_value)) for made in each.cards) if each.item is not Item.CARDS else ()
    texts: tuple[str, ...] = ()
    if each.item is Item.CANTOS:
        texts = tuple(sung_text(cantos) for cantos in score.cantos)
    elif each.item is Item.PRIME and rules.prime in (Prime.POINTS, Prime.SUITS):
        texts = tuple(str(amount) if amount else "" for amount in each.amounts)
    return ItemRow(each.item, item_name(each.item, rules, t), each.amounts, each.points, cards, texts)


def _value(card: Card) -> int:
    """Sort the best cards for a prime first."""
    return -setenta_place(card.rank)


def _sentence(row: ItemRow, scene: RoundScene, t: Words) -> str:
    each: list[str] = []
    for side, names in enumerate(scene.sides):
        if row.item is Item.PRIME:
            has = spoken_all(row.cards[side], t, scene.deck)
            has += f" = {row.texts[side]}" if row.texts and has else ""
        else:
            has = row.texts[side] if row.item is Item.CANTOS else str(row.amounts[side])
        each.append(f"{' & '.join(names)} {has or '–'}" + (f" (+{row.points[side]})" if row.points[side] else ""))
    return f"{row.label}: {'; '.join(each)}."


def _foot(canvas: Canvas, scene: RoundScene, width: float) -> None:
    """Draw what each side has gained, and has in total."""
    y = canvas.height - _FOOT
    canvas.box(0, y, WIDE, _FOOT, DARK)
    canvas.box(0, y, WIDE, 3, PAPER)
    for side, (gained, total) in enumerate(zip(scene.gained, scene.totals, strict=True)):
        x = side * width + width / 2
        left, right, high = (52, 62, 30) if width >= _TIGHT else (44, 50, 24)
        canvas.plate(x - 8 - left, y + 15, left, 38, GOLD, radius=10, ground=DARK)
        canvas.write(f"+{gained}", x - 8 - left / 2, y + 24, 20, colour=INK, ground=GOLD, align=0.5)
        canvas.plate(x + 2, y + 11, right, 46, PAPER, radius=10, ground=DARK)
        canvas.write(str(total), x + 2 + right / 2, y + 34 - high / 2, high, colour=INK, ground=PAPER, align=0.5)


def _heads(canvas: Canvas, scene: RoundScene, head: float, width: float) -> None:
    """Draw the players, those of a side one below the other, with a line between the sides."""
    canvas.box(0, 0, WIDE, head, DARK)
    for side, names in enumerate(scene.sides):
        if side:
            canvas.box(side * width - 1, 6, 2, head - 12, FELT)
        for place, name in enumerate(names):
            shown, high = fitting(name, width - 16, 20, seat_number(side, place, len(scene.sides)))
            canvas.write(
                shown, side * width + width / 2, 7 + place * _LINE + (_LINE - high) / 2, high, ground=DARK, align=0.5
            )


def _cell(
    canvas: Canvas, scene: RoundScene, row: ItemRow, side: int, x: float, y: float, width: float, ground: str
) -> None:
    """Draw what a side has of an item as a fan of cards, with its amount and its points."""
    amount, points = row.amounts[side], row.points[side]
    room = width - 84 if width >= _ROOMY else width - 66
    sprites = _fan(scene, row, side, room)
    if (
        row.item is Item.PRIME and width < _ROOMY and len(sprites) <= PRIME_CARDS
    ):  # four in a square, so that each index is visible
        for place, sprite in enumerate(sprites):
            canvas.put(sprite, x + MARGIN + place % 2 * (44 if width >= _TIGHT else 22), y + place // 2 * 28)
        sprites = []
    canvas.fan(sprites, x + MARGIN, y + 2, room, 22 if row.item is not Item.PRIME else 34)
    if row.item is Item.CANTOS:
        _written(canvas, row.texts[side], x + MARGIN + 2, y, width, ground)
    elif row.texts or (amount and not _shown_by_its_cards(row.item)):
        high = 16 if row.texts and width < _TIGHT else 20
        canvas.write(row.texts[side] if row.texts else str(amount), x + width - 14, y + 1, high, ground=ground, align=1)
    if points:
        wide = 46 if points < 10 else 54
        canvas.plate(x + width - 8 - wide, y + _POINTS_AT, wide, 30, GOLD, radius=10, ground=ground)
        canvas.write(f"+{points}", x + width - 8 - wide / 2, y + 33, 20, colour=INK, ground=GOLD, align=0.5)


def _shown_by_its_cards(item: Item) -> bool:
    """Whether an amount says nothing beside the cards: they are a prime, or a single one."""
    return item is Item.PRIME or (item in MOST_OF and MOST_OF[item].single)


def _written(canvas: Canvas, sung: str, x: float, y: float, width: float, ground: str) -> None:
    """Write what was sung, a line for each canto, the longest at the top: the points stand beside the lower ones."""
    lines = sorted(sung.split(" + "), key=len, reverse=True) if sung else []
    step = min(20.0, 56 / max(1, len(lines)))
    high = int(min(16 if width >= _ROOMY else 12, step - 4))
    for number, each in enumerate(lines):
        beside = number * step + high > _POINTS_AT
        shown, size = fitting(each, width - (64 if beside else 16), high, "–", least=high)
        canvas.write(shown, x, y + 4 + number * step, size, ground=ground)


def _fan(scene: RoundScene, row: ItemRow, side: int, room: float) -> list[Sprite]:
    amount = row.amounts[side]
    match row.item:
        case Item.ESCOBAS:
            wide = SMALL_WIDTH if WIDE / len(scene.sides) >= _TIGHT else SMALL_WIDTH * 2 // 3
            return [back(scene.deck, wide, crossed=True)] * amount
        case Item.CARDS:
            each = ceil(_APART * len(DECK) / (room - SMALL_WIDTH))
            return [back(scene.deck, SMALL_WIDTH)] * ceil(amount / each)
        case Item.OROS if WIDE / len(scene.sides) < _ROOMY:  # no index would be visible
            return [pip(scene.deck, Suit.OROS, 58)] * amount
        case Item.CANTOS:
            return []
        case _:
            return [_small(scene, each) for each in row.cards[side]]


def _small(scene: RoundScene, one: Card) -> Sprite:
    return face(scene.deck, one, SMALL_WIDTH)
