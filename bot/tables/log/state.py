"""A table as a value: who sits where, what was agreed, the match; and the events that make it, one a version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.engine import match as engine
from bot.engine.cards import EMPTY, CardSet
from bot.engine.events import Event as MatchEvent
from bot.engine.events import Later, MatchStarted, Played, RoundDealt
from bot.engine.match import Match, Stage
from bot.engine.rules import PRESETS, Conflict, Rules, Seating
from bot.players import Character, Level

DEFAULT_PRESET = "escoba"
USUAL_CAPACITY = Seating.PAIRS.seats
LARGEST_CAPACITY = Seating.TRIPLE_PAIRS.seats


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: the id, and the name shown where they joined."""

    id: int
    name: str


class Presence(StrEnum):
    """Who plays for a person's seat."""

    HERE = "here"
    AWAY = "away"
    """A deadline passed: a computer plays until the person clicks."""
    LEFT = "left"
    """They left for good: a computer plays to the end."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat's holder: a person, or a computer player of some level; older ones are nobody in particular."""

    name: str
    person_id: int | None = None
    level: Level = Level.NORMAL
    presence: Presence = Presence.HERE
    character: Character | None = None

    @property
    def is_computer(self) -> bool:
        """Whether a computer player holds the seat."""
        return self.person_id is None

    @property
    def human_here(self) -> bool:
        """Whether a person plays it now."""
        return self.person_id is not None and self.presence is Presence.HERE

    @property
    def may_return(self) -> bool:
        """Whether a person holds it who plays, or takes it back by a click."""
        return self.person_id is not None and self.presence is not Presence.LEFT


@dataclass(frozen=True, slots=True)
class Config:
    """What the lobby agrees on: the preset it began from, the rules, pairs or not (with four), and how many may sit."""

    preset: str = DEFAULT_PRESET
    rules: Rules = PRESETS[DEFAULT_PRESET].rules
    teams: bool = False
    capacity: int = USUAL_CAPACITY

    @classmethod
    def of_preset(cls, name: str, *, target: int | None = None) -> Config:
        """The preset as its source plays it, to another target if one is given."""
        preset = PRESETS[name]
        rules = preset.rules if target is None else replace(preset.rules, target=target)
        return cls(
            preset=name,
            rules=rules,
            teams=preset.seatings[0].in_teams,
            capacity=max(seating.seats for seating in preset.seatings),
        )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Why these rules can't be agreed on: they fit no number of players, or not the most that may sit."""
        possible = [seating for n in range(2, self.capacity + 1) if (seating := self.seating(n)) is not None]
        if self.capacity > USUAL_CAPACITY and (found := self.rules.conflicts(possible[-1])):
            return found
        found = [self.rules.conflicts(seating) for seating in possible]
        return () if not all(found) else found[-1]

    def seating(self, players: int) -> Seating | None:
        """How so many players sit; None if that number can't play."""
        return {
            2: Seating.TWO,
            3: Seating.THREE,
            4: Seating.PAIRS if self.teams else Seating.FOUR,
            6: Seating.TRIPLE_PAIRS,
        }.get(players)


class Phase(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    """Somebody who may do so ended it."""
    ABANDONED = "abandoned"
    """No human was left."""
    EXPIRED = "expired"
    """The lobby lay untouched too long."""
    IDLE = "idle"
    """Nobody moved for very long in a match without deadlines."""

    @property
    def open(self) -> bool:
        """Whether something can still happen."""
        return self in (Phase.LOBBY, Phase.PLAYING)


# ---------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Opened:
    """The lobby opens, with its opener in the first seat.

    `invited` are those who sat at the match of which it is the rematch, by seat; None where a computer did.
    """

    opener: Person
    config: Config
    invited: tuple[Person | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took the next free seat."""

    person: Person


@dataclass(frozen=True, slots=True)
class LeftLobby:
    """A person gave up their seat before the match."""

    person_id: int


@dataclass(frozen=True, slots=True)
class ComputerAdded:
    """A computer player took the next free seat. One of an older log is no `character`."""

    name: str
    level: Level
    character: Character | None = None


@dataclass(frozen=True, slots=True)
class ComputerRemoved:
    """The computer player that came last went."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two seats changed places in the lobby."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Configured:
    """The lobby agreed on something else."""

    config: Config


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Somebody's deadline passed, they came back, or left for good."""

    seat: int
    presence: Presence


@dataclass(frozen=True, slots=True)
class Closed:
    """The table ends without a result. `by`: who ended it, in the phase IDLE for those who had forgotten it."""

    phase: Phase
    by: Person | None = None


TableEvent = (
    Opened | Joined | LeftLobby | ComputerAdded | ComputerRemoved | Swapped | Configured | PresenceChanged | Closed
)
LogEvent = TableEvent | MatchEvent


# ----------------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after `version` events of its log. `opener_id` may cancel it; `ended_by` ended it without a result.

    `stand_ins` are the cards of this round that a computer played in a person's place, `invited` who sat at the match
    of which it is the rematch.
    """

    opener_id: int
    config: Config
    seats: tuple[Seat, ...]
    phase: Phase = Phase.LOBBY
    match: Match | None = None
    version: int = 1
    stand_ins: CardSet = EMPTY
    invited: tuple[Person | None, ...] = ()
    ended_by: Person | None = None

    @property
    def missing(self) -> tuple[Person, ...]:
        """Who is invited to a rematch and has no seat yet."""
        seated = {seat.person_id for seat in self.seats}
        return tuple(person for person in self.invited if person is not None and person.id not in seated)

    @property
    def open(self) -> bool:
        """Whether something can still happen at it."""
        return self.phase.open

    @property
    def move_version(self) -> int:
        """The version that a move names: in a match the match's, so that a seat changing hands makes no card stale."""
        return self.version if self.match is None else self.match.version

    @property
    def turn_key(self) -> tuple[int | None, ...]:
        """What stays the same while a turn, a pause or a state of the lobby lasts: a deadline belongs to it."""
        match = self.match
        if match is None:
            return (self.version,)
        now = match.round
        cards = 0 if now is None else sum(map(len, now.hands)) + (now.laid is not None)
        return (len(match.scores), match.turn, cards)

    @property
    def person_at_turn(self) -> int | None:
        """Whose turn it is; None if it's nobody's, or a computer player's."""
        turn = None if self.match is None else self.match.turn
        return None if turn is None else self.seats[turn].person_id

    @property
    def anybody_here(self) -> bool:
        """Whether a person plays at it now."""
        return any(seat.human_here for seat in self.seats)

    def seat_of(self, person_id: int) -> int | None:
        """The seat a person holds and has not left for good."""
        for index, seat in enumerate(self.seats):
            if seat.person_id == person_id and seat.may_return:
                return index
        return None

    def may_cancel(self, person_id: int, *, moderator: bool) -> bool:
        """Whether somebody may end it for everybody: who opened it, and who moderates the channel."""
        return moderator or person_id == self.opener_id

    def apply(self, event: LogEvent) -> TableState:
        """The table after one more event.

        Raises:
            IllegalMove: if the engine doesn't allow it.
        """
        return self.apply_all((event,))

    def apply_all(self, events: Iterable[LogEvent]) -> TableState:
        """The table after some more events, as `apply` makes it of each in turn; moves on end make one value.

        Raises:
            IllegalMove: if the engine doesn't allow one where it stands.
        """
        state, moves = self, list[Later]()
        for event in events:
            if state.match is not None and isinstance(event, Later):
                moves.append(event)
                continue
            if moves:
                state, moves = state._moved(moves), []
            state = replace(state._changed(event), version=state.version + 1)
        return state._moved(moves) if moves else state

    def _opener_of(self, seats: tuple[Seat, ...]) -> int:
        """Who may cancel: the opener, or, when they have left, whoever has sat longest."""
        people = [seat.person_id for seat in seats if seat.person_id is not None and seat.may_return]
        return self.opener_id if self.opener_id in people or not people else people[0]

    def _changed(self, event: LogEvent) -> TableState:
        match event:
            case Joined(person):
                return replace(self, seats=(*self.seats, Seat(person.name, person.id)))
            case LeftLobby(person_id):
                seats = tuple(seat for seat in self.seats if seat.person_id != person_id)
                return replace(self, seats=seats, opener_id=self._opener_of(seats))
            case ComputerAdded(name, level, character):
                return replace(self, seats=(*self.seats, Seat(name, level=level, character=character)))
            case ComputerRemoved():
                last = max(index for index, seat in enumerate(self.seats) if seat.is_computer)
                return replace(self, seats=self.seats[:last] + self.seats[last + 1 :])
            case Swapped(first, second):
                seats = list(self.seats)
                seats[first], seats[second] = seats[second], seats[first]
                return replace(self, seats=tuple(seats))
            case Configured(config):
                return replace(self, config=config)
            case PresenceChanged(index, presence):
                seat = replace(self.seats[index], presence=presence)
                seats = (*self.seats[:index], seat, *self.seats[index + 1 :])
                return replace(self, seats=seats, opener_id=self._opener_of(seats))
            case Closed(phase, by):
                return replace(self, phase=phase, ended_by=by)
            case MatchStarted():
                return replace(self, match=engine.start(event), phase=Phase.PLAYING)
            case Opened():
                raise ValueError("a table opens once")
            case _:
                raise ValueError("no match has started")

    def _moved(self, events: Sequence[Later]) -> TableState:
        assert self.match is not None, "moves follow the start of a match"
        match = self.match.apply_all(events)
        phase = Phase.FINISHED if match.stage is Stage.OVER else self.phase
        version = self.version + len(events)
        return replace(self, match=match, phase=phase, stand_ins=self._stand_ins_after(events), version=version)

    def _stand_ins_after(self, events: Iterable[Later]) -> CardSet:
        absent = {index for index, seat in enumerate(self.seats) if not (seat.is_computer or seat.human_here)}
        stand_ins = self.stand_ins
        for event in events:
            if isinstance(event, RoundDealt):
                stand_ins = EMPTY
            elif isinstance(event, Played) and event.seat in absent:
                stand_ins = stand_ins.with_card(event.card)
        return stand_ins


def opened(event: Opened) -> TableState:
    """The table that begins with `event`."""
    opener = event.opener
    return TableState(opener.id, event.config, (Seat(opener.name, opener.id),), invited=event.invited)
