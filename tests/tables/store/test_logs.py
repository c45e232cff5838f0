"""Logs: an entry that doesn't follow the one before isn't written, and an append is all or nothing."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.club.store.results import PlayerResult
from bot.platform.database.errors import RowRejected, VersionConflict
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores
from bot.tables.store import logs
from bot.tables.store.errors import GameClosed
from tests.support.dose import dose
from tests.support.patience import HANG_SECONDS
from tests.support.store import (
    NOON,
    entries,
    entry,
    match_result,
    name_of,
    new_game,
    open_game_ids,
    player_result,
    rows,
    write_transaction,
)


async def test_entries_continue_the_log(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    await store.games.append(game.id, [entry(2)])
    await store.games.append(game.id, entries(3, 5))
    assert await store.games.log(game.id) == entries(1, 5)


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([entry(2)], id="the last again"),
        pytest.param([entry(1)], id="an older one again"),
        pytest.param([entry(4)], id="a gap before"),
        pytest.param([entry(2), entry(3)], id="an overlap"),
        pytest.param([entry(3), entry(5)], id="a gap inside"),
        pytest.param([entry(3), entry(3)], id="one twice"),
        pytest.param([entry(4), entry(3)], id="backwards"),
        pytest.param([entry(0)], id="zero"),
    ],
)
async def test_an_entry_that_does_not_follow_is_a_conflict(store: Stores, more: Sequence[LogEntry]) -> None:
    game = await new_game(store, log=entries(1, 2))
    with pytest.raises(VersionConflict) as raised:
        await store.games.append(game.id, more, result=match_result([player_result(0, 1)]), close=True)
    assert raised.value.code == "version_conflict"
    assert raised.value.number == game.id
    assert await store.games.log(game.id) == entries(1, 2)
    assert await open_game_ids(store) == [game.id]
    assert rows(name_of(store), "SELECT * FROM results") == []


async def test_a_conflict_says_where_the_log_is(store: Stores) -> None:
    game = await new_game(store, log=entries(1, 2))
    with pytest.raises(VersionConflict) as raised:
        await store.games.append(game.id, [entry(2)])
    assert (raised.value.first, raised.value.found) == (2, 2)


async def test_an_empty_append_changes_nothing(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    await store.games.append(game.id, [])
    assert await open_game_ids(store) == [game.id]


async def test_of_several_appends_of_a_version_only_one_succeeds(store: Stores, database: str | Path) -> None:
    game = await new_game(store)
    other = await Stores.open(database)
    won: list[str] = []
    found: list[tuple[int, int | None]] = []

    async def append(each: Stores, body: str) -> None:
        try:
            await each.games.append(game.id, [entry(version, body)])
        except VersionConflict as conflict:
            found.append((version, conflict.found))
        else:
            won.append(body)

    try:
        for version in range(1, 6):
            racers = [append(each, f"{version}{n}") for n in range(5) for each in (store, other)]
            await asyncio.gather(*racers)
    finally:
        await other.database.close()
    assert [each.body for each in await store.games.log(game.id)] == won
    assert len(won) == 5
    assert found == [(version, version) for version in range(1, 6) for _ in range(9)]


async def test_logs_of_different_games_dont_mix(store: Stores) -> None:
    games = [await new_game(store, channel) for channel in range(4)]

    async def play(game_id: int) -> None:
        for version in range(1, 11):
            await store.games.append(game_id, [entry(version, f"{game_id}")])

    await asyncio.gather(*(play(game.id) for game in games))
    for game in games:
        assert await store.games.log(game.id) == [entry(version, f"{game.id}") for version in range(1, 11)]


async def test_a_result_is_written_with_the_entry_that_brings_it(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    players = [player_result(0, 8, name="Ana", won=True, points=21, escobas=3), player_result(1, None, points=9)]
    await store.games.append(game.id, [entry(2)], result=match_result(players, rounds=5), close=True)
    assert rows(name_of(store), "SELECT game_id, version, rounds, ranked, preset, target, seating FROM results") == [
        (game.id, 2, 5, 1, "escoba", 21, "2")
    ]
    assert rows(name_of(store), "SELECT seat, side, user_id, name, won, points, escobas FROM result_players") == [
        (0, 0, 8, "Ana", 1, 21, 3),
        (1, 1, None, "computer", 0, 9, 0),
    ]


@pytest.mark.parametrize(
    "players",
    [
        pytest.param([player_result(0, 1), player_result(0, 2)], id="a seat twice"),
        pytest.param([player_result(0, 1), player_result(1, 1)], id="a user twice"),
    ],
)
async def test_a_result_that_is_refused_leaves_nothing_behind(store: Stores, players: list[PlayerResult]) -> None:
    game = await new_game(store, log=[entry(1)])
    with pytest.raises(RowRejected):
        await store.games.append(game.id, [entry(2)], result=match_result(players), close=True)
    assert await store.games.log(game.id) == [entry(1)]
    assert await open_game_ids(store) == [game.id]
    assert rows(name_of(store), "SELECT * FROM results") == []
    await store.games.append(game.id, [entry(2)], result=match_result(players[:1]), close=True)
    assert await store.games.log(game.id) == entries(1, 2)


async def test_several_computers_play_in_a_match(store: Stores) -> None:
    game = await new_game(store)
    await store.games.append(game.id, [entry(1)], result=match_result([player_result(seat, None) for seat in range(4)]))
    assert len(rows(name_of(store), "SELECT * FROM result_players")) == 4


async def test_a_game_goes_on_after_a_match_for_a_rematch(store: Stores) -> None:
    game = await new_game(store)
    for version in (1, 2):
        await store.games.append(game.id, [entry(version)], result=match_result([player_result(0, 1)]))
    assert rows(name_of(store), "SELECT version FROM results") == [(1,), (2,)]
    assert await open_game_ids(store) == [game.id]


async def test_a_result_is_written_once(store: Stores) -> None:
    game = await new_game(store)
    await store.games.append(game.id, [entry(1)], result=match_result([player_result(0, 1)]))
    with pytest.raises(VersionConflict):
        await store.games.append(game.id, [entry(1)], result=match_result([player_result(0, 1)]))
    with pytest.raises(RowRejected):
        await store.games.append(game.id, [], result=match_result([player_result(0, 1)]))
    assert len(rows(name_of(store), "SELECT * FROM results")) == 1


async def test_nothing_can_be_added_to_a_closed_game(store: Stores) -> None:
    game = await new_game(store)
    await store.games.append(game.id, [entry(1)], close=True)
    with pytest.raises(GameClosed):
        await store.games.append(game.id, [entry(2)])
    with pytest.raises(GameClosed):
        await store.games.append(game.id, [], close=True)
    assert await store.games.log(game.id) == [entry(1)]


async def test_a_games_closing_time_is_that_of_its_latest_entry_or_result(store: Stores) -> None:
    later = NOON + timedelta(hours=1)
    closed = []
    for log, more, result in [
        ([], [], None),
        ([entry(1)], [], None),
        ([entry(1)], [entry(2)], None),
        ([entry(1)], [entry(2)], match_result([player_result(0, 1)], ended_at=later)),
    ]:
        game = await new_game(store, log=log)
        await store.games.append(game.id, more, result=result, close=True)
        row = await store.games.get(game.id)
        assert row is not None
        closed.append(row.closed_at)
    assert closed == [NOON, entry(1).at, entry(2).at, later]


async def test_reads_go_on_during_a_write(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    async with write_transaction(store) as connection:
        await connection.exec_driver_sql("DELETE FROM events")
        async with asyncio.timeout(HANG_SECONDS):
            assert await store.games.log(game.id) == [entry(1)]
    assert await store.games.log(game.id) == []


async def test_a_write_waits_for_a_running_one(file_store: Stores) -> None:
    game = await new_game(file_store, log=[entry(1)])
    async with write_transaction(file_store):
        waiting = asyncio.ensure_future(file_store.games.append(game.id, [entry(2)]))
        await asyncio.sleep(0.05)
        assert not waiting.done()
    await waiting
    assert await file_store.games.log(game.id) == entries(1, 2)


async def test_writes_on_a_server_wait_only_for_writes_of_the_same_game(server_store: Stores) -> None:
    one, other = await new_game(server_store, 1, log=[entry(1)]), await new_game(server_store, 2, log=[entry(1)])
    async with write_transaction(server_store) as connection:
        await logs._append(
            connection,
            one.id,
            [entry(2)],
            [],
            None,
            close=False,
            broken_off=False,
            moved_to=None,
            draw=None,
            spent=(),
            part=None,
            faceless=False,
            voteless=(),
        )
        waiting = asyncio.ensure_future(server_store.games.append(one.id, [entry(2)]))
        async with asyncio.timeout(HANG_SECONDS):
            await server_store.games.append(other.id, [entry(2)])
        assert not waiting.done()
    with pytest.raises(VersionConflict):
        await waiting


async def test_a_write_keeps_other_processes_from_writing_from_its_first_read_on(file_store: Stores) -> None:
    async with write_transaction(file_store) as connection:
        assert (await connection.exec_driver_sql("SELECT count(*) FROM games")).scalar_one() == 0
        other = sqlite3.connect(name_of(file_store), timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")


@pytest.mark.thorough
async def test_a_cancelled_append_is_finished_first(store: Stores) -> None:
    last, times = 0, dose("CANCELLED", 40)
    for pause in range(times):
        game = await new_game(store, channel_id=pause)
        task = asyncio.ensure_future(
            store.games.append(game.id, entries(1, 3), result=match_result([player_result(0, 1)]))
        )
        steps = pause * 60 // times % 30
        for _ in range(steps):
            await asyncio.sleep(0.0001 if pause < times // 2 else 0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        log = await store.games.log(game.id)
        assert log == (entries(1, 3) if steps else [])  # nothing only if it was cancelled before it began
        await store.games.append(game.id, [entry(len(log) + 1)])
        assert await store.games.log(game.id) == entries(1, len(log) + 1)
        last += bool(log)
    assert len(rows(name_of(store), "SELECT * FROM results")) == last


async def test_cancelling_repeatedly_does_no_harm(store: Stores) -> None:
    game, times = await new_game(store), dose("CANCELLED", 40)
    for n in range(times):
        work = (store.games.append(game.id, [entry(n + 1)]), store.games.log(game.id), store.values.set("a", "b"))
        tasks = [asyncio.ensure_future(each) for each in work]
        for _ in range(3):
            for _ in range(n % 10):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if len(await store.games.log(game.id)) == n:  # cancelled before it began
            await store.games.append(game.id, [entry(n + 1)])
    assert await store.games.log(game.id) == entries(1, times)


@pytest.mark.thorough
async def test_an_opening_that_is_cancelled_leaves_a_usable_database(path: Path, database: str | Path) -> None:
    times = dose("OPENINGS", 6)
    for pause in range(times):
        if database == path:
            database = path = path.with_name(f"{pause}.sqlite3")
        task = asyncio.ensure_future(Stores.open(database))
        for _ in range(pause * 60 // times):
            await asyncio.sleep(0)
        task.cancel()
        [outcome] = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(outcome, asyncio.CancelledError)
        store = await Stores.open(database)
        await new_game(store, pause)
        await store.database.close()
