"""Simultaneous appends: they share a statement, and each succeeds or conflicts on its own."""

import asyncio
import resource
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.append_queue import MOST_ENTRIES, AppendQueue
from bot.platform.database.errors import Fault, RowRejected, StoreUnavailable, VersionConflict
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores
from bot.tables.store.errors import GameClosed, UnknownGame
from bot.tables.store.logs import GAMES
from tests.support.dose import dose, thorough_but
from tests.support.store import (
    NOON,
    database_of,
    end_loop_during_appends,
    entries,
    entry,
    match_result,
    name_of,
    new_game,
    new_games,
    on_both,
    open_game_ids,
    player_result,
    rows,
    sqlite_of,
    write_transaction,
)


@pytest.fixture
def statements(file_store: Stores, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first words of the appends' statements, as they are run."""
    seen: list[str] = []
    backend = sqlite_of(file_store)
    run = backend._pen.run

    def noting(statement: str, values: Sequence[object] = ()) -> Awaitable[Iterable[Sequence[Any]]]:
        seen.append(statement.split()[0])
        return run(statement, values)

    monkeypatch.setattr(backend._queue(GAMES), "_run", noting)
    return seen


async def append_at_once(store: Stores, appends: Iterable[tuple[int, Sequence[LogEntry]]]) -> list[object]:
    """The outcome of each of several simultaneous appends; None for a success."""
    return await asyncio.gather(*(store.games.append(*each) for each in appends), return_exceptions=True)


# ---------------------------------------------------------------------- one statement


async def test_an_append_is_one_statement(file_store: Stores, statements: list[str]) -> None:
    game = await new_game(file_store)
    await file_store.games.append(game.id, [entry(1)])
    await file_store.games.append(game.id, entries(2, 4))
    assert statements == ["WITH", "WITH"]
    assert await file_store.games.log(game.id) == entries(1, 4)


@pytest.mark.parametrize(("follows", "at_once", "turns"), [(0.0, 16, 10), (0.01, 4, 85)])
async def test_the_fewer_callers_go_on_in_a_turn_of_the_loop_the_more_follows(
    file_store: Stores, monkeypatch: pytest.MonkeyPatch, follows: float, at_once: int, turns: int
) -> None:
    turn, now, went_on = 0, 0.0, list[int]()
    monkeypatch.setattr("bot.platform.database.append_queue.perf_counter", lambda: now)

    async def count_turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    async def append(game: int) -> None:
        nonlocal now
        await file_store.games.append(game, [entry(2)])
        went_on.append(turn)
        now += follows

    games = await new_games(file_store, 40)
    counting = asyncio.create_task(count_turns())
    await asyncio.gather(*map(append, games))
    counting.cancel()
    assert max(Counter(went_on).values()) <= at_once
    assert max(went_on) - min(went_on) < turns, "and none waits for longer than that takes"


async def test_appends_that_wait_for_the_writer_are_one_statement(file_store: Stores, statements: list[str]) -> None:
    games = await new_games(file_store, 50)
    assert await append_at_once(file_store, [(game, [entry(2)]) for game in games]) == [None] * 50
    assert len(statements) == 1
    for game in games:
        assert await file_store.games.log(game) == entries(1, 2)


async def test_no_statement_holds_more_entries_than_it_may(file_store: Stores, statements: list[str]) -> None:
    games = await new_games(file_store, 10)
    appends = [(game, entries(2, 1 + MOST_ENTRIES // 3)) for game in games]
    assert await append_at_once(file_store, appends) == [None] * 10
    assert len(statements) == 4  # three appends per statement
    for game in games:
        assert await file_store.games.log(game) == entries(1, 1 + MOST_ENTRIES // 3)


@on_both
async def test_an_append_of_very_many_entries_is_all_or_nothing(store: Stores) -> None:
    [game] = await new_games(store, 1)
    await store.games.append(game, entries(2, 300))
    with pytest.raises(VersionConflict) as raised:
        await store.games.append(game, entries(300, 600))
    assert (raised.value.first, raised.value.found) == (300, 300)
    assert await store.games.log(game) == entries(1, 300)


async def test_appends_to_a_game_keep_their_order(store: Stores) -> None:
    first, second = await new_games(store, 2)
    one_by_one = [(game, [entry(version)]) for version in range(2, 30) for game in (first, second)]
    assert await append_at_once(store, one_by_one) == [None] * len(one_by_one)
    assert await store.games.log(first) == await store.games.log(second) == entries(1, 29)


# ---------------------------------------------------------------------- each its own outcome


async def test_a_conflict_doesnt_affect_the_others(file_store: Stores, statements: list[str]) -> None:
    games = await new_games(file_store, 6)
    await file_store.games.append(games[3], [], close=True)
    good = [(game, entries(2, 3)) for game in (games[0], games[5])]
    bad = [
        (games[1], [entry(1)]),
        (games[2], entries(3, 4)),
        (games[3], [entry(2)]),
        (999, [entry(1)]),
        (games[4], entries(1, 3)),
    ]
    told = await append_at_once(file_store, [good[0], *bad, good[1]])
    assert statements == ["WITH"] + ["SELECT"] * len(bad)
    assert [told[0], told[-1]] == [None, None]
    assert [type(error) for error in told[1:-1]] == [
        VersionConflict,
        VersionConflict,
        GameClosed,
        UnknownGame,
        VersionConflict,
    ]
    numbers = [(e.number, e.first, e.found) for e in told if isinstance(e, VersionConflict)]
    assert numbers == [(games[1], 1, 1), (games[2], 3, 1), (games[3], 2, 1), (games[4], 1, 1)]
    for game in games:
        assert await file_store.games.log(game) == (entries(1, 3) if game in (games[0], games[5]) else entries(1, 1))


@on_both
async def test_an_append_that_cant_be_written_doesnt_affect_the_others(store: Stores) -> None:
    games = await new_games(store, 5)
    no_kind: Any = None
    told = await append_at_once(
        store,
        [
            (games[0], [entry(2)]),
            (games[1], [entry(2, "half a pair \ud83c")]),
            (games[2], [entry(2), LogEntry(3, no_kind, "", NOON)]),
            (games[3], [entry(9)]),
            (games[4], [entry(2)]),
        ],
    )
    kinds = [type(None), RowRejected, RowRejected, VersionConflict, type(None)]
    assert [type(each) for each in told] == kinds
    assert str(name_of(store)) in str(told[1])
    lengths = [len(await store.games.log(game)) for game in games]
    assert lengths == [2, 1, 1, 1, 2]


async def test_a_timestamp_without_a_zone_is_refused_before_it_waits(file_store: Stores, statements: list[str]) -> None:
    [game] = await new_games(file_store, 1)
    with pytest.raises(ValueError, match="aware"):
        await file_store.games.append(game, [LogEntry(2, "played", "7o", NOON.replace(tzinfo=None))])
    assert statements == []


async def test_an_entry_that_another_process_wrote_in_the_same_moment_is_a_conflict() -> None:
    # SQLite has one writer at a time; PostgreSQL reports the conflict by the primary key.
    held = {(1, 2)}

    async def run(statement: str, values: Sequence[Any]) -> Iterable[Sequence[Any]]:
        if "INSERT" not in statement:
            return [(2, False)]
        new = {tuple(values[n : n + 3 : 2]) for n in range(0, len(values), 6) if values[n] is not None}
        if new & held:
            error = sqlite3.IntegrityError("UNIQUE constraint failed")
            error.sqlite_errorcode = 1555
            raise error
        held.update(new)
        return [(game,) for game, _ in new]

    appends = AppendQueue(Path("x"), GAMES, asyncio.Lock(), 4, sa.create_engine("sqlite://").dialect, run)
    told = await asyncio.gather(*(appends.append(game, [entry(2)]) for game in (1, 5, 6)), return_exceptions=True)
    assert isinstance(told[0], VersionConflict)
    assert (told[0].number, told[0].first, told[0].found) == (1, 2, 2)
    assert told[1:] == [None, None]


def test_the_statement_can_be_written_for_postgresql() -> None:
    dialect = postgresql.dialect()
    text = str(GAMES.continuing(3).compile(dialect=dialect))
    assert "FOR SHARE OF games" in text
    assert text.count("TIMESTAMP WITH TIME ZONE") in (0, 3)
    assert "version" in str(GAMES.state.compile(dialect=dialect))


# ---------------------------------------------------------------------- faults


@contextmanager
def _full(store: Stores) -> Iterator[None]:
    """Let no file of this process grow: the commit is what fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _locked(store: Stores) -> Iterator[None]:
    with closing(sqlite3.connect(name_of(store), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize(("trouble", "fault"), [(_full, Fault.UNAVAILABLE), (_locked, Fault.LOCKED)])
async def test_a_commit_that_fails_fails_every_append(
    path: Path, trouble: Callable[[Stores], Any], fault: Fault
) -> None:
    store = await Stores.open(path, busy_seconds=0.2)
    games = await new_games(store, 12)
    with trouble(store):
        told = await append_at_once(store, [(game, entries(2, 3)) for game in games])
    assert [getattr(error, "fault", None) for error in told] == [fault] * 12
    assert len({id(error) for error in told}) == 12, "each has an error of its own"
    for game in games:
        assert await store.games.log(game) == [entry(1)]
    assert await append_at_once(store, [(game, entries(2, 3)) for game in games]) == [None] * 12
    await store.database.close()
    assert rows(path, "SELECT count(*) FROM events") == [(36,)]


async def test_one_entry_that_fills_the_disk_fails_every_append(file_store: Stores) -> None:
    games = await new_games(file_store, 4)
    [(pages,)] = rows(name_of(file_store), "PRAGMA page_count")
    await sqlite_of(file_store)._pen.run(f"PRAGMA max_page_count={pages + 2}")
    told = await append_at_once(
        file_store, [(game, [entry(2, "x" * 50_000 if game == games[1] else "7o")]) for game in games]
    )
    assert [getattr(error, "fault", None) for error in told] == [Fault.DISK_FULL] * 4
    for game in games:
        assert await file_store.games.log(game) == [entry(1)]


async def test_a_transaction_whose_commit_failed_does_not_swallow_what_comes_next(file_store: Stores) -> None:
    [game] = await new_games(file_store, 1)

    async def orphan(connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        await connection.exec_driver_sql("INSERT INTO events VALUES (99, 1, 'played', '', '2026-01-01')")

    with pytest.raises(RowRejected, match="FOREIGN KEY"):
        await database_of(file_store).write(orphan)
    await file_store.games.append(game, [entry(2)])
    assert rows(name_of(file_store), "SELECT game_id, version FROM events") == [(game, 1), (game, 2)]
    await file_store.games.append(game, [], close=True)
    assert rows(name_of(file_store), "SELECT count(*) FROM games WHERE closed_at IS NULL") == [(0,)]


async def test_an_append_that_waits_too_long_gives_up_and_the_others_wait_on(path: Path) -> None:
    store = await Stores.open(path, busy_seconds=1)
    first, second = await new_games(store, 2)
    async with write_transaction(store):
        impatient = asyncio.ensure_future(store.games.append(first, [entry(2)]))
        await asyncio.sleep(0.7)
        patient = asyncio.ensure_future(store.games.append(second, [entry(2)]))
        with pytest.raises(StoreUnavailable) as raised:
            await impatient
        assert raised.value.fault is Fault.LOCKED
        assert not patient.done()
    await patient
    assert (await store.games.log(first), await store.games.log(second)) == (entries(1, 1), entries(1, 2))
    await store.database.close()


# ---------------------------------------------------------------------- turns, cancelling, closing


async def test_other_writes_have_their_turn_between_appends(file_store: Stores) -> None:
    games = await new_games(file_store, 3)
    done: list[str] = []

    async def noted(name: str, work: Awaitable[None]) -> None:
        await work
        done.append(name)

    async with write_transaction(file_store):
        tasks = [asyncio.ensure_future(noted("append", file_store.games.append(games[0], [entry(2)])))]
        await asyncio.sleep(0)
        tasks.append(asyncio.ensure_future(noted("value", file_store.values.set("a", "b"))))
        await asyncio.sleep(0)
        tasks.append(asyncio.ensure_future(noted("append too", file_store.games.append(games[1], [entry(2)]))))
        await asyncio.sleep(0)
    await tasks[0]
    # The writer is at the value now: later writes queue behind it.
    tasks += [asyncio.ensure_future(noted("later", file_store.games.append(games[2], [entry(n)]))) for n in (2, 3)]
    await asyncio.gather(*tasks)
    assert done == ["append", "append too", "value", "later", "later"]


async def test_a_cancelled_append_ends_after_the_write_and_the_others_arent_affected(store: Stores) -> None:
    games = await new_games(store, 9)
    for rest in range(12):
        tasks = [asyncio.ensure_future(store.games.append(game, [entry(2 + rest)])) for game in games]
        await asyncio.sleep(0)  # now they wait
        for _ in range(rest % 6):
            await asyncio.sleep(0)
        running = [task for task in tasks[::2] if task.cancel()]
        told = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(told[n] is None for n in range(1, len(games), 2))
        for task in running:
            assert task.cancelled()
        for game in games:
            assert await store.games.log(game) == entries(1, 2 + rest)


async def test_closing_waits_for_a_queue_that_holds_a_conflict(store: Stores) -> None:
    games = await new_games(store, 5)
    appends = [(game, [entry(version)]) for version in (2, 3, 2) for game in games]
    waiting = asyncio.ensure_future(append_at_once(store, appends))
    for _ in range(2):
        await asyncio.sleep(0)
    await store.database.close()
    told = await waiting
    assert told[:10] == [None] * 10
    assert all(isinstance(error, VersionConflict) and error.found == 3 for error in told[10:])
    assert rows(name_of(store), "SELECT count(*) FROM events") == [(15,)]


@pytest.mark.parametrize("pause", thorough_but(range(8), 0, 3))
def test_an_ending_event_loop_isnt_held_up(path: Path, pause: int) -> None:
    end_loop_during_appends(path, pause)
    assert rows(path, "SELECT count(*) FROM events WHERE version = 2") in ([(0,)], [(3,)])


# ---------------------------------------------------------------------- races


@on_both
@pytest.mark.parametrize("seed", thorough_but(range(dose("RACES", 2)), 0))
async def test_a_race_for_many_logs_has_one_winner_for_each_version(database: str | Path, seed: int) -> None:
    """Players, some wrong about how long the logs are, append through two stores, beside writes of other kinds."""
    rng = Random(seed)
    stores = [await Stores.open(database), await Stores.open(database)]
    games = [(await new_game(stores[0], channel)).id for channel in range(7)]
    length = dict.fromkeys(games, 0)
    won: defaultdict[int, list[LogEntry]] = defaultdict(list)
    conflicts: list[tuple[int, int, VersionConflict]] = []
    ends: dict[int, int] = {}

    async def play(player_id: int) -> None:
        for turn in range(12):
            store, game = rng.choice(stores), rng.choice(games)
            first = max(1, length[game] + rng.choice([1, 1, 1, 1, 0, 2]))
            new = [entry(first + n, f"{player_id}/{turn}/{n}") for n in range(rng.choice([1, 1, 1, 2, 3]))]
            last = rng.random() < 0.01
            if rng.random() < 0.1:
                await store.values.set(f"{player_id}", f"{turn}")
            try:
                await store.games.append(game, new, close=last)
            except VersionConflict as conflict:
                conflicts.append((game, first, conflict))
                length[game] = max(length[game], conflict.found or 0)
            else:
                won[game] += new
                length[game] = max(length[game], new[-1].version)
                if last:
                    ends[game] = new[-1].version

    await asyncio.gather(*(play(player_id) for player_id in range(15)))
    for store in stores:
        await store.database.close()
    again = await Stores.open(database)
    assert await open_game_ids(again) == [game for game in games if game not in ends]
    for game in games:
        log = await again.games.log(game)
        assert [each.version for each in log] == list(range(1, len(log) + 1))
        assert log == sorted(won[game], key=lambda each: each.version), "one winner for each version"
        assert ends.get(game, len(log)) == len(log), "nothing comes after the end"
    assert len(conflicts) > 10
    for game, first, conflict in conflicts:
        assert (conflict.number, conflict.first) == (game, first)
        if isinstance(conflict, GameClosed):
            assert conflict.found == ends[game]
        else:
            assert conflict.found is not None
            assert conflict.found != first - 1
    assert sum(len(log) for log in won.values()) > 50
    await again.database.close()


@on_both
async def test_nothing_is_appended_after_a_close(database: str | Path) -> None:
    stores = [await Stores.open(database), await Stores.open(database)]
    ends: set[int] = set()
    for channel in range(dose("RACES", 2) * 5):
        game = (await new_game(stores[0], channel)).id

        async def follow(store: Stores, game: int = game) -> None:
            for version in range(1, 5):
                await store.games.append(game, [entry(version, "followed")])

        async def end(store: Stores, game: int = game, tries: int = channel % 4) -> None:
            for version in range(1 + tries, 9):
                try:
                    await store.games.append(
                        game, [entry(version, "ended")], result=match_result([player_result(0, 1)]), close=True
                    )
                except GameClosed:
                    raise
                except VersionConflict:
                    continue
                return

        await asyncio.gather(follow(stores[channel % 2]), end(stores[0]), return_exceptions=True)
        log = await stores[1].games.log(game)
        [(is_closed,)] = rows(database, "SELECT closed_at IS NOT NULL FROM games ORDER BY id DESC LIMIT 1")
        assert [each.version for each in log] == list(range(1, len(log) + 1))
        assert [each.body for each in log].count("ended") == is_closed
        if is_closed:
            assert log[-1].body == "ended"
            ends.add(len(log))
    assert ends
    for store in stores:
        await store.database.close()
