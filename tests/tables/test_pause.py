"""Pauses of slow matches: the clocks stand still, and go on with what was left."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.clock import Breaks
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.live.table import Table
from bot.tables.log.actions import Answer, Ask, ClaimMatch, Leave, Resume
from bot.tables.log.events import Config, Fixture, Phase, Presence, PresenceChanged
from bot.tables.log.pace import DAY, Tempo
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState
from bot.tables.log.topics import Paused, Topic
from bot.tables.refusals import TableRefusal
from tests.support.tables.hall import Hall, move_by, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, FRIENDLY, act, config_of, events_of, play_to, playing, refused
from tests.support.tables.timing import START

SLOW = replace(config_of(), tempo=Tempo.DAY)
OPEN = replace(config_of(), tempo=Tempo.OPEN)
PAUSABLE = Times(now=1000, pausable=True, slow=True)
PAUSE = Ask(ANA, Topic.PAUSE, 7)
HOUR = DAY / 24


def later(days: float) -> float:
    """A moment in seconds since 1970."""
    return START.timestamp() + days * DAY


def asked(state: TableState, person: Person = ANA) -> TableState:
    return play_to(state, *events_of(state, Ask(person, Topic.PAUSE, 7), times=PAUSABLE))


def answer(state: TableState, person: Person, *, agrees: bool = True) -> list:
    assert state.question is not None
    return events_of(state, Answer(person, state.question.number, agrees), times=PAUSABLE)


async def agree(table: Table, *people: Person, days: int = 7) -> None:
    """Ask for a pause as the first of these people; the others agree."""
    asker, *others = people
    await table.submit(Ask(asker, Topic.PAUSE, days))
    for person in others:
        question = table.view().question
        assert question is not None
        await table.submit(Answer(person, question.number, agrees=True))


def left(hall: Hall, table: Table) -> float:
    """The seconds until the deadline."""
    deadline = table.view().deadline
    assert deadline is not None
    return (deadline - hall.time.now()).total_seconds()


# ------------------------------------------------------------------ a clock with breaks


def test_a_clock_stands_still_in_its_breaks_also_where_they_overlap():
    breaks = Breaks([(later(5), later(6)), (later(1), later(2)), (later(1.5), later(3))])
    assert breaks.times == ((later(1), later(3)), (later(5), later(6)))
    for days, ran in ((1, 1), (2, 1), (3, 1), (4, 2), (5.5, 3), (7, 4)):
        assert breaks.running(START, START + timedelta(days=days)) == ran * DAY
    assert breaks.running(START + timedelta(days=2), START + timedelta(days=4)) == DAY


@pytest.mark.parametrize(("begin", "days", "due"), [(0, 0.5, 0.5), (0, 2, 4), (2, 0.5, 3.5), (0, 3.5, 6.5), (7, 1, 8)])
def test_it_is_due_once_it_has_run_for_so_long(begin: float, days: float, due: float):
    breaks = Breaks([(later(1), later(3)), (later(5), later(6))])
    since, when = START + timedelta(days=begin), START + timedelta(days=due)
    assert breaks.after(since, days * DAY) == when
    assert breaks.running(since, when) == days * DAY


def test_it_tells_when_it_next_stops_or_goes_on():
    breaks = Breaks([(later(1), later(3))])
    assert [breaks.next_change(START + timedelta(days=each)) for each in (0, 1, 3)] == [
        START + timedelta(days=1),
        START + timedelta(days=3),
        None,
    ]


# ------------------------------------------------------------------ agreeing on it


def test_a_pause_begins_once_everybody_who_plays_agrees():
    state = asked(playing(ANA, BEA, CLO))
    state = play_to(state, *answer(state, CLO))
    assert state.pauses == ()
    state = play_to(state, *answer(state, BEA))
    assert (state.pauses, state.question) == ((Paused(0, 1000, 1000 + 7 * DAY),), None)


def test_robots_agree_and_so_do_people_who_are_away():
    state = playing(ANA, computers=2)
    assert events_of(state, PAUSE, times=PAUSABLE)[-1] == Paused(0, 1000, 1000 + 7 * DAY)
    state = asked(play_to(playing(ANA, BEA, CLO), PresenceChanged(2, Presence.AWAY)))
    assert isinstance(answer(state, BEA)[-1], Paused)


def test_a_refused_pause_can_be_asked_for_again_in_the_next_round_and_the_end_meanwhile():
    state = asked(playing())
    state = play_to(state, *answer(state, BEA, agrees=False))
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, PAUSE, times=PAUSABLE)
    assert events_of(state, Ask(ANA), times=PAUSABLE)


@pytest.mark.parametrize(
    ("state", "times", "days"),
    [
        (playing(), Times(now=1000), 7),
        (playing(), PAUSABLE, 15),
        (replace(playing(), fixture=Fixture(1, 1, 1)), PAUSABLE, 7),
        (play_to(playing(), Paused(1, 0, 2000)), PAUSABLE, 7),
    ],
    ids=["quick", "too long", "a tournament's", "paused already"],
)
def test_there_is_no_pause(state: TableState, times: Times, days: int):
    with refused(CommonRefusal.STALE):
        events_of(state, Ask(ANA, Topic.PAUSE, days), times=times)


def test_its_asker_ends_it_early_and_the_others_only_once_its_asker_is_gone():
    state = play_to(playing(ANA, BEA, CLO), Paused(0, 900, 2000))
    with refused(CommonRefusal.STALE):
        events_of(state, Resume(BEA), times=PAUSABLE)
    ended = play_to(state, *events_of(state, Resume(ANA), times=PAUSABLE))
    assert (ended.pauses, ended.pause_at(1000)) == ((Paused(0, 900, 1000),), None)
    with refused(CommonRefusal.STALE):
        events_of(ended, Resume(ANA), times=PAUSABLE)
    assert act(state, Leave(ANA)).pause_at(1000) is not None
    assert events_of(act(state, Leave(ANA)), Resume(BEA), times=PAUSABLE)


# ------------------------------------------------------------------ the clocks


async def test_the_deadline_goes_on_with_what_was_left(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    seat = turn_of(table)
    await hall.clock.advance(10 * HOUR)
    await agree(table, ANA, BEA)
    assert left(hall, table) == 7 * DAY + 14 * HOUR
    await hall.clock.advance(7 * DAY - 1)
    assert table.view().pause is not None
    calls = len(hall.seen.calls)
    await hall.clock.advance(1)
    assert table.view().pause is None
    assert hall.seen.whats()[calls:] == ["table_changed"], "the table says so no more"
    await hall.clock.advance(14 * HOUR - 1)
    assert table.view().missed == ()
    await hall.clock.advance(1)
    assert table.view().missed == (seat,)


async def test_a_pause_survives_restarts_with_what_was_left(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(10 * HOUR)
    await agree(table, BEA, ANA, days=14)
    for days in (3, 5):
        hall = await hall.restarted(away=days * DAY)
        found = hall.manager.get(table.id)
        assert found is not None
        assert found.view().pause is not None
    await hall.clock.advance(6 * DAY)
    hall = await hall.restarted()
    found = hall.manager.get(table.id)
    assert found is not None
    assert (found.view().pause, left(hall, found)) == (None, 14 * HOUR)


async def test_an_early_end_lets_the_clock_run_at_once(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(10 * HOUR)
    await agree(table, ANA, BEA)
    await hall.clock.advance(2 * DAY)
    await table.submit(Resume(ANA))
    assert (table.view().pause, left(hall, table)) == (None, 14 * HOUR)
    await hall.clock.advance(14 * HOUR)
    assert table.view().missed


async def test_whoever_wants_to_plays_on_in_a_pause_and_the_next_turn_has_its_time_after_it(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await agree(table, ANA, BEA)
    await hall.clock.advance(DAY)
    await table.submit(move_by(table))
    assert left(hall, table) == 6 * DAY + DAY
    assert hall.seen.whats().count("deadline_near") == 0


async def test_nobody_is_notified_or_warned_in_a_pause(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await agree(table, ANA, BEA)
    await hall.clock.advance(7 * DAY)
    assert not {"deadline_near", "nudge_due"} & set(hall.seen.whats())
    await hall.clock.advance(0.8 * DAY)
    assert "deadline_near" in hall.seen.whats()


async def test_without_deadlines_a_match_is_not_claimed_or_dropped_for_the_time_of_a_pause(hall: Hall):
    table = await hall.match(ANA, BEA, config=OPEN)
    late = turn_of(table)
    await hall.clock.advance(DAY)
    await agree(table, ANA, BEA, days=14)
    claim = ClaimMatch((ANA, BEA)[1 - late], table.view().version)
    await hall.clock.advance(14 * DAY)
    with refused(CommonRefusal.STALE):
        await table.submit(claim)
    await hall.clock.advance(13 * DAY)
    await table.submit(claim)
    assert table.phase is Phase.FORFEITED


@pytest.mark.parametrize("config", [FRIENDLY, config_of()])
async def test_a_match_without_deadlines_is_kept_for_the_time_of_a_pause_longer(hall: Hall, config: Config):
    table = await hall.match(ANA, BEA, config=replace(config, tempo=Tempo.OPEN))
    await agree(table, ANA, BEA, days=14)
    await hall.clock.advance(14 * DAY)
    assert not table.forgotten
    kept = 28 * DAY if table.contested else 14 * DAY
    await hall.clock.advance(kept - 1)
    assert table.phase is Phase.PLAYING
    await hall.clock.advance(1)
    assert table.phase is Phase.IDLE
