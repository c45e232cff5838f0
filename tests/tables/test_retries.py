"""What time brings while the store can't write: it is tried again, and the tables go on when the store does."""

from __future__ import annotations

from bot.tables.actions import NextRound, Touch
from bot.tables.state import Phase, Presence
from bot.tables.table import RETRY_SECONDS

from .hall import PACE, Hall, move_by, person_at, play_round, state_of, turn_of
from .kit import ANA, BEA


async def test_a_deadline_that_can_t_be_stored_takes_nobody_s_seat_and_begins_anew(hall: Hall):
    table = await hall.match(ANA, BEA)
    before = state_of(table)
    hall.store.broken = True
    await hall.clock.advance(PACE.turn)
    assert state_of(table) == before
    hall.store.broken = False
    hall.seen.told.clear()
    await hall.clock.advance(RETRY_SECONDS)
    deadline = table.view().deadline
    assert deadline is not None
    assert (deadline - hall.time.now()).total_seconds() == PACE.turn
    assert hall.seen.whats() == ["changed"], "people see the new deadline"
    await hall.clock.advance(PACE.turn)
    assert state_of(table).seats[turn_of(table)].presence is Presence.AWAY
    assert await hall.stored(table) == state_of(table)


async def test_a_computer_tries_again_until_the_store_takes_its_move(hall: Hall):
    table = await hall.match(ANA, computers=1)
    version = table.version
    hall.store.broken = True
    await hall.clock.advance(10 * (RETRY_SECONDS + PACE.computer))
    assert table.version == version
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.computer)
    assert table.version == version + 1
    assert turn_of(table) == 0


async def test_a_round_that_can_t_be_dealt_is_dealt_later(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    hall.store.broken = True
    await hall.clock.advance(PACE.next_round)
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.next_round)
    match = table.view().match
    assert match is not None
    assert match.round_number == 2


async def test_a_lobby_and_an_empty_match_are_closed_later(hall: Hall):
    lobby = await hall.lobby(ANA, channel=1)
    match = await hall.match(ANA, BEA, channel=2)
    await hall.clock.advance(2 * PACE.turn + PACE.computer)
    hall.store.broken = True
    await hall.clock.advance(PACE.lobby)
    assert (lobby.phase, match.phase) == (Phase.LOBBY, Phase.PLAYING)
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.lobby)
    assert (lobby.phase, match.phase) == (Phase.EXPIRED, Phase.ABANDONED)


async def test_a_click_while_the_clock_waits_to_try_again_counts_once(hall: Hall):
    table = await hall.match(ANA, BEA)
    hall.store.broken = True
    await hall.clock.advance(PACE.turn)
    hall.store.broken = False
    person = person_at(table, turn_of(table))
    await table.submit(move_by(table, person))
    version = table.version
    await hall.clock.advance(PACE.turn - 1)
    assert table.version == version
    await table.submit(Touch(person))
    assert table.version == version


async def test_while_the_bot_stops_time_stores_nothing_more(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    version = table.version
    hall.manager.close()
    await hall.clock.advance(10 * PACE.next_round)
    assert table.version == version
    restarted = await hall.restarted()
    again = restarted.manager.get(table.id)
    assert again is not None
    await again.submit(NextRound(ANA, again.view().version))
    assert again.version == version + 1
    await restarted.close()
