"""The course of a log, told afterwards: who did what, and what happened while somebody was away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.engine.cards import CardSet
from bot.engine.events import Claimed, Laid, Played, RoundDealt, Sang
from bot.engine.facts import CardLaid, Fact
from bot.platform.eventlog import LogEntry
from bot.tables.log.codec import LOG, MATCH
from bot.tables.log.events import (
    Closed,
    LogEvent,
    Moved,
    Presence,
    PresenceChanged,
    Reacted,
    TurnMissed,
)
from bot.tables.log.state import TableState
from bot.tables.log.topics import (
    DaySpent,
    Nudged,
    Paused,
    QuestionAnswered,
    QuestionAsked,
    QuestionLapsed,
    Resumed,
    SeatTaken,
)


@dataclass(frozen=True, slots=True)
class History:
    """A stored log, read once.

    Attributes:
        state: the state that the log makes.
        person_acted_at: when a person last did something; computers and deadlines don't count.
        wait_began_at: when the current wait began. In a match that is the start of the turn or of the pause after a
            round, the return of the current player, or the moment when the last person went away; in a lobby the latest
            change. How long a channel was closed isn't logged, so that time counts.
        player_clicked: whether the current player has laid a card, claimed or sung in this turn already.
    """

    state: TableState
    person_acted_at: datetime
    wait_began_at: datetime
    player_clicked: bool


def read_history(entries: Sequence[LogEntry]) -> History:
    """Replay a stored log, then read it backwards until everything is found.

    Args:
        entries: the whole log, in order.

    Raises:
        CodecError: if a row can't be read or one is missing.
        IllegalMove: if an event isn't legal where it stands.
    """
    events = LOG.events(entries)
    state = LOG.fold_all(entries, events)
    here = [seat.human_here for seat in state.seats]
    played_for = _played_for(events)
    acted_at = wait_began_at = None
    clicked: bool | None = None
    for index, (entry, event) in reversed([*enumerate(zip(entries, events, strict=True))]):
        of_match = entry.kind == MATCH
        if acted_at is None and _is_by_person(event, here) and index not in played_for:
            acted_at = entry.at
        if wait_began_at is None and not _continues_wait(event, state):
            wait_began_at = entry.at
        if clicked is None and of_match:
            clicked = isinstance(event, Laid | Claimed | Sang)
    opened_at = entries[0].at
    return History(
        state,
        person_acted_at=acted_at or opened_at,
        wait_began_at=wait_began_at or opened_at,
        player_clicked=bool(clicked),
    )


def _played_for(events: Sequence[LogEvent]) -> set[int]:
    """The places in the log of what a computer did in turns that people had missed."""
    places, late = set[int](), None
    for index, event in enumerate(events):
        if isinstance(event, TurnMissed):
            late = event.seat
        elif isinstance(event, Laid | Played | Claimed | Sang) and event.seat == late:
            places.add(index)
            late = None if isinstance(event, Played) else late
    return places


def _is_own_move(event: LogEvent, seat: int) -> bool:
    """Whether the player of a seat decided on it."""
    match event:
        case Played(forced=True):
            return False
        case Laid() | Played() | Claimed() | Sang():
            return event.seat == seat
        case _:
            return False


def _is_by_person(event: LogEvent, here: list[bool]) -> bool:
    """Whether a person caused an event. `here` says which seats a person played after it, and is updated."""
    match event:
        case PresenceChanged(seat, Presence.AWAY, by):
            here[seat] = True  # before that
            return by is not None
        case RoundDealt() | Closed() | QuestionLapsed() | TurnMissed() | DaySpent():
            return False
        case Played(forced=True):
            return False
        case Laid(seat=seat) | Played(seat=seat) | Claimed(seat=seat) | Sang(seat):
            return here[seat]
        case _:
            return True


def _continues_wait(event: LogEvent, state: TableState) -> bool:
    """Whether the table went on waiting for the same thing. In a pause, the return of the first person doesn't begin
    another wait here."""
    match event:
        case Laid() | Claimed() | Sang() | Reacted() | Nudged() | DaySpent():
            return True
        case QuestionAsked() | QuestionAnswered() | QuestionLapsed() | Paused() | Resumed():
            return True
        case Moved():
            return state.match is not None
        case SeatTaken(seat):
            return state.match is not None and state.match.turn != seat
        case PresenceChanged(seat, presence):
            turn = None if state.match is None else state.match.turn
            return state.anybody_here and (seat, presence) != (turn, Presence.HERE)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Happened:
    """A fact of a match. `stand_ins`: the cards of that round that a computer had played in a person's place."""

    fact: Fact
    stand_ins: CardSet


def recap(entries: Sequence[LogEntry], seat: int, since: int | None) -> tuple[Happened, ...]:
    """List what has happened in a match since the person of a seat last looked.

    Args:
        entries: the whole log, in order.
        seat: the person's seat.
        since: the match's version then; if that isn't known, it counts from what they did last.

    Raises:
        CodecError: if a row can't be read.
        IllegalMove: if an event isn't legal where it stands.
    """
    told: list[Happened] = []
    for event, before, after in LOG.states(LOG.events(entries)):
        match = after.match
        if before is None or match is None or (before.match is not None and before.match.version == match.version):
            continue
        if told and isinstance(told[-1].fact, CardLaid):
            told.pop()  # the fact that follows says what became of that card
        if since is None or match.version > since:
            told += [Happened(fact, after.stand_ins) for fact in match.facts]
        if _is_own_move(event, seat) and before.current_here:
            told.clear()
    return tuple(told)
