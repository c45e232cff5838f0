"""Quiet hours at a slow table: when its player is told, and until when they can answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.language.quiet import Quiet
from bot.tables.live.table import Table
from bot.tables.log.actions import Touch
from bot.tables.log.pace import Tempo
from bot.tables.settings import TablePreferences
from tests.support.tables.hall import PACE, Build, Hall, move_by, person_at, turn_of
from tests.support.tables.kit import ANA, BEA, config_of

SLOW = replace(config_of(), tempo=Tempo.DAY)
NIGHT = Quiet("UTC", 23, 8)
TWO_HOURS = timedelta(hours=2)


async def at(hall: Hall, day: int, hour: float) -> None:
    """Let time pass until an hour of a day of the test."""
    when = datetime(2026, 3, 10, tzinfo=UTC) + timedelta(days=day, hours=hour)
    await hall.clock.advance((when - hall.time.now()).total_seconds())


async def slow_turn(build: Build, hour: float) -> tuple[Hall, Table]:
    """A match whose present turn came at an hour of the first day; its players sleep."""
    hall = await build(replace(PACE, nudge=45))
    hall.time.move_to(datetime(2026, 3, 10, tzinfo=UTC))
    hall.sleeps = True
    table = await hall.match(ANA, BEA, config=SLOW)
    await at(hall, 0, hour)
    seat = turn_of(table)
    while turn_of(table) == seat:
        await table.submit(move_by(table))
    return hall, table


def noted(hall: Hall, what: str) -> list[int]:
    """The places in the list of calls in which the table had its player told."""
    return [number for number, each in enumerate(hall.seen.whats()) if each == what]


def deadline_of(table: Table) -> datetime:
    deadline = table.view().deadline
    assert deadline is not None
    return deadline


@pytest.mark.parametrize("back", [range(0, 24, 3), range(1, 24, 3), range(2, 24, 3)], ids=str)
async def test_after_an_outage_there_are_two_hours_of_the_day_between_a_notice_and_the_deadline(
    build: Build, back: range
):
    for hour in back:
        hall, table = await slow_turn(build, 5)
        await at(hall, 1, 1)
        told_before = len(noted(hall, "deadline_near"))
        away = timedelta(days=1, hours=hour) - timedelta(hours=1, minutes=1)
        hall = await hall.restarted(away=away.total_seconds(), killed=True)
        found = hall.manager.get(table.id)
        assert found is not None
        deadline, since = deadline_of(found), hall.time.now()
        assert NIGHT.awake(since, TWO_HOURS.total_seconds(), hall.clock.outages) <= deadline
        assert told_before or not NIGHT.span(deadline) or NIGHT.awake(since, 0, hall.clock.outages) == since
        while not noted(hall, "deadline_near") and hall.time.now() < deadline:
            await hall.clock.advance(60)
        told = hall.time.now()
        assert NIGHT.span(told) is None, hour
        assert told + TWO_HOURS <= deadline, hour
        await hall.close()


@pytest.mark.parametrize(
    ("choice", "hours"),
    [({"quiet_hours": "none"}, 3.1), ({"zone": "Asia/Tokyo"}, 3.1), ({"quiet_hours": "1-10"}, 10.1)],
    ids=["none", "zone", "later"],
)
async def test_a_turn_is_told_by_the_quiet_hours_that_its_player_chooses_meanwhile(
    build: Build, choice: dict[str, str], hours: float
):
    hall, table = await slow_turn(build, 23.5)
    told = len(noted(hall, "nudge_due"))
    await at(hall, 1, 3)
    assert len(noted(hall, "nudge_due")) == told
    await hall.preferences.change(person_at(table, turn_of(table)).id, TablePreferences, **choice)
    await at(hall, 1, hours - 0.2)
    assert len(noted(hall, "nudge_due")) == told
    await at(hall, 1, hours)
    assert len(noted(hall, "nudge_due")) == told + 1


async def test_a_second_notice_comes_before_quiet_hours_that_begin_sooner_now(build: Build):
    hall, table = await slow_turn(build, 5)
    await at(hall, 0, 19)
    assert noted(hall, "deadline_near") == []
    await hall.preferences.change(person_at(table, turn_of(table)).id, TablePreferences, quiet_hours="21-8")
    await at(hall, 0, 19.1)
    assert len(noted(hall, "deadline_near")) == 1, "18:00, three hours before them, is over"


async def test_a_restart_while_a_second_notice_is_due_sets_the_clock_of_the_turn(build: Build):
    hall, table = await slow_turn(build, 5)
    await table.submit(Touch(person_at(table, turn_of(table))))
    await at(hall, 0, 21)
    hall = await hall.restarted()
    found = hall.manager.get(table.id)
    assert found is not None
    found.note_notified()
    found.rearm_for(person_at(found, turn_of(found)).id)
    assert found.view().deadline == deadline_of(table)
    await hall.clock.advance(60)
    assert len(noted(hall, "deadline_near")) == 1
