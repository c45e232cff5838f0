"""A table as a value: who sits where, what was agreed, the match; and what each event makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.engine import match as engine
from bot.engine.cards import EMPTY, CardSet
from bot.engine.events import LaterEvent, MatchStarted, Played, RoundDealt
from bot.engine.facts import Fact
from bot.engine.highlights import Highlights, no_highlights
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.round import Round
from bot.engine.rules import Seating
from bot.platform.people import Person
from bot.players.characters import SILENCE, Talk
from bot.tables.log.events import (
    ChangeAccepted,
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    Fixture,
    Guests,
    GuestsChosen,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Opened,
    Phase,
    Presence,
    PresenceChanged,
    Reacted,
    Swapped,
    TakenOff,
    TurnMissed,
)
from bot.tables.log.seats import Cards, Question, Seat, after_change, dealer_due, is_ranked
from bot.tables.log.spending import NOTHING, Spending
from bot.tables.log.topics import (
    DaySpent,
    Nudged,
    Paused,
    QuestionAnswered,
    QuestionAsked,
    QuestionLapsed,
    Resumed,
    SeatTaken,
    Topic,
)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after `version` events of its log.

    Attributes:
        opener_id: the person who may cancel it.
        stand_ins: the cards of this round that a computer played in a person's place.
        cards: who has played how many cards of the match, by seat; none before it begins.
        invited: the people of the match that this is the rematch of, by seat; None where a computer sat.
        ended_by: the person who ended it without a result.
        guests: who may sit down in the lobby; None for all.
        taken_off: the people whom the opener has taken off the lobby, each as often as that.
        movable: whether its lobby may still go on in a thread.
        thread_id: the thread in which it goes on; None where it was opened. Below 0, it has no channel any more.
        fixture: the pairing it was opened for, if it belongs to a tournament.
        challenge: its opener challenges the other person who is invited.
        highlights: what will be worth telling about the match when it is over; None before it begins.
        talk: what the characters have said in the match.
        forfeits: the seats whose people have lost a rated match by leaving it, or by letting its time pass, while
            others still played for it.
        late: those of them who have let its time pass.
        replaced: the people whose seats somebody else has taken.
        question: the question to those who play that is open now.
        asked: the people who have asked one in this round, in vain, each with its topic.
        pauses: the times in which its clocks stand still, in order.
        missed: the seats of people who have let slow turns pass, each once for every such turn in a row.
        missed_turn: the latest of those turns.
        spending: the days of holidays that missed turns have cost.
        nudged_turn: the latest turn whose player was nudged, and the seat of the person who did it.
        dealer: the seat that is to deal a rematch first, and then has dealt it first; None where it is drawn.
        changed: the number of the latest change in the lobby to which people had to agree; 0 for none.
        ok_until: until when the match waits for that, in seconds since 1970.
    """

    opener_id: int
    config: Config
    seats: tuple[Seat, ...]
    phase: Phase = Phase.LOBBY
    match: Match | None = None
    version: int = 1
    stand_ins: CardSet = EMPTY
    cards: tuple[Cards, ...] = ()
    invited: tuple[Person | None, ...] = ()
    ended_by: Person | None = None
    guests: Guests | None = None
    taken_off: tuple[int, ...] = ()
    movable: bool = False
    thread_id: int | None = None
    fixture: Fixture | None = None
    challenge: bool = False
    highlights: Highlights | None = None
    talk: Talk = SILENCE
    forfeits: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    replaced: frozenset[int | None] = frozenset()
    question: Question | None = None
    asked: frozenset[tuple[Topic, int | None]] = frozenset()
    pauses: tuple[Paused, ...] = ()
    missed: tuple[int, ...] = ()
    missed_turn: tuple[int | None, ...] | None = None
    spending: Spending = NOTHING
    nudged_turn: tuple[tuple[int | None, ...], int] | None = None
    dealer: int | None = None
    changed: int = 0
    ok_until: int = 0

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
        return (len(match.scores), 0 if now is None else now.deal, match.turn, cards)

    @property
    def current_person_id(self) -> int | None:
        """The person whose turn it is; None if it is nobody's or a computer player's."""
        turn = None if self.match is None else self.match.turn
        return None if turn is None else self.seats[turn].person_id

    @property
    def current_here(self) -> bool:
        """Whether a person plays the current turn, and not a computer in their place."""
        turn = None if self.match is None else self.match.turn
        return turn is not None and self.seats[turn].human_here and not self.stood_in

    @property
    def stood_in(self) -> bool:
        """Whether a computer makes the current move for a person who has let the turn pass."""
        return self.missed_turn is not None and self.missed_turn == self.turn_key

    @property
    def nudged_by(self) -> int | None:
        """The seat of the person who has nudged the current player in this turn."""
        return self.nudged_turn[1] if self.nudged_turn is not None and self.nudged_turn[0] == self.turn_key else None

    @property
    def day_spent(self) -> bool:
        """Whether a day of holidays was spent in this turn."""
        return self.spending.turn == self.turn_key

    @property
    def others_wait(self) -> bool:
        """Whether somebody besides the current player holds a seat that they play, or can take back with a click."""
        turn = None if self.match is None else self.match.turn
        return turn is not None and any(seat.may_return for index, seat in enumerate(self.seats) if index != turn)

    @property
    def people_here(self) -> frozenset[int]:
        """The seats that people play now."""
        return frozenset(index for index, seat in enumerate(self.seats) if seat.human_here)

    @property
    def anybody_here(self) -> bool:
        return bool(self.people_here)

    @property
    def unagreed(self) -> tuple[int, ...]:
        """The people in the lobby who still have to press OK on what has changed."""
        return tuple(seat.person_id for seat in self.seats if seat.person_id is not None and seat.agreed is not None)

    def seat_of(self, person_id: int) -> int | None:
        """The seat a person holds and has not left for good."""
        for index, seat in enumerate(self.seats):
            if seat.person_id == person_id and seat.may_return:
                return index
        return None

    def admits(self, person_id: int, roles: frozenset[int]) -> bool:
        """Whether a person with these roles may sit down in the lobby: one of its guests, its opener, or somebody who
        is invited to a rematch or challenged."""
        guests = self.guests
        if guests is None or person_id == self.opener_id or not roles.isdisjoint(guests.roles):
            return True
        return any(guest is not None and guest.id == person_id for guest in (*guests.invited, *self.invited))

    @property
    def contested(self) -> bool:
        """Whether it is a rated match between people, outside a tournament: it can be ended only by being played or
        given up, unless everybody agrees."""
        match = self.match
        return match is not None and self.fixture is None and is_ranked(self.config, self.seats, match.seating)

    @property
    def lost_by_misses(self) -> bool:
        """Whether too many slow turns missed in a row lose the match: a rated one of two."""
        return self.contested and len(self.seats) == Seating.TWO.seats

    @property
    def default_winner(self) -> int | None:
        """The side that has won a rated match because the people of all others have given it up; None while there are
        others."""
        if self.match is None or not self.forfeits:
            return None
        people = {index for index, seat in enumerate(self.seats) if seat.person_id is not None}
        sides = {self.match.seating.side_of(index) for index in people - self.forfeits}
        return min(sides) if len(sides) == 1 else None

    def may_run(self, person_id: int, *, moderator: bool) -> bool:
        """Whether a person decides about its lobby: its opener and moderators do; about a tournament's, only
        moderators."""
        return moderator or (self.fixture is None and person_id == self.opener_id)

    @property
    def taken_out(self) -> bool:
        """Whether its match goes on without a channel."""
        return self.thread_id is not None and self.thread_id < 0

    def may_cancel(self, person_id: int, *, moderator: bool, untouched: bool) -> bool:
        """Whether a person may end it for everybody.

        Those who decide about its lobby may, but a tournament's match is ended only by a moderator who doesn't play it,
        and hasn't; a rated one, too, and only if it is `untouched`: nobody has moved for very long.
        """
        if self.contested or (self.fixture is not None and self.match is not None):
            outside = moderator and all(seat.person_id != person_id for seat in self.seats)
            return outside and (untouched or not self.contested)
        return self.may_run(person_id, moderator=moderator)

    def may_take_out(self, person_id: int) -> bool:
        """Whether a moderator may take its match out of the channel: a rated one that they don't play, and haven't."""
        return self.contested and not self.taken_out and all(seat.person_id != person_id for seat in self.seats)

    @property
    def friendly(self) -> bool:
        """Whether its match counts for nobody."""
        return self.fixture is None and not self.contested

    def may_ask(self, topic: Topic, person_id: int | None) -> bool:
        """Whether a person may ask the others such a question now."""
        playing = self.match is not None and self.fixture is None
        fits = {Topic.END: self.contested, Topic.PAUSE: playing, Topic.SEAT: self.friendly}[topic]
        return fits and self.default_winner is None and self.question is None and (topic, person_id) not in self.asked

    def askers(self, topic: Topic) -> frozenset[int]:
        """The seats whose people may ask such a question now."""
        return frozenset(each for each in self.people_here if self.may_ask(topic, self.seats[each].person_id))

    def pause_at(self, now: float) -> Paused | None:
        """The pause of a match at a time, in seconds since 1970."""
        return next((pause for pause in self.pauses if pause.since <= now < pause.until), None)

    def would_sit(self, person_id: int) -> bool:
        """Whether a person has asked for a vacant seat and waits for the answer."""
        by = None if self.question is None else self.question.by
        return by is not None and by.id == person_id

    def vacant(self, *, slow: bool) -> list[int]:
        """The seats of a friendly match that somebody else may take if those who play agree: their people have left or,
        in a slow match, are away after having missed turn after turn."""
        if not self.friendly or self.match is None or not self.anybody_here:
            return []
        gone = (Presence.LEFT, Presence.AWAY) if slow else (Presence.LEFT,)
        return [index for index, seat in enumerate(self.seats) if seat.presence in gone]

    def apply(self, event: LogEvent) -> TableState:
        """The table after one more event. Raises IllegalMove if the engine doesn't allow it."""
        return self.apply_all((event,))

    def apply_all(self, events: Iterable[LogEvent]) -> TableState:
        """The table after several events, as if `apply` were called for each; consecutive moves are applied together.

        Raises IllegalMove if the engine doesn't allow one where it stands.
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
            case GuestsChosen(guests):
                return replace(self, guests=guests)
            case TakenOff(person_id):
                return replace(self._changed(LeftLobby(person_id)), taken_off=(*self.taken_off, person_id))
            case LeftLobby(person_id):
                seats = tuple(seat for seat in self.seats if seat.person_id != person_id)
                return replace(self, seats=seats, opener_id=self._opener_of(seats))
            case ComputerAdded(name, level, character, instead_of):
                added = Seat(name, level=level, character=character)
                if instead_of is None:
                    return replace(self, seats=(*self.seats, added))
                return self._in_place_of_computer(instead_of, added)
            case ComputerRemoved(index):
                return self._in_place_of_computer(index)
            case Swapped(first, second):
                seats = list(self.seats)
                seats[first], seats[second] = seats[second], seats[first]
                return replace(self, seats=tuple(seats))
            case Configured():
                return self._configured(event)
            case ChangeAccepted(index):
                return replace(self, seats=_agreeing(self.seats, index))
            case PresenceChanged(index, presence, by):
                seat = replace(self.seats[index], presence=presence)
                seats = (*self.seats[:index], seat, *self.seats[index + 1 :])
                missed = _without(self.missed, index)
                state = replace(self, seats=seats, opener_id=self._opener_of(seats), missed=missed)
                if presence is Presence.LEFT:
                    return state._given_up(index, late=by is not None)
                return state._without_question_about(index) if presence is Presence.HERE else state
            case TurnMissed(seat):
                return replace(self, missed=(*self.missed, seat), missed_turn=self.turn_key)
            case DaySpent(seat):
                return replace(self, spending=self.spending.spent(seat, self.turn_key))
            case Nudged(seat):
                return replace(self, nudged_turn=(self.turn_key, seat))
            case QuestionAsked(seat, until, topic, days, by):
                agreed = frozenset({seat}) if by is None else frozenset[int]()
                return replace(self, question=Question(self.version, seat, until, agreed, topic, days, by))
            case Paused():
                return replace(self, question=None, pauses=(*self.pauses, event))
            case Resumed(_, at):
                return replace(self, pauses=tuple(replace(pause, until=min(at, pause.until)) for pause in self.pauses))
            case SeatTaken(index, person):
                seats = (*self.seats[:index], Seat(person.name, person.id), *self.seats[index + 1 :])
                missed = _without(self.missed, index)
                cards = (*self.cards[:index], Cards(), *self.cards[index + 1 :])
                taken = replace(self, seats=seats, opener_id=self._opener_of(seats), missed=missed, cards=cards)
                return replace(taken, replaced=self.replaced | {self.seats[index].person_id}, question=None)
            case QuestionAnswered(seat, agrees):
                return self._agreed_by(seat) if agrees else self._without_question()
            case QuestionLapsed():
                return self._without_question()
            case Reacted():
                return self
            case Closed(phase, by):
                return replace(self, phase=phase, ended_by=by)
            case MatchStarted():
                match, highlights = engine.start(event), no_highlights(event.seating)
                seats, cards = _agreeing(self.seats, *range(len(self.seats))), (Cards(),) * event.seating.seats
                begun = replace(self, match=match, highlights=highlights, phase=Phase.PLAYING, seats=seats, cards=cards)
                return replace(begun, dealer=dealer_due(self.dealer, self.invited, seats))
            case Opened():
                raise ValueError("a table opens once")
            case _:
                raise ValueError("no match has started")

    def _configured(self, event: Configured) -> TableState:
        return replace(
            self,
            config=event.config,
            seats=after_change(self.seats, self.config, event),
            changed=self.version if event.config.needs_ok(self.config) else self.changed,
            ok_until=self.ok_until if event.until is None else event.until,
        )

    def _in_place_of_computer(self, index: int, *others: Seat) -> TableState:
        if not any(seat.is_computer for seat in self.seats[index : index + 1]):
            raise ValueError("only a computer player is removed or replaced")
        return replace(self, seats=(*self.seats[:index], *others, *self.seats[index + 1 :]))

    def _given_up(self, seat: int, *, late: bool) -> TableState:
        """The table after the person of a seat has left a match. A question that is open is dropped: fewer people are
        to answer it now."""
        state = replace(self, question=None)
        if not self.contested or self.default_winner is not None:
            return state
        return replace(state, forfeits=self.forfeits | {seat}, late=self.late | {seat} if late else self.late)

    def _agreed_by(self, seat: int) -> TableState:
        question = self.question
        return self if question is None else replace(self, question=replace(question, agreed=question.agreed | {seat}))

    def _without_question(self) -> TableState:
        question = self.question
        if question is None:
            return self
        asker = self.seats[question.seat].person_id if question.by is None else question.by.id
        return replace(self, question=None, asked=self.asked | {(question.topic, asker)})

    def _without_question_about(self, seat: int) -> TableState:
        """The table once the person is back whose seat somebody else would take."""
        question = self.question
        about = question is not None and (question.topic, question.seat) == (Topic.SEAT, seat)
        return replace(self, question=None) if about else self

    def _moved(self, events: Sequence[LaterEvent]) -> TableState:
        assert self.match is not None, "moves follow the start of a match"
        assert self.highlights is not None, "a match has highlights"
        highlights: Highlights = self.highlights
        talk, characters = self.talk, [seat.character for seat in self.seats]

        def hear(facts: Sequence[Fact], round_number: int, now: Round) -> None:
            nonlocal highlights, talk
            highlights = highlights.after(facts, round_number, now)
            talk = talk.after(characters, facts, now.table, [len(hand) for hand in now.hands])

        match = self.match.apply_all(events, hear)
        phase = Phase.FINISHED if match.stage is Stage.OVER else self.phase
        version = self.version + len(events)
        stand_ins, missed, cards = self._played_after(events)
        return replace(
            self,
            match=match,
            phase=phase,
            stand_ins=stand_ins,
            missed=missed,
            cards=cards,
            spending=self.spending.after(events),
            version=version,
            highlights=highlights,
            talk=talk,
            asked=frozenset() if any(isinstance(event, RoundDealt) for event in events) else self.asked,
        )

    def _played_after(self, events: Iterable[LaterEvent]) -> tuple[CardSet, tuple[int, ...], tuple[Cards, ...]]:
        """The stand-ins, the turns in a row that people have missed (a move of their own ends a row), and everybody's
        cards."""
        assert self.match is not None, "moves follow the start of a match"
        absent = {index for index, seat in enumerate(self.seats) if not (seat.is_computer or seat.human_here)}
        late = self.match.turn if self.stood_in else None
        stand_ins, missed, cards = self.stand_ins, self.missed, list(self.cards)
        number = self.match.round_number
        for event in events:
            if isinstance(event, RoundDealt):
                stand_ins, number = EMPTY, number + 1
            elif isinstance(event, Played):
                by_robot = event.seat in absent or event.seat == late
                cards[event.seat] = cards[event.seat].after(number, by_robot=by_robot)
                if by_robot:
                    stand_ins, late = stand_ins.with_card(event.card), None
                elif not event.forced:
                    missed = _without(missed, event.seat)
        return stand_ins, missed, tuple(cards)


def _agreeing(seats: tuple[Seat, ...], *agreeing: int) -> tuple[Seat, ...]:
    """The seats once the people of some of them have agreed to what has changed in the lobby."""
    return tuple(replace(seat, agreed=None) if index in agreeing else seat for index, seat in enumerate(seats))


def _without(missed: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in missed if other != seat)


def opened(event: Opened) -> TableState:
    opener = event.opener
    return TableState(
        opener.id,
        event.config,
        (Seat(opener.name, opener.id),),
        invited=event.invited,
        movable=event.movable,
        fixture=event.fixture,
        challenge=event.challenge,
        dealer=event.dealer,
    )
