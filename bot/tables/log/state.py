"""A table as a value: who sits where, what was agreed, the match; and what each event makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.engine import match as engine
from bot.engine.cards import EMPTY, CardSet
from bot.engine.events import LaterEvent, MatchStarted, Played, RoundDealt
from bot.engine.facts import Fact
from bot.engine.match import Match, Stage
from bot.engine.replays.highlights import Highlights, no_highlights
from bot.engine.round import Round
from bot.players import Character, Level
from bot.tables.log.events import (
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    Fixture,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Opened,
    Person,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
    Swapped,
)
from bot.tables.log.reactions import Reaction, reactable


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat's holder: a person, or a computer player with a level and a character."""

    name: str
    person_id: int | None = None
    level: Level = Level.NORMAL
    presence: Presence = Presence.HERE
    character: Character | None = None

    @property
    def is_computer(self) -> bool:
        return self.person_id is None

    @property
    def human_here(self) -> bool:
        """Whether a person plays it now."""
        return self.person_id is not None and self.presence is Presence.HERE

    @property
    def may_return(self) -> bool:
        """Whether its holder is a person who plays it, or can take it back with a click."""
        return self.person_id is not None and self.presence is not Presence.LEFT


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after `version` events of its log.

    Attributes:
        opener_id: the person who may cancel it.
        stand_ins: the cards of this round that a computer played in a person's place.
        invited: the people of the match that this is the rematch of, by seat; None where a computer sat.
        ended_by: the person who ended it without a result.
        movable: whether its lobby may still go on in a thread.
        thread_id: the thread in which it goes on; None where it was opened.
        reactions: to the match's recent moves, in order.
        fixture: the pairing it was opened for, if it belongs to a tournament.
        challenge: its opener challenges the other person who is invited.
        highlights: what will be worth telling about the match when it is over; None before it begins.
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
    movable: bool = False
    thread_id: int | None = None
    reactions: tuple[Reaction, ...] = ()
    fixture: Fixture | None = None
    challenge: bool = False
    highlights: Highlights | None = None

    @property
    def missing(self) -> tuple[Person, ...]:
        """The people who are invited to a rematch, or challenged, and have no seat yet."""
        seated = {seat.person_id for seat in self.seats}
        return tuple(person for person in self.invited if person is not None and person.id not in seated)

    @property
    def open(self) -> bool:
        return self.phase.open

    @property
    def move_version(self) -> int:
        """The version that moves name: in a match the match's, so that a change of seats doesn't make a move stale."""
        return self.version if self.match is None else self.match.version

    @property
    def turn_key(self) -> tuple[int | None, ...]:
        """A value that stays the same for a turn, a pause, or a version of the lobby. Deadlines belong to it."""
        match = self.match
        if match is None:
            return (self.version,)
        now = match.round
        cards = 0 if now is None else sum(map(len, now.hands)) + (now.laid is not None)
        return (len(match.scores), match.turn, cards)

    @property
    def current_person_id(self) -> int | None:
        """The person whose turn it is; None if it is nobody's or a computer player's."""
        turn = None if self.match is None else self.match.turn
        return None if turn is None else self.seats[turn].person_id

    @property
    def others_wait(self) -> bool:
        """Whether somebody besides the current player holds a seat that they play, or can take back with a click."""
        turn = None if self.match is None else self.match.turn
        return turn is not None and any(seat.may_return for index, seat in enumerate(self.seats) if index != turn)

    @property
    def anybody_here(self) -> bool:
        return any(seat.human_here for seat in self.seats)

    def seat_of(self, person_id: int) -> int | None:
        """The seat a person holds and has not left for good."""
        for index, seat in enumerate(self.seats):
            if seat.person_id == person_id and seat.may_return:
                return index
        return None

    def may_cancel(self, person_id: int, *, moderator: bool) -> bool:
        """Whether a person may end it for everybody: its opener and moderators may; a tournament's, only moderators."""
        return moderator or (self.fixture is None and person_id == self.opener_id)

    def apply(self, event: LogEvent) -> TableState:
        """The table after one more event.

        Raises:
            IllegalMove: if the engine doesn't allow it.
        """
        return self.apply_all((event,))

    def apply_all(self, events: Iterable[LogEvent]) -> TableState:
        """The table after several events, as if `apply` were called for each; consecutive moves are applied together.

        Raises:
            IllegalMove: if the engine doesn't allow one where it stands.
        """
        state, moves = self, list[LaterEvent]()
        for event in events:
            if state.match is not None and isinstance(event, LaterEvent):
                moves.append(event)
                continue
            if moves:
                state, moves = state._moved(moves), []
            state = replace(state._changed(event), version=state.version + 1)
        return state._moved(moves) if moves else state

    def _opener_of(self, seats: tuple[Seat, ...]) -> int:
        """The person who may cancel: the opener, or the longest-seated person once the opener has left."""
        people = [seat.person_id for seat in seats if seat.person_id is not None and seat.may_return]
        return self.opener_id if self.opener_id in people or not people else people[0]

    def _changed(self, event: LogEvent) -> TableState:
        match event:
            case Moved(thread_id):
                return replace(self, movable=False, thread_id=thread_id)
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
            case Reacted(seat, sign):
                to = None if self.match is None else reactable(self.match.recent, self.reactions, seat)
                return self if to is None else replace(self, reactions=(*self.reactions, Reaction(to, seat, sign)))
            case Closed(phase, by):
                return replace(self, phase=phase, ended_by=by)
            case MatchStarted():
                match, highlights = engine.start(event), no_highlights(event.seating)
                return replace(self, match=match, highlights=highlights, phase=Phase.PLAYING)
            case Opened():
                raise ValueError("a table opens once")
            case _:
                raise ValueError("no match has started")

    def _moved(self, events: Sequence[LaterEvent]) -> TableState:
        assert self.match is not None, "moves follow the start of a match"
        assert self.highlights is not None, "a match has highlights"
        highlights: Highlights = self.highlights

        def hear(facts: Sequence[Fact], round_number: int, now: Round) -> None:
            nonlocal highlights
            highlights = highlights.after(facts, round_number, now)

        match = self.match.apply_all(events, hear)
        phase = Phase.FINISHED if match.stage is Stage.OVER else self.phase
        version = self.version + len(events)
        stand_ins = self._stand_ins_after(events)
        reactions = self.reactions and tuple(each for each in self.reactions if each.to in match.recent)
        return replace(
            self,
            match=match,
            phase=phase,
            stand_ins=stand_ins,
            version=version,
            reactions=reactions,
            highlights=highlights,
        )

    def _stand_ins_after(self, events: Iterable[LaterEvent]) -> CardSet:
        absent = {index for index, seat in enumerate(self.seats) if not (seat.is_computer or seat.human_here)}
        stand_ins = self.stand_ins
        for event in events:
            if isinstance(event, RoundDealt):
                stand_ins = EMPTY
            elif isinstance(event, Played) and event.seat in absent:
                stand_ins = stand_ins.with_card(event.card)
        return stand_ins


def opened(event: Opened) -> TableState:
    opener = event.opener
    seats = (Seat(opener.name, opener.id),)
    return TableState(
        opener.id,
        event.config,
        seats,
        invited=event.invited,
        movable=event.movable,
        fixture=event.fixture,
        challenge=event.challenge,
    )
