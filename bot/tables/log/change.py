"""The change that an action makes: the events that it causes, the table after them, and the round that is dealt next,
if any."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from bot.engine.cards import Card
from bot.engine.events import MatchStarted, Played, RoundDealt
from bot.engine.rules import Seating
from bot.tables.log.events import Fixture, LogEvent
from bot.tables.log.seats import dealer_due
from bot.tables.log.state import TableState


class Decks(Protocol):
    """A source of decks and first dealers."""

    def deck(self, game_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
        """A shuffled deck for a round."""
        ...

    def dealer(self, game_id: int, seating: Seating) -> int:
        """The seat that deals first."""
        ...

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """The deck of a board, the same each time; `shuffle`: see `Fixture`."""
        ...


@dataclass(frozen=True, slots=True)
class DealDue:
    """A round that has to be dealt: its deck isn't known yet.

    Attributes:
        number: the number of the round, from 1.
        seating: the match's.
        begins: whether the match begins with it, so that the first dealer is found, too.
        before: the events that happen only together with the deal, right before it.
        optional: whether the other events stand without the deal, if nothing can be dealt now.
    """

    number: int
    seating: Seating
    begins: bool = False
    before: tuple[LogEvent, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """Events, and the table after them. With a `deal`, it is complete only once that is made."""

    state: TableState
    events: tuple[LogEvent, ...] = ()
    deal: DealDue | None = None

    def then(self, events: Iterable[LogEvent], deal: DealDue | None = None) -> Change:
        """This change, followed by more events. Raises IllegalMove if the engine doesn't allow one of them."""
        events = tuple(events)
        return Change(self.state.apply_all(events), (*self.events, *events), deal)

    def with_forced(self) -> Change:
        """This change and, if it has a move, the moves after it that leave no choice, where the lobby wanted that."""
        change = self
        if change.state.config.forced and any(isinstance(event, Played) for event in self.events):
            while change.state.open and change.state.match is not None and (move := change.state.match.forced):
                change = change.then([move])
        return change

    def without_deal(self) -> Change:
        return Change(self.state, self.events)

    def dealt(self, decks: Decks, game_id: int) -> Change:
        """This change with its deal, if it has one, made by a source of decks."""
        due, state = self.deal, self.state
        if due is None:
            return self
        begun: list[LogEvent] = []
        if due.begins:
            ready = state.apply_all(due.before)
            given = dealer_due(ready.dealer, ready.invited, ready.seats)
            dealer = decks.dealer(game_id, due.seating) if given is None else given
            begun = [MatchStarted(state.config.rules, due.seating, dealer)]
        deck = deck_of(decks, state.fixture, game_id, due.number, due.seating)
        return self.then([*due.before, *begun, RoundDealt(deck)])


def deck_of(
    decks: Decks, fixture: Fixture | None, game_id: int, round_number: int, seating: Seating
) -> tuple[Card, ...]:
    """The deck of a round: at a tournament's table that plays boards, the board's, which is the same at all tables."""
    if fixture is not None and fixture.boards:
        return decks.board(fixture.shuffle, fixture.boards[round_number - 1])
    return decks.deck(game_id, round_number, seating)
