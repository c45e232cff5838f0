"""Questions to a log: what is due at a table, what ends a match, and what its people must agree to."""

from dataclasses import dataclass, replace
from typing import Final

from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.change import DealDue
from bot.tables.log.events import Closed, LogEvent, Phase, Presence, PresenceChanged, Swapped
from bot.tables.log.pace import DAY
from bot.tables.log.seats import Question
from bot.tables.log.state import TableState
from bot.tables.log.topics import Paused, QuestionAnswered, QuestionAsked, QuestionLapsed, Resumed, SeatTaken, Topic
from bot.tables.refusals import Conflicting, TableRefusal

_FEWEST = 2


def rematch_due(state: TableState) -> DealDue | None:
    """The start of a rematch once everybody has joined, with all in their old seats; None while somebody is missing.

    If others sit there too, or the number of players is different, the start is left to them.
    """
    if not state.invited or state.missing or len(state.seats) != len(state.invited) or state.unagreed:
        return None
    moved: list[LogEvent] = []
    for old_seat, person in enumerate(state.invited):
        now = None if person is None else state.seat_of(person.id)
        if now is not None and now != old_seat:
            moved.append(Swapped(old_seat, now))
            state = state.apply(moved[-1])
    try:
        return replace(match_due(state), before=tuple(moved), optional=True)
    except Refusal:
        return None


def match_due(state: TableState) -> DealDue:
    """The start of the match with its first deal. Raises Refusal if those who are seated can't play what was agreed."""
    config = state.config
    players = len(state.seats)
    if players < _FEWEST:
        raise Refusal(TableRefusal.TOO_FEW)
    seating = config.seating(players)
    if seating is None:
        raise Refusal(TableRefusal.NO_SEATING)
    if conflicts := config.conflicts_with(seating):
        raise Conflicting(conflicts)
    return DealDue(1, seating, begins=True)


def deal_due(state: TableState) -> DealDue:
    """The next round's deal. Raises Refusal if a round is running."""
    match = state.match
    if match is None or match.stage is not Stage.TO_DEAL:
        raise Refusal(CommonRefusal.STALE)
    return DealDue(match.round_number + 1, match.seating)


def claimed(state: TableState, match: Match, seat: int, *, claimable: bool) -> list[LogEvent]:
    """The current player loses by time; if only one side is left, it has won. Partners don't claim from each other."""
    if match.turn is None or not claimable or not state.contested or not state.seats[match.turn].human_here:
        raise Refusal(CommonRefusal.STALE)
    if match.seating.side_of(seat) == match.seating.side_of(match.turn):
        raise Refusal(CommonRefusal.STALE)
    lost = PresenceChanged(match.turn, Presence.LEFT, by=seat)
    after = state.apply(lost)
    return [lost] if after.default_winner is None else [lost, ended(after, Phase.FORFEITED)]


def check_may_cancel(state: TableState, person_id: int, *, moderator: bool, untouched: bool) -> None:
    """Check that a person may end a table for everybody. Raises Refusal if they may not."""
    if state.may_cancel(person_id, moderator=moderator, untouched=untouched):
        return
    if state.contested:
        raise Refusal(TableRefusal.NEEDS_EVERYBODY)
    raise Refusal(TableRefusal.NOT_ALLOWED if state.fixture is None else TableRefusal.OF_TOURNAMENT)


def ended(state: TableState, phase: Phase, by: Person | None = None) -> Closed:
    """The end of a table whose match isn't played to its end. Whoever has given a rated match up has lost it, however
    it ends."""
    return Closed(Phase.FORFEITED if state.forfeits else phase, by)


def forfeit(*seats: int, by: Person | None = None) -> list[LogEvent]:
    """A tournament's match ends because the player of a seat has left (`by`) or let the deadline pass, or because
    nobody has come to any of its seats."""
    return [*(PresenceChanged(seat, Presence.LEFT) for seat in seats), Closed(Phase.FORFEITED, by)]


PAUSES: Final = (3, 7, 14)
"""The possible lengths of a pause, in days."""


@dataclass(frozen=True, slots=True)
class Times:
    """The clock's part in an action, and the people who haven't pressed.

    Attributes:
        overdue: whether the current player has kept the others waiting for so long that a computer may play for them.
        claimable: whether they have done so for so long that the others may claim the match.
        half_over: whether half of a slow turn's time is over, so that its player may be nudged.
        answer_by: when a question asked now must be answered, in seconds since 1970.
        unready: the seats of the people for whom the next round waits.
        now: the current time, in seconds since 1970.
        slow: whether a turn takes a day or more; in a lobby, after the action.
        was_slow: in a lobby, whether it did before.
        pausable: whether it does, or its lobby has chosen to have no deadline.
        untouched: whether nobody has moved for so long that a moderator may end even a rated match.
        ok_by: until when the match would wait for an OK on what this action changes, in seconds since 1970.
        ok_over: whether the match needn't wait any more for an OK on what was changed before.
    """

    overdue: bool = False
    claimable: bool = False
    answer_by: int = 0
    unready: frozenset[int] = frozenset()
    now: int = 0
    slow: bool = False
    was_slow: bool = False
    pausable: bool = False
    untouched: bool = False
    half_over: bool = False
    ok_by: int = 0
    ok_over: bool = False


def asked(state: TableState, seat: int, topic: Topic, days: int, times: Times) -> list[LogEvent]:
    """The player of a seat asks whether the match is to end or to pause."""
    possible = {
        Topic.END: state.contested,
        Topic.PAUSE: times.pausable and state.fixture is None and days in PAUSES and state.pause_at(times.now) is None,
        Topic.SEAT: False,
    }
    if not possible[topic]:
        raise Refusal(CommonRefusal.STALE)
    return _ask(state, QuestionAsked(seat, times.answer_by, topic, days), state.seats[seat].person_id, times)


def seat_wanted(state: TableState, person: Person, seat: int, times: Times) -> list[LogEvent]:
    """Somebody who has no seat asks for a vacant one; nobody holds two."""
    elsewhere = any(each.person_id == person.id for index, each in enumerate(state.seats) if index != seat)
    if elsewhere or seat not in state.vacant(slow=times.slow):
        raise Refusal(CommonRefusal.STALE)
    return _ask(state, QuestionAsked(seat, times.answer_by, Topic.SEAT, by=person), person.id, times)


def answered(state: TableState, seat: int, number: int, times: Times, *, agrees: bool) -> list[LogEvent]:
    """An answer to the open question; once everybody who is asked agrees, it is done."""
    question = state.question
    if question is None or question.number != number or seat not in _voters(state, question, seat):
        raise Refusal(CommonRefusal.STALE)
    if agrees and seat in question.agreed:
        return []
    return _settled(state, QuestionAnswered(seat, agrees), times)


def resumed(state: TableState, seat: int, times: Times) -> list[LogEvent]:
    """The pause ends early: its asker is back or, if they no longer play, somebody else wants to go on."""
    pause = state.pause_at(times.now)
    if pause is None or (pause.seat != seat and state.seats[pause.seat].human_here):
        raise Refusal(CommonRefusal.STALE)
    return [Resumed(seat, times.now)]


def _ask(state: TableState, event: QuestionAsked, asker: int | None, times: Times) -> list[LogEvent]:
    if not state.may_ask(event.topic, asker):
        raise Refusal(TableRefusal.ASKED_BEFORE)
    return _settled(state, event, times)


def _settled(state: TableState, event: QuestionAsked | QuestionAnswered, times: Times) -> list[LogEvent]:
    """A question or an answer, and what it brings about."""
    after = state.apply(event)
    question = after.question
    if question is None or not _voters(after, question) <= question.agreed:
        return [event]
    match question.topic:
        case Topic.END:
            return [event, ended(state, Phase.AGREED)]
        case Topic.PAUSE:
            return [event, Paused(question.seat, times.now, times.now + question.days * DAY)]
        case Topic.SEAT:
            return [event, QuestionLapsed() if question.by is None else SeatTaken(question.seat, question.by)]


def _voters(state: TableState, question: Question, *back: int) -> frozenset[int]:
    """The seats whose people must agree: those who may come back, if the match is to end; else those who are here."""
    if question.topic is Topic.END:
        return frozenset(index for index, each in enumerate(state.seats) if each.may_return)
    return state.people_here.union(back).difference({question.seat} if question.topic is Topic.SEAT else ())
