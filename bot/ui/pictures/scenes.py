"""What a picture shows, as a value: made only from views, so it holds nothing hidden, and equal for equal pictures.

A public scene is made from what everybody sees, so all who see the same state share one picture. Only a `PanelScene`
holds a hand, and it is sent only to the hand's owner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards import Card, CardSet
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import Item, ItemScore, RoundScore, setenta_place
from bot.engine.views import PublicView, SeatView
from bot.tables.log.state import Seat
from bot.tables.view import TableView
from bot.ui.pictures.clip_scene import ClipScene
from bot.ui.pictures.result_scene import ResultScene
from bot.ui.pictures.standings_scene import StandingsScene
from bot.ui.pictures.stats_charts_scene import ChartScene
from bot.ui.pictures.stats_scene import StatsScene
from bot.ui.words.cantos import sung_text
from bot.ui.words.faces import Deck
from bot.ui.words.memo import cached_by_language
from bot.ui.words.names import plain
from bot.ui.words.rules import item_name
from bot.ui.words.tables.telling import seat_before
from bot.ui.words.texts import Words


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


@dataclass(frozen=True, slots=True)
class SungHand:
    """The cards of a hand, lying open since they were sung. `player` is the player's place among those of `side`."""

    side: int
    player: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableScene:
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
        """Who made a move, or holds open cards."""
        return self.sides[whose.side].names[whose.player]


@dataclass(frozen=True, slots=True)
class PanelScene:
    """The table with a hand below it, in the order of its buttons. Only for the hand's owner.

    `most` is how many cards a whole hand has, and `swept` whether the latest move was an escoba of the owner's side.
    """

    table: TableScene
    hand: tuple[Card, ...]
    most: int = 3
    swept: bool = False


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


@dataclass(frozen=True, slots=True)
class ReplayScene:
    """A table of a match that is over, with all hands open below it. `most` is how many cards a whole hand has."""

    table: TableScene
    hands: tuple[OpenHand, ...]
    most: int


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
class RoundScene:
    """A scored round: its items, and each side's players and points in it and in total; the points may be left out."""

    deck: Deck
    sides: tuple[tuple[str, ...], ...]
    rows: tuple[ItemRow, ...]
    gained: tuple[int, ...]
    totals: tuple[int, ...]


_FACES: Final = (Item.OROS, Item.SEVENS, Item.PRIME)
"""The items whose cards are shown; a whole pile would be a blur."""
Scene = (
    TableScene
    | PanelScene
    | ReplayScene
    | ClipScene
    | RoundScene
    | ResultScene
    | StatsScene
    | ChartScene
    | StandingsScene
)
_IN_ONE_ROW: Final = 5
_IN_A_ROW: Final = 4


def hand_columns(cards: int) -> int:
    """The number of columns in which a hand is shown, in its picture and as buttons below that."""
    return cards if cards <= _IN_ONE_ROW else _IN_A_ROW


@cached_by_language
def table_scene(view: TableView, t: Words) -> TableScene:
    """The public picture of a running round, its cards where they lie."""
    match = view.match
    assert match is not None, "a table is drawn while a match runs"
    latest = _latest(match, view.seats)
    return TableScene(
        deck=t.faces.deck,
        sides=tuple(_side(match, side, view.seats) for side in range(match.seating.sides)),
        places=match.places,
        laid=match.laid,
        choices=tuple(tuple(group) for group in match.choices),
        latest=latest,
        escoba=t("Escoba!") if latest is not None and latest.escobas else "",
        sung_hands=tuple(_sung_hands(match)),
    )


def _sung_hands(match: PublicView) -> Iterator[SungHand]:
    for seat, cards in enumerate(match.shown):
        if cards:
            side = match.seating.side_of(seat)
            yield SungHand(side, match.seating.seats_of(side).index(seat), tuple(cards))


def panel_scene(view: TableView, seat: SeatView, t: Words) -> PanelScene:
    """The picture of a player's panel."""
    table, match = table_scene(view, t), seat.public
    swept = table.latest if table.escoba else None
    own = swept is not None and swept.side == match.seating.side_of(seat.seat)
    return PanelScene(table, tuple(seat.hand), max(match.rules.hands(match.seating)), own)


def replay_scene(view: TableView, hands: Sequence[CardSet], t: Words) -> ReplayScene:
    """The picture of a step of a match that is over, with `hands` by seat."""
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


def round_scene(view: TableView, t: Words) -> RoundScene:
    """The picture of the latest scored round."""
    match = view.match
    assert match is not None, "there is no score without a match"
    assert match.scores, "a round was scored"
    score = match.scores[-1]
    sides = match.seating.sides
    return RoundScene(
        deck=t.faces.deck,
        sides=tuple(_names(match, side, view.seats) for side in range(sides)),
        rows=tuple(
            ItemRow(
                each.item,
                item_name(each.item, match.rules, t),
                each.amounts,
                each.points,
                tuple(tuple(sorted(made, key=_value)) for made in each.cards) if each.item in _FACES else (),
                _row_texts(each, score, match.rules, t),
            )
            for each in score.items
        ),
        gained=score.points,
        totals=match.totals,
    )


def _row_texts(row: ItemScore, score: RoundScore, rules: Rules, t: Words) -> tuple[str, ...]:
    if row.item is Item.CANTOS:
        return tuple(sung_text(cantos) for cantos in score.cantos)
    if row.item is Item.PRIME and rules.prime in (Prime.POINTS, Prime.SUITS):
        return tuple(str(amount) if amount else "" for amount in row.amounts)
    return ()


def item_scene(view: TableView, item: Item, t: Words, *, points: bool) -> RoundScene:
    """The picture of one item of the latest scored round, with its points or before they are known."""
    whole = round_scene(view, t)
    rows = (row for row in whole.rows if row.item is item)
    shown = rows if points else (replace(row, points=(0,) * len(row.points)) for row in rows)
    return replace(whole, rows=tuple(shown), gained=(), totals=())


def _side(match: PublicView, side: int, seats: Sequence[Seat]) -> Side:
    own = match.seating.seats_of(side)
    return Side(
        names=_names(match, side, seats),
        hands=tuple(match.hand_counts[seat] for seat in own),
        pile=match.pile_counts[side],
        escobas=match.escobas[side],
        total=match.totals[side],
        turn=own.index(match.turn) if match.turn in own else None,
    )


def _names(match: PublicView, side: int, seats: Sequence[Seat]) -> tuple[str, ...]:
    return tuple(plain(seats[seat].name) for seat in match.seating.seats_of(side))


def _value(card: Card) -> int:
    """Sorts the best cards for a prime first."""
    return -setenta_place(card.rank)


def _latest(match: PublicView, seats: Sequence[Seat]) -> Taking | None:
    """The latest move among the facts of the last event; None after a new round."""
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
