"""The table in public: the sides above, and the latest move beside the cards on the table.

A table's picture has one size all through a match: what lies on the table doesn't change it. Only hands that lie open
after a canto add a strip of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.cards.pictures.canvas import WIDE, Canvas, fitting, seat_number
from bot.cards.pictures.sprites import CARD_HEIGHT, CARD_WIDTH, DARK, FELT, GOLD, SMALL_WIDTH, face
from bot.cards.pictures.stills import Whole
from bot.cards.words.cards import spoken, spoken_all
from bot.engine.cards import Card
from bot.engine.views import PublicView
from bot.platform.language.faces import Deck
from bot.platform.language.memo import cached_by_language
from bot.platform.language.texts import Words
from bot.tables.live.view import TableView
from bot.tables.pictures.cloth import CLOTH, TRAY, draw_cards
from bot.tables.pictures.latest import Taking, draw_taking, latest_of
from bot.tables.pictures.ornaments import banner, draw_frame, draw_raised, empty_place
from bot.tables.pictures.sides import Side, draw_sides, sides_height, sides_of

_STRIP: Final = 64
"""The height of the part for hands that lie open: cards are tucked into it."""


@dataclass(frozen=True, slots=True)
class SungHand:
    """The cards of a hand, lying open since they were sung. `player` is the player's place among those of `side`."""

    side: int
    player: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableScene(Whole):
    """The table in public. `choices` are the captures of the laid card, in the order of their buttons from 1.

    `places` are the cards as they lie, with None where one was taken. `escoba` is the word across the picture if the
    latest move was an escoba, otherwise empty.
    """

    deck: Deck
    sides: tuple[Side, ...]
    places: tuple[Card | None, ...]
    laid: Card | None
    choices: tuple[tuple[Card, ...], ...]
    latest: Taking | None
    escoba: str = ""
    sung_hands: tuple[SungHand, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(card for card in self.places if card is not None)

    def name_of(self, whose: Taking | SungHand) -> str:
        """Return who made a move, or holds open cards."""
        return self.sides[whose.side].names[whose.player]

    def fitting_name(self, whose: Taking | SungHand, width: float, high: int) -> tuple[str, int]:
        """Make the name fit the width; returns its height, too."""
        return fitting(self.name_of(whose), width, high, seat_number(whose.side, whose.player, len(self.sides)))

    def draw(self) -> Canvas:
        """Draw what everybody sees. Nothing of a hand may get in here."""
        top = sides_height(self.sides) + (_STRIP if self.sung_hands else 0)
        canvas = Canvas(top + CLOTH)
        draw_sides(canvas, self.deck, self.sides)
        if self.sung_hands:
            _sung_hands(canvas, self, top - _STRIP)
        canvas.box(0, top, TRAY, CLOTH, DARK)
        latest = self.latest
        if self.laid is not None:
            x, y = (TRAY - CARD_WIDTH) / 2, top + (CLOTH - CARD_HEIGHT) / 2
            draw_raised(canvas, self.deck, self.laid, x, y, CARD_WIDTH)
        elif latest is not None and latest.taken:
            name, high = self.fitting_name(latest, TRAY - 12, 16)
            canvas.write(name, TRAY / 2, top + 9, high, colour=GOLD, ground=DARK, align=0.5)
            draw_taking(canvas, self.deck, latest, top)
        if self.escoba:
            _escoba(canvas, self, top)
        elif self.cards:
            newest = latest.card if latest is not None and not latest.taken else None
            draw_cards(canvas, self.deck, self.places, top, latest=newest, choices=self.choices)
        else:
            canvas.put(empty_place(FELT), (WIDE + TRAY - 64) / 2, top + (CLOTH - 98) / 2)
        return canvas

    def sentences(self, t: Words) -> list[str]:
        return _sentences(self, t)


@cached_by_language
def table_scene(view: TableView, t: Words) -> TableScene:
    """Make the public scene of a running round, its cards where they lie."""
    match = view.match
    assert match is not None, "a table is drawn while a match runs"
    latest = latest_of(match, view.seats)
    return TableScene(
        deck=t.faces.deck,
        sides=sides_of(match, view.seats),
        places=match.places,
        laid=match.laid,
        choices=tuple(tuple(group) for group in match.choices),
        latest=latest,
        escoba=t.context("call", "Escoba!") if latest is not None and latest.escobas else "",
        sung_hands=tuple(_hands_sung(match)),
    )


def _hands_sung(match: PublicView) -> Iterator[SungHand]:
    for seat, cards in enumerate(match.shown):
        if cards:
            side = match.seating.side_of(seat)
            yield SungHand(side, match.seating.seats_of(side).index(seat), tuple(cards))


@cached_by_language
def _sentences(scene: TableScene, t: Words) -> list[str]:
    deck = scene.deck
    parts: list[str] = []
    if scene.laid is not None:
        parts.append(t("Card played: {card}.", card=spoken(scene.laid, t, deck)))
    lying = spoken_all(scene.cards, t, deck)
    parts.append(t("On the table: {cards}.", cards=lying) if scene.cards else t("The table is empty."))
    for number, group in enumerate(scene.choices, start=1):
        parts.append(t("Capture {n}: {cards}.", n=number, cards=spoken_all(group, t, deck)))
    parts += [
        t("{name} sang and shows: {cards}.", name=scene.name_of(each), cards=spoken_all(each.cards, t, deck))
        for each in scene.sung_hands
    ]
    if scene.latest is not None:
        parts.append(scene.latest.sentence(scene.name_of(scene.latest), deck, t))
    turns = (side.names[side.turn] for side in scene.sides if side.turn is not None)
    parts += [t("It's {name}'s turn.", name=name) for name in turns]
    parts += [side.sentence(t) for side in scene.sides]
    return parts


def _sung_hands(canvas: Canvas, scene: TableScene, top: float) -> None:
    """Draw the hands that lie open, side by side: whose they are, and the upper part of their cards."""
    canvas.box(0, top, WIDE, _STRIP, DARK)
    width = WIDE / len(scene.sung_hands)
    for number, each in enumerate(scene.sung_hands):
        x = number * width
        canvas.box(x + (2 if number else 0), top, width, 2, FELT)
        room = width - 16
        cards = [face(scene.deck, card, SMALL_WIDTH) for card in each.cards]
        if width >= WIDE / 2:
            wide = len(cards) * (SMALL_WIDTH + 4)
            name, high = scene.fitting_name(each, room - wide - 8, 18)
            written = canvas.write(name, x + 10, top + (_STRIP - high) / 2, high, colour=GOLD, ground=DARK)
            canvas.fan(cards, x + written + 22, top + 6, wide, SMALL_WIDTH + 4)
        else:
            name, high = scene.fitting_name(each, room, 14)
            canvas.write(name, x + 9, top + 6, high, colour=GOLD, ground=DARK)
            canvas.fan(cards, x + 8, top + 24, room, SMALL_WIDTH + 4)
    canvas.box(0, top + _STRIP, WIDE, CLOTH, FELT)  # over the cards' lower part


def _escoba(canvas: Canvas, scene: TableScene, top: float) -> None:
    """Draw the word and the name across the swept table, with a frame around it."""
    assert scene.latest is not None, "somebody swept the table"
    wide = WIDE - TRAY
    canvas.put(banner(scene.escoba, wide - 44), TRAY + 22, top + 62)
    name, high = scene.fitting_name(scene.latest, wide - 60, 34)
    canvas.write(name, TRAY + wide / 2, top + 182, high, colour=GOLD, align=0.5)
    draw_frame(canvas, TRAY, top, wide, CLOTH)
