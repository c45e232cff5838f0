"""Forced cards at a live table: one transaction for the move and what it leaves no choice about."""

from dataclasses import replace

import pytest

from bot.engine.events import Played
from bot.engine.moves import Stage
from bot.platform.people import Person
from bot.tables.live.table import Table
from bot.tables.live.timing import FEAT_SECONDS
from bot.tables.log.change import Change
from bot.tables.log.events import Config, LogEvent
from bot.tables.log.pace import DAY, Tempo
from tests.support.tables.hall import Hall, move_by, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CLO, DON, FRIENDLY, config_of

SLOW = replace(config_of(), tempo=Tempo.DAY)


def to_play(table: Table) -> bool:
    match = table.view().match
    return match is not None and match.stage is Stage.TO_PLAY


async def play_round(hall: Hall, table: Table, *, restarts: bool = False) -> tuple[Hall, Table]:
    """Play first legal moves until the round is scored, with a new process after each if so."""
    while to_play(table):
        if state_of(table).current_here:
            await table.submit(move_by(table))
        else:
            await hall.clock.advance(FEAT_SECONDS)
        if restarts:
            hall = await hall.restarted()
            found = hall.manager.get(table.id)
            assert found is not None
            table = found
    return hall, table


def forced_in(events: list[LogEvent]) -> list[Played]:
    return [event for event in events if isinstance(event, Played) and event.forced]


async def test_they_are_stored_with_the_move_before_them_and_shown_once(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    grown: list[int] = []
    while to_play(table):
        calls, version = len(hall.seen.calls), table.version
        await table.submit(move_by(table))
        changed = [call for call in hall.seen.calls[calls:] if call.what == "table_changed"]
        assert len(changed) == 1
        assert changed[0].stored == table.version, "nobody sees what isn't stored"
        grown.append(table.version - version)
    assert max(grown) >= 3, "the last cards of a deal are a chain"
    assert len(forced_in(await hall.log(table))) == sum(grown) - len(grown)
    assert await hall.stored(table) == state_of(table)


@pytest.mark.parametrize(("people", "computers"), [((ANA, BEA), 0), ((ANA, BEA), 2), ((ANA, BEA, CLO, DON), 0)])
async def test_a_restart_after_any_move_changes_nothing(hall: Hall, people: tuple[Person, ...], computers: int):
    table = await hall.match(*people, config=replace(FRIENDLY, tempo=Tempo.DAY), computers=computers)
    begun, version = state_of(table), table.version
    hall, table = await play_round(hall, table, restarts=True)
    events = (await hall.log(table))[version:]
    played, change = [event for event in events if isinstance(event, Played)], Change(begun)
    assert forced_in(events)
    for event in played:
        if not event.forced:
            change = Change(change.state, change.events).then([event]).with_forced()
    assert [event for event in change.events if isinstance(event, Played)] == played


@pytest.mark.parametrize(
    "config", [config_of(), replace(SLOW, forced=False), replace(config_of("quince"), tempo=Tempo.DAY)]
)
async def test_elsewhere_people_play_them(hall: Hall, config: Config):
    table = await hall.match(ANA, BEA, config=config)
    await play_round(hall, table)
    assert forced_in(await hall.log(table)) == []


async def test_the_turn_of_the_next_person_begins_with_the_move_before_the_chain(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    while not forced_in(await hall.log(table)):
        await hall.clock.advance(60)
        await table.submit(move_by(table))
    deadline = table.view().deadline
    assert deadline is not None
    assert (deadline - hall.time.now()).total_seconds() == DAY


async def test_a_robots_move_for_a_missed_turn_goes_on_to_the_forced_cards(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    while sum(map(len, state_of(table).match.round.hands)) > 3:  # type: ignore[union-attr]
        await table.submit(move_by(table))
    late, version = turn_of(table), table.version
    await hall.clock.advance(DAY)
    await hall.clock.advance(FEAT_SECONDS)
    log = (await hall.log(table))[version:]
    robot = [event for event in log if isinstance(event, Played) and not event.forced]
    assert [event.seat for event in robot] == [late]
    assert forced_in(log)
    assert table.view().missed == (late,), "the forced card is no move of their own"
