"""What the tables' tests share: people, configurations, lobbies and matches as values, and stacked decks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK, Card
from bot.engine.match import Match
from bot.engine.moves import Move
from bot.engine.rules import PRESETS, Seating
from bot.platform.people import Person
from bot.platform.refusals import Refusal, RefusalCode
from bot.tables.live.chance import Chance
from bot.tables.live.table import Table
from bot.tables.log.actions import Action, AddComputer, Join, NextRound, PlayMove, Start
from bot.tables.log.decide import decide
from bot.tables.log.events import Config, LogEvent, Opened
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState, opened

GUILD = 1_100_000_000_000_000_001
CHANNEL = 1_200_000_000_000_000_002
GAME = 7

ANA, BEA, CLO, DON, EVA, FUL = PEOPLE = tuple(
    Person(1_300_000_000_000_000_000 + number, name)
    for number, name in enumerate(("Ana", "Bea", "Clo", "Don", "Eva", "Ful"), start=1)
)
STRANGER = Person(1_399_999_999_999_999_999, "Nadie")


class Stacked(Chance):
    """Replaces chance by decks known beforehand, drawn from a seed or given, and a chosen first dealer."""

    def __init__(self, seed: object = 0, *, first: int = 0, deck: Sequence[Card] | None = None) -> None:
        self._seed = seed
        self._first = first
        self._deck = None if deck is None else tuple(deck)

    def deck(self, game_id: int, round_number: int, seating: Seating = Seating.TWO) -> tuple[Card, ...]:
        """The deck of a game's round."""
        if self._deck is not None:
            return self._deck
        return tuple(Random(f"{self._seed}/{game_id}/{round_number}").sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seating: Seating) -> int:
        """Always the same seat, modulo the number of seats."""
        return self._first % seating.seats

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """The deck of a board, the same for each table."""
        return self.deck(-(shuffle % 2**63), number)


FRIENDLY = replace(Config(), rated=False)
"""What a friendly match is played by, with the usual rules."""


def config_of(
    preset: str = "escoba", *, teams: bool | None = None, capacity: int | None = None, **rules: Any
) -> Config:
    """A preset's configuration, with some of its rules, the teams or the number of seats changed."""
    config = Config.of_preset(preset)
    return replace(
        config,
        rules=replace(PRESETS[preset].rules, **rules),
        teams=config.teams if teams is None else teams,
        capacity=config.capacity if capacity is None else capacity,
    )


def stacked(words: str) -> tuple[Card, ...]:
    """A deck that begins with the named cards; the others follow in the order of `DECK`."""
    first = tuple(map(Card.parse, words.split()))
    return first + tuple(each for each in DECK if each not in first)


def lobby(*people: Person, config: Config | None = None, computers: int = 0) -> TableState:
    """A lobby that the first person opened and the others joined."""
    opener, *others = people or (ANA,)
    state = opened(Opened(opener, config or Config()))
    for person in others:
        state = act(state, Join(person))
    for _ in range(computers):
        state = act(state, AddComputer(opener, state.version))
    return state


def playing(
    *people: Person, config: Config | None = None, computers: int = 0, chance: Stacked | None = None
) -> TableState:
    """A match whose first round has been dealt. Unless `chance` says otherwise, the opener plays first."""
    state = lobby(*(people or (ANA, BEA)), config=config, computers=computers)
    first = Stacked(first=len(state.seats) - 1)
    return act(state, Start(people[0] if people else ANA, state.version), chance or first)


def the_match(state: TableState) -> Match:
    """The match of a table that must have one."""
    assert state.match is not None
    return state.match


def holder(state: TableState, seat: int) -> Person:
    """The person in a seat."""
    person_id = state.seats[seat].person_id
    return next(person for person in PEOPLE if person.id == person_id)


def at_turn(state: TableState) -> Person:
    """The person whose turn it is."""
    turn = the_match(state).turn
    assert turn is not None
    return holder(state, turn)


def first_move(state: TableState) -> Move:
    """The first legal move."""
    return the_match(state).legal_moves()[0]


def move_of(state: TableState, person: Person | None = None, move: Move | None = None) -> PlayMove:
    """A move by the current player, or by another person; the first legal move unless another is given."""
    return PlayMove(person or at_turn(state), state.move_version, move or first_move(state))


def events_of(
    state: TableState,
    action: Action,
    chance: Stacked | None = None,
    *,
    overdue: bool = False,
    times: Times | None = None,
) -> list[LogEvent]:
    """The events that an action makes at a table."""
    return list(decide(state, action, GAME, times or Times(overdue)).dealt(chance or Stacked(), GAME).events)


def act(state: TableState, *actions_and_chance: Action | Stacked) -> TableState:
    """The table after these actions."""
    chance = next((each for each in actions_and_chance if isinstance(each, Stacked)), None)
    for action in actions_and_chance:
        if not isinstance(action, Stacked):
            for event in events_of(state, action, chance):
                state = state.apply(event)
    return state


def play_to(state: TableState, *events: LogEvent) -> TableState:
    """The table after these events."""
    for event in events:
        state = state.apply(event)
    return state


def finish_round(state: TableState) -> TableState:
    """The table once its round is scored; everybody plays their last legal move, a capture if there is one."""
    while the_match(state).turn is not None:
        match = the_match(state)
        state = state.apply(match.event_of(match.legal_moves()[-1]))
    return state


async def next_round(table: Table) -> None:
    """Have all people who are at a table ask for the next round."""
    version = table.view().version
    for seat in table.view().seats:
        if seat.human_here and seat.person_id is not None and table.view().version == version:
            await table.submit(NextRound(Person(seat.person_id, seat.name), version))


@contextmanager
def refused(code: RefusalCode) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """The body must be refused for this reason."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code is code
