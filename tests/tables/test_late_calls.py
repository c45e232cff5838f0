"""Work that falls due while a click is being stored: the click ends the wait that it was for, so nothing happens."""

from bot.tables.log.actions import Join
from bot.tables.log.change import Change
from bot.tables.log.decide import decide
from bot.tables.log.events import Phase, Presence
from tests.support.tables.hall import PACE, Hall, move_by, state_of
from tests.support.tables.kit import ANA, BEA
from tests.support.tables.timing import START
from tests.tables.test_deadlines import deadline_in, presences


async def test_a_deadline_that_passes_while_a_move_is_stored_makes_nobody_away(hall: Hall):
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(PACE.turn - 1)
    async with table._lock:
        await hall.clock.strike(START.replace(minute=2))
        # Hold the lock as a move does while it is being stored; then the turn passes on.
        event = state_of(table).match.event_of(move_by(table).move)  # type: ignore[union-attr]
        await table._commit(Change(state_of(table)).then([event]))
    await hall.clock.settle()
    assert presences(table) == [Presence.HERE] * 2
    assert deadline_in(hall, table) == PACE.turn


async def test_a_warning_due_while_a_move_is_stored_is_dropped_and_the_next_turn_has_its_own(hall: Hall):
    table = await hall.match(ANA, BEA)
    hall.seen.calls.clear()
    async with table._lock:
        await hall.clock.strike(START.replace(minute=1, second=30))
        event = state_of(table).match.event_of(move_by(table).move)  # type: ignore[union-attr]
        await table._commit(Change(state_of(table)).then([event]))
    await hall.clock.settle()
    assert hall.seen.whats() == ["table_changed"]
    await hall.clock.advance(PACE.turn - PACE.warning)
    assert hall.seen.whats() == ["table_changed", "deadline_near"]


async def test_a_lobby_that_changes_as_it_expires_stays_open(hall: Hall):
    table = await hall.lobby(ANA)
    async with table._lock:
        await hall.clock.strike(START.replace(hour=13))
        await table._commit(decide(state_of(table), Join(BEA), table.id))
    await hall.clock.settle()
    assert table.phase is Phase.LOBBY
    await hall.clock.advance(PACE.lobby)
    assert table.phase is Phase.EXPIRED
