"""The next round is dealt when all people who are there are ready, or when the pause is over."""

import pytest

from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.live.table import Table
from bot.tables.log.actions import Leave, NextRound, Touch
from bot.tables.log.change import Change
from bot.tables.log.events import Presence, PresenceChanged
from tests.support.tables.hall import PACE, Hall, move_by, state_of
from tests.support.tables.kit import ANA, BEA, CLO, next_round, refused


async def scored(hall: Hall, *people: Person, computers: int = 0) -> Table:
    """A match whose first round has just been scored."""
    table = await hall.match(*people, computers=computers)
    while (match := table.view().match) is not None and match.turn is not None:
        if table.view().seats[match.turn].human_here:
            await table.submit(move_by(table))
        else:
            await hall.clock.advance(PACE.computer)
    assert dealt(table) == 1
    return table


def dealt(table: Table) -> int:
    """How many rounds have been dealt."""
    match = table.view().match
    assert match is not None
    return match.round_number


async def ask(table: Table, person: Person) -> None:
    await table.submit(NextRound(person, table.view().version))


async def test_it_is_dealt_when_the_last_of_them_is_ready(hall: Hall):
    table = await scored(hall, ANA, BEA, CLO)
    for ready, person in enumerate((CLO, ANA), start=1):
        await ask(table, person)
        assert (dealt(table), len(table.view().ready)) == (1, ready)
    calls = len(hall.seen.calls)
    await ask(table, BEA)
    assert (dealt(table), table.view().ready) == (2, frozenset())
    assert len(hall.seen.calls) == calls + 1


async def test_who_is_ready_is_shown_at_once_and_pressing_again_changes_nothing(hall: Hall):
    table = await scored(hall, ANA, BEA)
    calls = len(hall.seen.calls)
    await ask(table, BEA)
    assert table.view().ready == {1}
    assert len(hall.seen.calls) == calls + 1
    await ask(table, BEA)
    assert (dealt(table), table.view().ready) == (1, {1})


async def test_when_the_pause_is_over_it_is_dealt_for_everybody(hall: Hall):
    table = await scored(hall, ANA, BEA)
    await ask(table, ANA)
    await hall.clock.advance(PACE.next_round - 1)
    assert dealt(table) == 1
    await hall.clock.advance(1)
    assert dealt(table) == 2


async def test_somebody_who_leaves_holds_nobody_up(hall: Hall):
    table = await scored(hall, ANA, BEA, CLO)
    for person in (ANA, BEA):
        await ask(table, person)
    await table.submit(Leave(CLO))
    assert dealt(table) == 2


@pytest.mark.parametrize("back", [False, True])
async def test_nobody_waits_for_somebody_who_is_away_unless_they_come_back(hall: Hall, back: bool):
    table = await scored(hall, ANA, BEA)
    await table._commit(Change(state_of(table)).then([PresenceChanged(1, Presence.AWAY)]))
    if back:
        await table.submit(Touch(BEA))
    await ask(table, ANA)
    assert dealt(table) == (1 if back else 2)


async def test_a_press_for_the_round_before_is_too_late(hall: Hall):
    table = await scored(hall, ANA, BEA)
    late = table.view().version
    await next_round(table)
    with refused(CommonRefusal.STALE):
        await table.submit(NextRound(ANA, late))


async def test_after_a_restart_they_are_asked_again_and_the_time_runs_on(hall: Hall):
    table = await scored(hall, ANA, BEA)
    await ask(table, ANA)
    await hall.clock.advance(PACE.next_round * 0.3)
    restarted = await hall.restarted()
    again = restarted.manager.get(table.id)
    assert again is not None
    assert again.view().ready == frozenset()
    await ask(again, BEA)
    assert dealt(again) == 1
    await restarted.clock.advance(PACE.next_round * 0.7)
    assert dealt(again) == 2
    await restarted.close()


@pytest.mark.parametrize("computers", [1, 3])
async def test_against_computers_one_press_deals(hall: Hall, computers: int):
    table = await scored(hall, ANA, computers=computers)
    await ask(table, ANA)
    assert dealt(table) == 2
