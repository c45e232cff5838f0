"""A player's panel: the table as everybody sees it, and below it the player's hand."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Final

from bot.cards.pictures.canvas import MARGIN, WIDE, Canvas
from bot.cards.pictures.deck.ink import PAPER
from bot.cards.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, DARK, face
from bot.cards.pictures.stills import Still
from bot.cards.words.cards import spoken_all
from bot.engine.cards import Card
from bot.engine.views import SeatView
from bot.platform.drawing.parts import Part
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.tables.live.view import TableView
from bot.tables.pictures.ornaments import draw_frame, empty_place
from bot.tables.pictures.table import TableScene, table_scene

_GAP: Final = 8
_IN_A_ROW: Final = 5


@dataclass(frozen=True, slots=True)
class Hand(Part):
    """The lower part of a panel. `most` is the number of cards in a whole hand; `swept`, whether its side swept."""

    deck: Deck
    cards: tuple[Card, ...]
    most: int
    swept: bool

    def draw(self) -> Canvas:
        """Draw the cards, whole."""
        canvas = Canvas(_height(self.most) + 3 * MARGIN, DARK)
        canvas.box(0, 0, WIDE, 3, PAPER)
        if self.cards:
            columns = hand_columns(len(self.cards))
            y = 3 + (canvas.height - 3 - _height(len(self.cards))) / 2
            for first in range(0, len(self.cards), columns):
                x = (WIDE - columns * (CARD_WIDTH + _GAP) + _GAP) / 2
                for card in self.cards[first : first + columns]:
                    canvas.put(face(self.deck, card), x, y)
                    x += CARD_WIDTH + _GAP
                y += CARD_HEIGHT + _GAP
        else:
            canvas.put(empty_place(DARK), (WIDE - 64) / 2, (canvas.height - 98) / 2)
        if self.swept:
            draw_frame(canvas, 0, 3, WIDE, canvas.height - 3)
        return canvas


@dataclass(frozen=True, slots=True)
class PanelScene(Still):
    """The table with a hand below it, in the order of its buttons. Only for the hand's owner.

    `most` is how many cards a whole hand has, and `swept` whether the latest move was an escoba of the owner's side.
    """

    file_name: ClassVar[str | None] = "panel"  # no digest: by trying hands, one could find the hand that makes it
    table: TableScene
    hand: tuple[Card, ...]
    most: int = 3
    swept: bool = False

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.table, Hand(self.table.deck, self.hand, self.most, self.swept)

    def sentences(self, t: Words) -> list[str]:
        held = t("Your hand is empty.")
        if self.hand:
            held = t("Your hand: {cards}.", cards=spoken_all(self.hand, t, self.table.deck))
        return [held, *self.table.sentences(t)]


def hand_columns(cards: int) -> int:
    """Return the number of columns in which a hand is shown, in its picture and as buttons below that."""
    return min(cards, _IN_A_ROW)


def _height(cards: int) -> int:
    return ceil(cards / _IN_A_ROW) * (CARD_HEIGHT + _GAP) - _GAP


def panel_scene(view: TableView, seat: SeatView, t: Words) -> PanelScene:
    """Make the scene of a player's panel."""
    table, match = table_scene(view, t), seat.public
    swept = table.latest if table.escoba else None
    own = swept is not None and swept.side == match.seating.side_of(seat.seat)
    return PanelScene(table, tuple(seat.hand), max(match.rules.hands(match.seating)), own)
