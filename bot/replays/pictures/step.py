"""A step of a match that is over: the table as everybody saw it, and below it all hands, open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from bot.cards.pictures.canvas import MARGIN, WIDE, Canvas, Still, fitting, seat_number
from bot.cards.pictures.deck.ink import INK, PAPER
from bot.cards.pictures.sprites import DARK, FELT, GOLD, TABLE_HEIGHT, TABLE_WIDTH, face, framed
from bot.cards.words.cards import spoken_all
from bot.engine.cards import Card, CardSet
from bot.platform.drawing.scenes import Part
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.people import plain
from bot.tables.live.view import TableView
from bot.tables.pictures.table import TableScene, table_scene

_NAME: Final = 36
"""The height of a name above a hand."""
_HIGH: Final = 16
_APART: Final = 8
_FRAME: Final = 4
"""Thickness of the golden frame of a sung card."""
_SHORT: Final = 4
"""Hands of at most this many cards lie side by side, larger ones one below the other."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand in the replay of a match that is over: whose it is, its cards, and which of them have been sung.

    `side` and `place` name the seat.
    """

    name: str
    side: int
    place: int
    cards: tuple[Card, ...]
    has_turn: bool
    sung: tuple[Card, ...] = ()

    def sentence(self, deck: Deck, t: Words) -> str:
        """Say what the player holds."""
        if not self.cards:
            return t("{name} holds no cards.", name=self.name)
        text = t("{name} holds {cards}.", name=self.name, cards=spoken_all(self.cards, t, deck))
        return text + " " + t("Sung: {cards}.", cards=spoken_all(self.sung, t, deck)) if self.sung else text


@dataclass(frozen=True, slots=True)
class OpenHands(Part):
    """All hands in their seats' order, of `sides` sides. However many cards are left, they take the same height."""

    deck: Deck
    sides: int
    hands: tuple[OpenHand, ...]
    most: int

    def draw(self) -> Canvas:
        columns = columns_of(len(self.hands), self.most)
        rows, width = ceil(len(self.hands) / columns), WIDE / columns
        step = _NAME + TABLE_HEIGHT + MARGIN
        canvas = Canvas(3 + rows * step + MARGIN, FELT)
        canvas.box(0, 0, WIDE, 3, PAPER)
        for number, hand in enumerate(self.hands):
            row, column = divmod(number, columns)
            self._draw_hand(canvas, hand, column * width, 3 + row * step, width)
        return canvas

    def _draw_hand(self, canvas: Canvas, hand: OpenHand, x: float, y: float, width: float) -> None:
        ground, colour = (GOLD, INK) if hand.has_turn else (DARK, PAPER)
        canvas.plate(x + 4, y + 3, width - 8, _NAME - 4, ground, radius=8, ground=FELT)
        name, high = fitting(hand.name, width - 24, _HIGH, seat_number(hand.side, hand.place, self.sides))
        canvas.write(name, x + 12, y + 13 + (_HIGH - high) / 2, high, colour=colour, ground=ground)
        count = len(hand.cards)
        across = min(TABLE_WIDTH + _APART, (width - 2 * MARGIN - TABLE_WIDTH) / max(1, count - 1))
        at = x + (width - TABLE_WIDTH - across * (count - 1)) / 2
        for card in hand.cards:
            if card in hand.sung:
                canvas.put(framed(self.deck, card, TABLE_WIDTH, _FRAME), at - _FRAME, y + _NAME + 2 - _FRAME)
            else:
                canvas.put(face(self.deck, card, TABLE_WIDTH), at, y + _NAME + 2)
            at += across


@dataclass(frozen=True, slots=True)
class ReplayScene(Still):
    """A table of a match that is over, with all hands open below it. `most` is how many cards a whole hand has."""

    table: TableScene
    hands: tuple[OpenHand, ...]
    most: int

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.table, OpenHands(self.table.deck, len(self.table.sides), self.hands, self.most)

    def sentences(self, t: Words) -> list[str]:
        return [*(each.sentence(self.table.deck, t) for each in self.hands), *self.table.sentences(t)]


def columns_of(hands: int, most: int) -> int:
    """Return how many hands lie side by side: all of them in one row or in two, unless they have many cards."""
    if most > _SHORT:
        return 1
    return hands if hands <= 3 else ceil(hands / 2)


def replay_scene(view: TableView, hands: Sequence[CardSet], t: Words) -> ReplayScene:
    """Make the scene of a step of a match that is over, with `hands` by seat."""
    match = view.match
    assert match is not None, "a replay shows a match"
    seating = match.seating
    shown = [
        OpenHand(
            plain(view.seats[seat].name),
            seating.side_of(seat),
            seating.seats_of(seating.side_of(seat)).index(seat),
            tuple(hand),
            match.turn == seat,
            tuple(match.shown[seat]),
        )
        for seat, hand in enumerate(hands)
    ]
    table = replace(table_scene(view, t), sung_hands=())  # all hands are seen below
    return ReplayScene(table, tuple(shown), max(match.rules.hands(seating)))
