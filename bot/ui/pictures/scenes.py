"""What a picture shows, as a value: made of views only, so that nothing hidden is in it, and equal for equal pictures.

A public scene is made of what everybody sees, so two people who see the same state share one picture of it. Only a
`PanelScene` holds a hand, and only its owner is ever sent it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from bot.engine.cards import Card
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.scoring import Item
from bot.engine.views import PublicView
from bot.tables.log.state import Seat
from bot.tables.view import TableView
from bot.ui.words.faces import Deck
from bot.ui.words.memo import cached_by_language
from bot.ui.words.names import plain
from bot.ui.words.rules import item_name
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the table: its people, their hands as counts, its pile, its escobas and its points."""

    names: tuple[str, ...]
    hands: tuple[int, ...]
    pile: int
    escobas: int
    total: int
    at_turn: bool


@dataclass(frozen=True, slots=True)
class Taking:
    """The latest move: the card played (none when the dealer took the first cards), what it took, for which side."""

    side: int
    card: Card | None
    taken: tuple[Card, ...]
    escobas: int


@dataclass(frozen=True, slots=True)
class TableScene:
    """The table in public. `choices` are the captures of the laid card, in the order of their buttons from 1.

    `escoba` is the word that crosses the picture when the latest move was one.
    """

    deck: Deck
    sides: tuple[Side, ...]
    cards: tuple[Card, ...]
    laid: Card | None
    choices: tuple[tuple[Card, ...], ...]
    latest: Taking | None
    escoba: str = ""


@dataclass(frozen=True, slots=True)
class PanelScene:
    """The table above, and below it a hand in the order of its buttons. For the eyes of its owner."""

    table: TableScene
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A line of a round's score: what each side has of it, the points it gives, and those cards that are shown."""

    item: Item
    label: str
    amounts: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class RoundScene:
    """A scored round: its items, and the totals after it."""

    deck: Deck
    names: tuple[str, ...]
    rows: tuple[ItemRow, ...]
    gained: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResultScene:
    """The end of a match: who won, and every side's total after each round, from 0."""

    deck: Deck
    names: tuple[str, ...]
    winner: int
    target: int
    course: tuple[tuple[int, ...], ...]

    @property
    def ranking(self) -> list[int]:
        """The sides, that with the highest total first."""
        return sorted(range(len(self.names)), key=lambda side: (side != self.winner, -self.course[side][-1]))


_FACES: Final = (Item.OROS, Item.SEVENS, Item.PRIME)
"""Of these the cards are shown; a whole pile would be a blur."""
Scene = TableScene | PanelScene | RoundScene | ResultScene


@cached_by_language
def table_scene(view: TableView, t: Words) -> TableScene:
    """The public picture of a running round, its cards where they lie."""
    match = view.match
    assert match is not None, "a table is drawn while a match runs"
    latest = _latest(match)
    return TableScene(
        deck=t.faces.deck,
        sides=tuple(_side(match, side, view.seats) for side in range(match.seating.sides)),
        cards=tuple(card for card in match.places if card is not None),
        laid=match.laid,
        choices=tuple(tuple(group) for group in match.choices),
        latest=latest,
        escoba=t("Escoba!") if latest is not None and latest.escobas else "",
    )


def round_scene(view: TableView, t: Words) -> RoundScene:
    """The picture of the round that was scored last, its items named in the language of `t`."""
    match = view.match
    assert match is not None, "a score is of a match"
    assert match.scores, "a round was scored"
    score = match.scores[-1]
    sides = match.seating.sides
    return RoundScene(
        deck=t.faces.deck,
        names=tuple(_names(match, side, view.seats) for side in range(sides)),
        rows=tuple(
            ItemRow(
                each.item,
                item_name(each.item, match.rules, t),
                each.amounts,
                each.points,
                tuple(tuple(sorted(made, key=_value)) for made in each.cards) if each.item in _FACES else (),
            )
            for each in score.items
        ),
        gained=score.points,
        totals=match.totals,
    )


def result_scene(view: TableView, t: Words) -> ResultScene:
    """The picture of a match that was won."""
    match = view.match
    assert match is not None, "a result is of a match"
    assert match.winner is not None, "the match was won"
    sides = range(match.seating.sides)
    return ResultScene(
        deck=t.faces.deck,
        names=tuple(_names(match, side, view.seats) for side in sides),
        winner=match.winner,
        target=match.rules.target,
        course=tuple(tuple(accumulate((score.points[side] for score in match.scores), initial=0)) for side in sides),
    )


def _side(match: PublicView, side: int, seats: Sequence[Seat]) -> Side:
    own = match.seating.seats_of(side)
    return Side(
        names=tuple(plain(seats[seat].name) for seat in own),
        hands=tuple(match.hand_counts[seat] for seat in own),
        pile=match.pile_counts[side],
        escobas=match.escobas[side],
        total=match.totals[side],
        at_turn=match.turn in own,
    )


def _names(match: PublicView, side: int, seats: Sequence[Seat]) -> str:
    return " & ".join(plain(seats[seat].name) for seat in match.seating.seats_of(side))


def _value(card: Card) -> tuple[bool, int]:
    """Sorts the cards that are worth most in a prime first."""
    return card.worth > 7, -card.worth


def _latest(match: PublicView) -> Taking | None:
    """The latest move of what the last event brought about; a new round leaves none."""
    for fact in reversed(match.facts):
        match fact:
            case CardPlayed(seat, card, captured, escoba) | CaptureClaimed(seat, card, captured, escoba):
                return Taking(match.seating.side_of(seat), card, tuple(captured), int(escoba))
            case OpeningTaken(seat, cards, escobas):
                return Taking(match.seating.side_of(seat), None, tuple(cards), escobas)
            case _:
                continue
    return None
