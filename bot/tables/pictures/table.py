"""The picture of a table with its latest move, and of a panel: the table with a hand below it.

A table's picture has one size all through a match: what lies on the table doesn't change it. Only hands that lie open
after a canto add a strip of their own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Final

from bot.cards.pictures.canvas import BADGE_HIGH, MARGIN, WIDE, Canvas, Still, Whole, fitting, seat_number
from bot.cards.pictures.deck.ink import PAPER
from bot.cards.pictures.sprites import (
    CARD_HEIGHT,
    CARD_WIDTH,
    DARK,
    FELT,
    GOLD,
    SMALL_WIDTH,
    TABLE_HEIGHT,
    TABLE_WIDTH,
    face,
)
from bot.cards.words.cards import spoken, spoken_all
from bot.engine.cards import Card
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.views import PublicView, SeatView
from bot.platform.drawing.scenes import Part
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words, cached_by_language
from bot.platform.people import plain
from bot.tables.live.view import TableView
from bot.tables.log.seats import Seat
from bot.tables.pictures.ornaments import CLOTH, RAISED, TRAY, banner, draw_cards, draw_frame, draw_raised, empty_place
from bot.tables.pictures.sides import Side, draw_sides, sides_height, sides_of
from bot.tables.words.telling import seat_before

_APART: Final = 2
"""Up to this many captured cards lie in a row with whole indices, if there are no more rows than `_ROWS`."""
_CLOSE: Final = 3
_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Taking:
    """The latest move: whose it was, the card played (None when the dealer took the first cards) and what it took.

    `player` is the player's place among those of the `side`. `laid_by` says who had laid a card that was claimed.
    """

    side: int
    player: int
    card: Card | None
    taken: tuple[Card, ...]
    escobas: int
    laid_by: str | None = None

    def sentence(self, name: str, deck: Deck, t: Words) -> str:
        """Say what the player, whose `name` is given, has done."""
        taken = spoken_all(self.taken, t, deck)
        if self.card is None:
            text = t("{name} took the first cards: {cards}.", name=name, cards=taken)
        else:
            card = spoken(self.card, t, deck)
            if self.laid_by is not None:
                text = t(
                    "{other} played {card}, {name} claimed it and took {cards}.",
                    other=self.laid_by,
                    card=card,
                    name=name,
                    cards=taken,
                )
            elif self.taken:
                text = t("{name} played {card} and took {cards}.", name=name, card=card, cards=taken)
            else:
                text = t("{name} played {card}.", name=name, card=card)
        return text + " " + t.context("call", "Escoba!") if self.escobas else text


def latest_of(match: PublicView, seats: Sequence[Seat]) -> Taking | None:
    """Find the latest move among the facts of the last event; None after a new round."""
    for fact in reversed(match.facts):
        match fact:
            case CardPlayed(seat, card, captured, escoba):
                return _taking(match, seat, card, tuple(captured), int(escoba))
            case CaptureClaimed(seat, card, captured, escoba):
                laid_by = plain(seats[seat_before(seat, seats)].name)
                return _taking(match, seat, card, tuple(captured), int(escoba), laid_by)
            case OpeningTaken(seat, cards, escobas):
                return _taking(match, seat, None, tuple(cards), escobas)
            case _:
                continue
    return None


def _taking(
    match: PublicView, seat: int, card: Card | None, taken: tuple[Card, ...], escobas: int, laid_by: str | None = None
) -> Taking:
    side = match.seating.side_of(seat)
    return Taking(side, match.seating.seats_of(side).index(seat), card, taken, escobas, laid_by)


def draw_taking(canvas: Canvas, deck: Deck, latest: Taking, top: float) -> None:
    """Draw the capture: the card played, and in rows across its lower part what it took."""
    upper = top + 36
    if latest.card is not None:
        draw_raised(canvas, deck, latest.card, 12, upper + RAISED, TABLE_WIDTH)
    in_a_row = _APART if len(latest.taken) <= _APART * _ROWS else _CLOSE
    rows = ceil(len(latest.taken) / in_a_row)
    above_badge = top + CLOTH - BADGE_HIGH
    y = above_badge - TABLE_HEIGHT if rows == 1 else upper + 40
    step = min(48.0, (above_badge - TABLE_HEIGHT * 0.4 - y) / max(1, rows - 1))
    apart = (TRAY - 2 * MARGIN - TABLE_WIDTH) / (in_a_row - 1)
    for first in range(0, len(latest.taken), in_a_row):
        row = latest.taken[first : first + in_a_row]
        for n, card in enumerate(row):
            canvas.put(face(deck, card, TABLE_WIDTH), TRAY - MARGIN - TABLE_WIDTH - apart * (len(row) - 1 - n), y)
        y += step


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
        t("{name} sang and shows: {cards}.", name=scene.name_of(hand), cards=spoken_all(hand.cards, t, deck))
        for hand in scene.sung_hands
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
    for number, hand in enumerate(scene.sung_hands):
        x = number * width
        canvas.box(x + (2 if number else 0), top, width, 2, FELT)
        room = width - 16
        cards = [face(scene.deck, card, SMALL_WIDTH) for card in hand.cards]
        if width >= WIDE / 2:
            wide = len(cards) * (SMALL_WIDTH + 4)
            name, high = scene.fitting_name(hand, room - wide - 8, 18)
            written = canvas.write(name, x + 10, top + (_STRIP - high) / 2, high, colour=GOLD, ground=DARK)
            canvas.fan(cards, x + written + 22, top + 6, wide, SMALL_WIDTH + 4)
        else:
            name, high = scene.fitting_name(hand, room, 14)
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
    table, match = table_scene(view, t), seat.public
    swept = table.latest if table.escoba else None
    own = swept is not None and swept.side == match.seating.side_of(seat.seat)
    return PanelScene(table, tuple(seat.hand), max(match.rules.hands(match.seating)), own)
