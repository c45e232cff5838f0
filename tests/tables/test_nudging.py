"""Nudge: after half of a slow turn's time the others may have its player told that they wait, once together."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.refusals import CommonRefusal
from bot.tables.live.table import Table
from bot.tables.log.actions import Nudge
from bot.tables.log.holidays import with_days
from bot.tables.log.pace import DAY, Tempo
from bot.tables.log.topics import Nudged
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TablePreferences
from tests.support.tables.hall import Hall, move_by, person_at, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, STRANGER, config_of, refused

SLOW = replace(config_of(), tempo=Tempo.DAY)


def other(table: Table, by: int = 1) -> Nudge:
    """Another person presses."""
    seats = len(table.view().seats)
    return Nudge(person_at(table, (turn_of(table) + by) % seats), table.view().version)


async def test_it_takes_half_of_the_turns_time(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(DAY / 2 - 1)
    assert not table.view().may_nudge
    with refused(CommonRefusal.STALE):
        await table.submit(other(table))
    changes = len(hall.seen.calls)
    await hall.clock.advance(1)
    assert table.view().may_nudge
    assert hall.seen.whats()[changes:] == ["table_changed"], "the button is shown then"
    await table.submit(other(table))
    assert hall.seen.whats()[-1] == "nudged"
    assert table.view().nudged_by == 1 - turn_of(table)


async def test_all_others_have_one_together_in_a_turn_also_across_restarts(hall: Hall):
    table = await hall.match(ANA, BEA, CLO, config=SLOW)
    await hall.clock.advance(DAY / 2)
    await table.submit(other(table))
    with refused(CommonRefusal.STALE):
        await table.submit(other(table, 2))
    hall = await hall.restarted()
    found = hall.manager.get(table.id)
    assert found is not None
    assert found.view().may_nudge
    with refused(CommonRefusal.STALE):
        await found.submit(other(found, 2))
    assert "nudged" not in hall.seen.whats()
    deadline = found.view().deadline
    assert deadline is not None
    assert deadline - hall.time.now() == timedelta(hours=12), "and the clock goes on"
    await found.submit(move_by(found))
    await hall.clock.advance(DAY / 2)
    await found.submit(other(found))
    assert sum(isinstance(event, Nudged) for event in await hall.log(found)) == 2


async def test_neither_the_player_nor_a_stranger_nudges(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(DAY / 2)
    await table.submit(other(table, 0))
    with refused(TableRefusal.NOT_SEATED):
        await table.submit(Nudge(STRANGER, table.view().version))
    assert state_of(table).nudged_by is None


@pytest.mark.parametrize("tempo", [Tempo.USUAL, Tempo.OPEN])
async def test_there_is_none_in_other_matches(hall: Hall, tempo: Tempo):
    table = await hall.match(ANA, BEA, config=replace(SLOW, tempo=tempo))
    await hall.clock.advance(100)
    assert not table.view().may_nudge


async def test_nobody_is_nudged_on_holiday(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(DAY / 2)
    today = hall.time.now().date()
    days = with_days((), today, today + timedelta(days=2))
    await hall.preferences.change(person_at(table, turn_of(table)).id, TablePreferences, holidays=days)
    assert not table.view().may_nudge


async def test_robots_alone_do_not_wait(hall: Hall):
    table = await hall.match(ANA, config=SLOW, computers=1)
    while not state_of(table).current_here:
        await hall.clock.advance(3)
    await hall.clock.advance(DAY / 2)
    assert not table.view().may_nudge
