"""The questions to all who play a match, and what follows once they agree. Pure, like `decide`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.platform.people.person import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.ending import ended
from bot.tables.log.events import LogEvent, Phase
from bot.tables.log.pace import DAY
from bot.tables.log.seats import Question
from bot.tables.log.state import TableState
from bot.tables.log.topics import Paused, QuestionAnswered, QuestionAsked, QuestionLapsed, Resumed, SeatTaken, Topic
from bot.tables.refusals import TableRefusal

PAUSES: Final = (3, 7, 14)
"""The possible lengths of a pause, in days."""


@dataclass(frozen=True, slots=True)
class Times:
    """The clock's part in an action, and the people who haven't pressed.

    Attributes:
        overdue: whether the current player has kept the others waiting for so long that a computer may play for them.
        claimable: whether they have done so for so long that the others may claim the match.
        answer_by: when a question asked now must be answered, in seconds since 1970.
        unready: the seats of the people for whom the next round waits.
        now: the current time, in seconds since 1970.
        slow: whether a turn takes a day or more.
        pausable: whether it does, or its lobby has chosen to have no deadline.
    """

    overdue: bool = False
    claimable: bool = False
    answer_by: int = 0
    unready: frozenset[int] = frozenset()
    now: int = 0
    slow: bool = False
    pausable: bool = False


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
