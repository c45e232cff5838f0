"""Paints the score of a round item by item, and the result of a match with the course of its totals."""

from __future__ import annotations

from math import ceil
from typing import Final

from bot.engine.cards import DECK, Card, Rank, Suit, card
from bot.engine.scoring import SEVEN_OF_OROS, Item
from bot.ui.pictures.canvas import MARGIN, WIDE, Canvas, file_of, fitting
from bot.ui.pictures.deck.ink import INK, PAPER, YELLOW, block, disc, line, page, path, placed
from bot.ui.pictures.deck.signs import writing
from bot.ui.pictures.deck.suits import star
from bot.ui.pictures.scenes import ItemRow, ResultScene, RoundScene
from bot.ui.pictures.sprites import DARK, FELT, GOLD, SMALL_WIDTH, Sprite, back, drawn, drawn_once, face, pip, printed

_LINE: Final = 30
"""The height of a player's name at the top."""
_LABEL: Final = 30
"""The height of an item's name, above the sides' cells."""
_ROW: Final = _LABEL + 62
"""The height of an item: cards are tucked into it, so that their lower part is hidden."""
_FOOT: Final = 64
_ROOMY: Final = 200
_LEAST: Final = 11
"""How small a name may be written so that it fits."""
_APART: Final = 4
"""Backs closer than this are a grey blur: then a back stands for several cards."""
_LABELS_APART: Final = 28
_SIDES: Final = (YELLOW, "#7fb2ea", "#f09a8c", "#a8e08f")
"""The colour of each side's line; each also has a mark of its own."""


def paint_round(scene: RoundScene) -> bytes:
    """Paint a round's score as a PNG file."""
    head = 12 + _LINE * max(map(len, scene.sides))
    canvas = Canvas(head + _ROW * len(scene.rows) + _FOOT)
    width = WIDE / len(scene.sides)
    _heads(canvas, scene, head, width)
    for number, row in enumerate(scene.rows):
        y = head + number * _ROW
        ground = DARK if number % 2 else FELT
        canvas.box(0, y, WIDE, _ROW, ground)
        canvas.write(row.label, 10, y + 10, 19, colour=GOLD, ground=ground)
        for side in range(len(scene.sides)):
            _cell(canvas, scene, row, side, side * width, y + _LABEL, width, ground)
    y = canvas.height - _FOOT
    canvas.box(0, y, WIDE, _FOOT, DARK)
    canvas.box(0, y, WIDE, 3, PAPER)
    for side, (gained, total) in enumerate(zip(scene.gained, scene.totals, strict=True)):
        x = side * width + width / 2
        canvas.plate(x - 60, y + 15, 52, 38, GOLD, radius=10, ground=DARK)
        canvas.write(f"+{gained}", x - 34, y + 24, 20, colour=INK, ground=GOLD, align=0.5)
        canvas.plate(x + 2, y + 11, 62, 46, PAPER, radius=10, ground=DARK)
        canvas.write(str(total), x + 33, y + 19, 30, colour=INK, ground=PAPER, align=0.5)
    return file_of(canvas.compressed())


def paint_result(scene: ResultScene) -> bytes:
    """Paint the result of a match as a PNG file: the winner, and a line for each side's totals."""
    canvas = Canvas(420)
    canvas.box(0, 0, WIDE, 74, DARK)
    canvas.put(drawn(_laurel(), 60), 12, 8)
    _winners(canvas, scene)
    canvas.write(str(scene.course[scene.winner][-1]), WIDE - 14, 20, 36, colour=GOLD, ground=DARK, align=1)
    y = 92
    for side in scene.ranking:  # the legend of the lines
        canvas.put(drawn(page(placed(_mark(side), 16, 16), 32, 32), 20), 12, y - 3)
        for place, name in enumerate(scene.sides[side]):
            shown, high = fitting(name, 138, 14, f"#{side + place * len(scene.sides) + 1}", _LEAST)
            canvas.write(shown, 38, y, high)
            y += 21
    canvas.put(printed(scene.deck, card(Rank.REY, Suit.OROS), 150 if y < 168 else 118), 16, max(y + 4, 168))
    canvas.put(drawn_once(_plot(scene), 410), 184, 84)
    return file_of(canvas.compressed())


def _winners(canvas: Canvas, scene: ResultScene) -> None:
    """The winner's name, or those of a pair below each other."""
    names = scene.sides[scene.winner]
    high = 32 if len(names) == 1 else 24
    for place, name in enumerate(names):
        seat = scene.winner + place * len(scene.sides)
        shown, size = fitting(name, WIDE - 180, high, f"#{seat + 1}", _LEAST)
        y = 22 if len(names) == 1 else 9 + 33 * place
        canvas.write(shown, 84, y, size, colour=GOLD, ground=DARK)


def _heads(canvas: Canvas, scene: RoundScene, head: float, width: float) -> None:
    """The players, those of a side below each other, with a line between the sides."""
    canvas.box(0, 0, WIDE, head, DARK)
    for side, names in enumerate(scene.sides):
        if side:
            canvas.box(side * width - 1, 6, 2, head - 12, FELT)
        for place, name in enumerate(names):
            shown, high = fitting(name, width - 16, 20, f"#{side + place * len(scene.sides) + 1}", _LEAST)
            canvas.write(
                shown, side * width + width / 2, 7 + place * _LINE + (_LINE - high) / 2, high, ground=DARK, align=0.5
            )


def _cell(
    canvas: Canvas, scene: RoundScene, row: ItemRow, side: int, x: float, y: float, width: float, ground: str
) -> None:
    """What a side has of an item as a fan of cards, with its amount and its points."""
    amount, points = row.amounts[side], row.points[side]
    room = width - 84 if width >= _ROOMY else width - 66
    sprites = _fan(scene, row, side, room)
    if row.item is Item.PRIME and width < _ROOMY:  # four in a square, so that each index is visible
        for place, sprite in enumerate(sprites):
            canvas.put(sprite, x + MARGIN + place % 2 * 44, y + place // 2 * 28)
        sprites = []
    canvas.fan(sprites, x + MARGIN, y + 2, room, 22 if row.item is not Item.PRIME else 34)
    if row.item not in (Item.SEVEN_OF_OROS, Item.PRIME) and amount:
        canvas.write(str(amount), x + width - 14, y - 2, 22, ground=ground, align=1)
    if points:
        canvas.plate(x + width - 54, y + 25, 46, 32, GOLD, radius=10, ground=ground)
        canvas.write(f"+{points}", x + width - 31, y + 31, 20, colour=INK, ground=GOLD, align=0.5)


def _fan(scene: RoundScene, row: ItemRow, side: int, room: float) -> list[Sprite]:
    amount = row.amounts[side]
    match row.item:
        case Item.ESCOBAS:
            return [back(scene.deck, SMALL_WIDTH, crossed=True)] * amount
        case Item.CARDS:
            each = ceil(_APART * len(DECK) / (room - SMALL_WIDTH))
            return [back(scene.deck, SMALL_WIDTH)] * ceil(amount / each)
        case Item.OROS if WIDE / len(scene.sides) < _ROOMY:  # no index would be visible
            return [pip(scene.deck, Suit.OROS, 58)] * amount
        case Item.SEVEN_OF_OROS:
            return [_small(scene, SEVEN_OF_OROS)] * amount
        case Item.OROS | Item.SEVENS | Item.PRIME:
            return [_small(scene, each) for each in row.cards[side]]


def _small(scene: RoundScene, one: Card) -> Sprite:
    return face(scene.deck, one, SMALL_WIDTH)


def _laurel() -> str:
    """The winner's wreath."""
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
    return page(leaves + placed(star(5, 22, 9, YELLOW), 50, 50), 100, 100)


def _plot(scene: ResultScene) -> str:
    """A line for each side, from 0 at the left to its final total, and a dashed line for the target."""
    wide, high, left, right, foot = 410, 320, 40, 352, 290
    rounds = max(1, len(scene.course[0]) - 1)
    top = max(scene.target, *(max(course) for course in scene.course))

    def at(number: int, points: int) -> tuple[float, float]:
        return left + (right - left) * number / rounds, foot - (foot - 24) * points / top

    drawn_ = line(f"M{left} 14V{foot}H{wide - 30}", 3, PAPER)
    _, y = at(0, scene.target)
    drawn_ += line(f"M{left} {y:.1f}H{right + 10}", 2.5, GOLD).replace("/>", ' stroke-dasharray="7 8"/>')
    drawn_ += writing(str(scene.target), 4, y - 8, 16, bold=11, colour=GOLD)
    drawn_ += writing("0", 20, foot - 12, 16, bold=11, colour=PAPER)
    for number in range(1, rounds + 1):
        if rounds <= 10 or number % 5 == 0 or number == rounds:
            x, _ = at(number, 0)
            drawn_ += writing(str(number), x, foot + 10, 14, bold=11, colour=PAPER, centred=True)
    ends = _apart([at(rounds, scene.course[side][-1])[1] - 10 for side in scene.ranking], _LABELS_APART, foot - 10)
    for side, label in reversed(list(zip(scene.ranking, ends, strict=True))):  # the winner's line above the others
        course = scene.course[side]
        points = [at(number, total) for number, total in enumerate(course)]
        trace = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        drawn_ += line(trace, 9, INK) + line(trace, 5, _SIDES[side])
        drawn_ += "".join(placed(_mark(side), x, y, size=1.0 if rounds <= 12 else 0.6) for x, y in points[1:])
        drawn_ += writing(str(course[-1]), right + 16, label, 20, bold=12, colour=_SIDES[side])
    return page(drawn_, wide, high)


def _apart(places: list[float], apart: float, lowest: float) -> list[float]:
    """Heights from top to bottom, moved just enough to be `apart`, none below `lowest`."""
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + apart)
    for n in reversed(range(len(places))):
        places[n] = min(places[n], lowest - apart * (len(places) - 1 - n))
    return places


def _mark(side: int) -> str:
    """A side's point on the plot: a star, a disc, a square, a diamond."""
    colour = _SIDES[side]
    return (
        star(5, 13, 6, colour, width=2),
        disc(0, 0, 8, colour, width=2.5),
        block(-7, -7, 14, 14, colour, outline=2.5),
        path("M0 -11L10 0L0 11L-10 0Z", colour, width=2.5),
    )[side]
