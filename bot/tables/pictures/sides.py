"""The sides of a match, and its course, in pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.canvas import LEAST, WIDE, Canvas, fitting, fitting_height, seat_number
from bot.cards.pictures.deck.ink import INK, PAPER, block, disc, line, page, path, placed
from bot.cards.pictures.deck.suits import star
from bot.cards.pictures.sprites import DARK, FELT, GOLD, SIDES, Sprite, back, drawn, drawn_once
from bot.engine.views import PublicView
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import plain
from bot.tables.log.seats import Seat

_LINE: Final = 34
"""The height of a player's line."""
_FOOT: Final = 62
"""The height of the part below the players."""
_TALL_FOOT: Final = 92
"""The same where there is no room for hand, pile and escobas side by side."""
_BACK: Final = 34
_SMALL_BACK: Final = 18
_SMALL_PILE: Final = 28
_HIGH: Final = 17
_ROOMY: Final = 190
"""A side at least this wide has its points written larger."""
_TIGHT: Final = 140
"""A side narrower than this has its points below its pile, and no room for its escobas as cards."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the table: its players, their hands as counts, its pile, escobas and points.

    `turn` says whose turn it is among its players; None if it is another side's.
    """

    names: tuple[str, ...]
    hands: tuple[int, ...]
    pile: int
    escobas: int
    total: int
    turn: int | None

    def sentence(self, t: Words) -> str:
        """Say what the side has."""
        return t(
            "{name}: {hands} in hand, {pile} captured, escobas {escobas}, points {total}.",
            name=" & ".join(self.names),
            hands="+".join(map(str, self.hands)),
            pile=self.pile,
            escobas=self.escobas,
            total=self.total,
        )


def sides_of(match: PublicView, seats: Sequence[Seat]) -> tuple[Side, ...]:
    """Make all sides of a running round."""
    return tuple(_side(match, side, seats) for side in range(match.seating.sides))


def _side(match: PublicView, side: int, seats: Sequence[Seat]) -> Side:
    own = match.seating.seats_of(side)
    return Side(
        names=names_of(match, side, seats),
        hands=tuple(match.hand_counts[seat] for seat in own),
        pile=match.pile_counts[side],
        escobas=match.escobas[side],
        total=match.totals[side],
        turn=own.index(match.turn) if match.turn in own else None,
    )


def names_of(match: PublicView, side: int, seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return the names of a side's players."""
    return tuple(plain(seats[seat].name) for seat in match.seating.seats_of(side))


def sides_height(sides: Sequence[Side]) -> int:
    """Return how high the sides' part is: the same all through a match."""
    foot = _TALL_FOOT if len(sides) > WIDE // _TIGHT else _FOOT
    return 4 + _LINE * max((len(side.names) for side in sides), default=1) + foot


def draw_sides(canvas: Canvas, deck: Deck, sides: Sequence[Side]) -> None:
    """Draw the sides in a row at the top. The current player is marked, together with the hand."""
    canvas.box(0, 0, WIDE, sides_height(sides), DARK)
    width = WIDE / len(sides)
    for number, side in enumerate(sides):
        x = number * width
        for place in range(len(side.names)):
            instead = seat_number(number, place, len(sides))
            _player(canvas, deck, side, place, instead, x, 4 + place * _LINE, width)
        _foot(canvas, deck, side, x, 4 + len(side.names) * _LINE, width)


def _player(canvas: Canvas, deck: Deck, side: Side, place: int, instead: str, x: float, y: float, width: float) -> None:
    """Draw a player's name with the hand: below it, or beside it where a side has several players."""
    hand = side.hands[place]
    has_turn = side.turn == place
    alone = len(side.names) == 1
    ground, colour = (GOLD, INK) if has_turn else (DARK, PAPER)
    one = back(deck, _pile_back(width) if alone else _SMALL_BACK)
    step = min(22.0 if alone else 11.0, (width * (0.4 if width >= _ROOMY else 0.32) - one.width) / max(1, hand - 1))
    fan = one.width + step * (hand - 1) if hand else 0
    if has_turn and alone and hand:
        canvas.plate(x + 3, y - 2, fan + 14, _LINE + one.height + 10, GOLD, radius=8, ground=DARK)
    if has_turn:
        canvas.plate(x + 3, y - 2, width - 6, _LINE + 1, GOLD, radius=8, ground=DARK)
    if has_turn and alone and hand:
        canvas.box(x + 3, y + 16, fan + 14, _LINE, GOLD)  # where the plates meet
    room = width - 20 if alone else width - 42 - fan
    name, high = fitting(side.names[place], room, _HIGH, instead)
    canvas.write(name, x + 9, y + 9 + (_HIGH - high) / 2, high, colour=colour, ground=ground)
    if alone:
        canvas.fan([one] * hand, x + 10, y + _LINE - 1, fan, step)
        _count(canvas, hand, x + 8, y + _LINE - 1 + one.height - 16, ground)
    else:
        canvas.fan([one] * hand, x + width - 9 - fan, y + 1, fan, step)
        _count(canvas, hand, x + width - 31 - fan, y + 9, ground)


def _count(canvas: Canvas, number: int, x: float, y: float, ground: str = DARK) -> None:
    """Write the number of some cards on them, if there are any."""
    if number:
        width = 26 if number < 10 else 36
        canvas.plate(x, y, width, 22, PAPER, radius=6, ground=ground)
        canvas.write(str(number), x + width / 2, y + 4, 14, colour=INK, ground=PAPER, align=0.5)


def _pile_back(width: float) -> int:
    """Return how wide the backs of a side of this width are."""
    return _BACK if width >= _ROOMY else _SMALL_PILE


def _foot(canvas: Canvas, deck: Deck, side: Side, x: float, y: float, width: float) -> None:
    """Draw a side's pile with the number of its cards, the escobas across it, and the points, with those of the escobas
    apart."""
    below = width < _TIGHT
    one, across = (back(deck, _pile_back(width), crossed=crossed) for crossed in (False, True))
    at = x + (10 if len(side.names) > 1 else width * (0.52 if below else 0.46 if width >= _ROOMY else 0.44))
    upper = y + (46 if below else 55) - one.height
    if side.pile:
        for layer in range(min(3, 1 + side.pile // 8)):
            canvas.put(one, at + 2 * layer, upper - 2 * layer)
    total, end = str(side.total), x + width - 9
    start = at + one.width / 2 - across.width / 2 + 3
    room = width - 18 if below else end - start - across.width - 2
    high = fitting_height(total, room, 30 if width >= _ROOMY else 24 if below else 20)
    points = canvas.write(total, end, y + (66 if below else 20) - high / 2, high, ground=DARK, align=1)
    if side.escobas:
        gain = f"+{side.escobas}"
        at_end, down = (end - points - 8, 58) if below else (end, 44)
        points = max(points, canvas.write(gain, at_end, y + down, LEAST + 1, colour=GOLD, ground=DARK, align=1))
    step = min(14.0, max(0.0, (end - points - 8 - across.width - start) / max(1, side.escobas - 1)))
    for n in range(0 if below else side.escobas):
        canvas.put(across, start + n * step, upper - 2 + (n % 3) * 4)
    _count(canvas, side.pile, at - 2, upper + one.height - 17)


PLOT_HIGH: Final = 278
_WIDE: Final = 400
_LABELS_APART: Final = 28
_NUMBERS_APART: Final = 28


def mark(side: int, width: int, ground: str = FELT) -> Sprite:
    """A side's mark beside its name."""
    return drawn(page(placed(_mark(side), 16, 16), 32, 32), width, ground)


def draw_plot(
    canvas: Canvas, y: float, course: Sequence[Sequence[int]], ranking: Sequence[int], target: int, turning_round: int
) -> None:
    """Draw a line for each side, from 0 at the left to its final total, and a dashed line for the target, if any.

    The `ranking` begins with the winner, whose line has a ring at the `turning_round`, if there is one.
    """
    left, right, foot = 42, 336, 240
    rounds = max(1, len(course[0]) - 1)
    top = max(1, target, *(max(totals) for totals in course))

    def at(number: int, points: int) -> tuple[float, float]:
        return left + (right - left) * number / rounds, foot - (foot - 20) * points / top

    drawing = line(f"M{left} 10V{foot}H{right + 14}", 3, PAPER)
    _, level = at(0, target)
    if target:
        drawing += line(f"M{left} {level:.1f}H{right + 10}", 2.5, GOLD).replace("/>", ' stroke-dasharray="7 8"/>')
    ends = _apart([at(rounds, course[side][-1])[1] - 10 for side in ranking], _LABELS_APART, foot - 10)
    for side in reversed(ranking):  # the winner's line above the others
        points = [at(number, total) for number, total in enumerate(course[side])]
        trace = "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
        drawing += line(trace, 9, INK) + line(trace, 5, SIDES[side])
        if turning_round and side == ranking[0]:
            drawing += disc(*points[turning_round], 17, width=3.5, stroke=GOLD)
        size = 1.0 if rounds <= 12 else 0.6
        drawing += "".join(placed(_mark(side), across, down, size=size) for across, down in points[1:])
    canvas.put(drawn_once(page(drawing, _WIDE, PLOT_HIGH), _WIDE), 0, y)
    if target:
        canvas.write(str(target), left - 6, y + level - 8, 16, colour=GOLD, align=1)
    canvas.write("0", left - 6, y + foot - 12, 16, align=1)
    step = 1 if rounds <= 10 else 5
    for number in range(step, rounds + 1, step):
        across, _ = at(number, 0)
        if number == rounds or right - across >= _NUMBERS_APART:
            canvas.write(str(number), across, y + foot + 17, LEAST, align=0.5)
    if rounds % step:
        canvas.write(str(rounds), right, y + foot + 17, LEAST, align=0.5)
    for side, label in zip(ranking, ends, strict=True):
        canvas.write(str(course[side][-1]), right + 22, y + label, 20, colour=SIDES[side])


def _apart(places: list[float], apart: float, lowest: float) -> list[float]:
    """Move heights, given from top to bottom, just enough to be `apart`, none below `lowest`."""
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + apart)
    for n in reversed(range(len(places))):
        places[n] = min(places[n], lowest - apart * (len(places) - 1 - n))
    return places


def _mark(side: int) -> str:
    """A side's point on the plot: a star, a disc, a square, a diamond, a triangle."""
    colour = SIDES[side]
    return (
        star(5, 13, 6, colour, width=2),
        disc(0, 0, 8, colour, width=2.5),
        block(-7, -7, 14, 14, colour, outline=2.5),
        path("M0 -11L10 0L0 11L-10 0Z", colour, width=2.5),
        path("M0 -10L10 8H-10Z", colour, width=2.5),
    )[side]
