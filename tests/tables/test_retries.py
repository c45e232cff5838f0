"""Work that falls due while the store can't write is tried again, and the tables go on once it can."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.eventlog import LogEntry
from bot.platform.refusals import CommonRefusal
from bot.tables.live.table import Table
from bot.tables.live.waiting import LEAST_SECONDS, RETRY_SECONDS
from bot.tables.log.actions import Touch
from bot.tables.log.codec import encode
from bot.tables.log.events import Phase, Presence
from tests.support.errors import Expected
from tests.support.tables.hall import PACE, Hall, move_by, person_at, play_round, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, first_move, next_round, refused, the_match
from tests.tables.test_manager import damage


async def test_a_deadline_that_cant_be_stored_makes_nobody_away_and_leaves_time_to_answer(hall: Hall):
    table = await hall.match(ANA, BEA)
    before = state_of(table)
    hall.store.broken = True
    await hall.clock.advance(PACE.turn)
    assert state_of(table) == before
    hall.store.broken = False
    hall.seen.calls.clear()
    await hall.clock.advance(RETRY_SECONDS)
    deadline = table.view().deadline
    assert deadline is not None
    assert (deadline - hall.time.now()).total_seconds() == LEAST_SECONDS
    assert hall.seen.whats() == ["table_changed", "deadline_near"], "people see the new deadline"
    await hall.clock.advance(LEAST_SECONDS)
    assert state_of(table).seats[turn_of(table)].presence is Presence.AWAY
    assert await hall.stored(table) == state_of(table)


async def test_a_computer_tries_again_until_its_move_is_stored(hall: Hall):
    table = await hall.match(ANA, computers=1)
    version = table.version
    hall.store.broken = True
    await hall.clock.advance(10 * (RETRY_SECONDS + PACE.computer))
    assert table.version == version
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.computer)
    assert table.version == version + 1
    assert turn_of(table) == 0


async def test_a_round_that_cant_be_dealt_is_dealt_later(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    hall.store.broken = True
    await hall.clock.advance(PACE.next_round)
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.next_round)
    match = table.view().match
    assert match is not None
    assert match.round_number == 2


async def test_a_lobby_and_an_empty_match_that_cant_be_closed_are_closed_later(hall: Hall):
    lobby = await hall.lobby(ANA, channel=1)
    match = await hall.match(ANA, BEA, channel=2)
    await hall.clock.advance(2 * PACE.turn + PACE.computer)
    hall.store.broken = True
    await hall.clock.advance(PACE.lobby)
    assert (lobby.phase, match.phase) == (Phase.LOBBY, Phase.PLAYING)
    hall.store.broken = False
    await hall.clock.advance(RETRY_SECONDS + PACE.lobby)
    assert (lobby.phase, match.phase) == (Phase.EXPIRED, Phase.ABANDONED)


async def log_ahead(hall: Hall, table: Table) -> None:
    """Store the next move at a table without its knowledge, as when a commit succeeds but is reported as a failure."""
    event = the_match(state_of(table)).event_of(first_move(state_of(table)))
    await hall.store.games.append(table.id, [LogEntry(table.version + 1, *encode(event), hall.time.now())])


async def test_a_table_whose_log_is_ahead_is_read_again(hall: Hall):
    table = await hall.match(ANA, BEA)
    await log_ahead(hall, table)
    with refused(CommonRefusal.STALE):
        await table.submit(move_by(table))
    assert state_of(table) == await hall.stored(table)
    await table.submit(move_by(table))
    assert state_of(table) == await hall.stored(table)


@pytest.mark.parametrize("damaged", [False, True])
async def test_a_table_that_cant_be_read_again_says_so_tries_later_and_holds_up_no_other(
    hall: Hall, damaged: bool, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    async def unreadable(game_id: int) -> Any:
        raise StoreUnavailable(Fault.LOCKED, "the database is locked")

    table, fine = await hall.match(ANA, BEA, channel=1), await hall.match(ANA, BEA, channel=2)
    await log_ahead(hall, table)
    if not damaged:
        monkeypatch.setattr(hall.store.games, "log", unreadable)
    else:
        damage(hall, "update events set body = '{' where version = 3 and game_id = 1")
        expected_errors.append(("bot.platform.database.continuing", r"^Table 1: its log is damaged \(\w+\)$"))
    before = state_of(table)
    with refused(CommonRefusal.UNREADABLE):
        await table.submit(move_by(table))
    assert state_of(table) == before
    await hall.clock.advance(PACE.turn)
    assert hall.clock.seconds_to(table.id) == RETRY_SECONDS
    assert state_of(fine).seats[turn_of(fine)].presence is Presence.AWAY, "its deadline has passed, too"
    monkeypatch.undo()
    assert state_of(fine) == await hall.stored(fine)


async def test_a_click_before_a_retry_counts_once(hall: Hall):
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


async def test_while_the_bot_stops_nothing_that_falls_due_is_stored(hall: Hall):
    table = await hall.match(ANA, BEA)
    await play_round(table)
    version = table.version
    hall.manager.close()
    await hall.clock.advance(10 * PACE.next_round)
    assert table.version == version
    restarted = await hall.restarted()
    again = restarted.manager.get(table.id)
    assert again is not None
    await next_round(again)
    assert again.version == version + 1
    await restarted.close()


async def test_while_the_bot_stops_nobody_is_notified(hall: Hall):
    await hall.match(ANA, BEA)
    hall.seen.calls.clear()
    hall.manager.close()
    await hall.clock.advance(10 * PACE.turn)
    assert (hall.seen.calls, hall.clock.due) == ([], {})


async def test_a_lobby_being_opened_when_the_bot_stops_takes_no_clicks(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    gate, open_game = asyncio.Event(), hall.store.games.open

    async def slowly(**values: Any) -> Any:
        await gate.wait()
        return await open_game(**values)

    monkeypatch.setattr(hall.store.games, "open", slowly)
    opening = asyncio.create_task(hall.lobby(ANA))
    await asyncio.sleep(0)
    hall.manager.close()
    gate.set()
    table = await opening
    with refused(CommonRefusal.CLOSING):
        await table.submit(Touch(ANA))
    await hall.clock.advance(2 * PACE.lobby)
    assert table.phase is Phase.LOBBY


# ------------------------------------------------------------------- unexpected errors


def failing(*_: object, **__: object) -> None:
    """Raise an error that no code expects."""
    raise ZeroDivisionError("on purpose")


async def _lobby(hall: Hall) -> Table:
    return await hall.lobby(ANA)


async def _empty_match(hall: Hall) -> Table:
    table = await hall.match(ANA, BEA)
    await hall.clock.advance(2 * PACE.turn + PACE.computer)
    return table


async def _computers_turn(hall: Hall) -> Table:
    return await hall.match(ANA, computers=1)


async def _persons_turn(hall: Hall) -> Table:
    return await hall.match(ANA, BEA)


async def _between_rounds(hall: Hall) -> Table:
    table = await hall.match(ANA, BEA)
    await play_round(table)
    return table


waiting = pytest.mark.parametrize(
    ("begin", "seconds", "again"),
    [
        pytest.param(_lobby, PACE.lobby, LEAST_SECONDS, id="a lobby"),
        pytest.param(_empty_match, PACE.abandon, LEAST_SECONDS, id="an empty match"),
        pytest.param(_computers_turn, PACE.computer, PACE.computer, id="a computer's turn"),
        pytest.param(_persons_turn, PACE.turn, LEAST_SECONDS, id="a person's turn"),
        pytest.param(_between_rounds, PACE.next_round, PACE.next_round / 2, id="the next round"),
    ],
)
Begin = Callable[[Hall], Awaitable[Table]]


@waiting
async def test_after_any_error_in_what_falls_due_it_is_tried_again_in_a_while(
    hall: Hall,
    begin: Begin,
    seconds: float,
    again: float,
    monkeypatch: pytest.MonkeyPatch,
    expected_errors: Expected,
):
    expected_errors.append(("bot.tables.live.waiting", r"(?s)^Table 1: a scheduled action failed.*on purpose"))
    table = await begin(hall)
    version = table.version
    with monkeypatch.context() as broken:
        broken.setattr(hall.store.games, "append", failing)
        for wait in (seconds, again, again):
            await hall.clock.advance(wait)
            assert hall.clock.seconds_to(table.id) == RETRY_SECONDS
            await hall.clock.advance(RETRY_SECONDS)
    assert (table.version, await hall.stored(table)) == (version, state_of(table))
    await hall.clock.advance(again)
    assert table.version == version + 1
    assert await hall.stored(table) == state_of(table)


async def test_after_a_warning_that_failed_the_deadline_is_still_enforced(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    expected_errors.append(("bot.tables.live.waiting", "a scheduled action failed"))
    table = await hall.match(ANA, BEA)
    with monkeypatch.context() as broken:
        broken.setattr(hall.seen, "deadline_near", failing)
        await hall.clock.advance(PACE.turn - PACE.warning)
    assert hall.clock.seconds_to(table.id) == RETRY_SECONDS
    hall.seen.calls.clear()
    await hall.clock.advance(PACE.warning)
    assert hall.seen.whats() == ["deadline_near", "table_changed"]
    assert state_of(table).seats[turn_of(table)].presence is Presence.AWAY


async def test_a_table_whose_new_deadline_cant_be_shown_keeps_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    expected_errors.append(("bot.tables.live.waiting", "a scheduled action failed"))
    table = await hall.match(ANA, BEA)
    version = table.version
    hall.store.broken = True
    await hall.clock.advance(PACE.turn)
    hall.store.broken = False
    with monkeypatch.context() as broken:
        broken.setattr(hall.seen, "table_changed", failing)
        await hall.clock.advance(RETRY_SECONDS)
    await hall.clock.advance(LEAST_SECONDS)
    assert table.version == version + 1
