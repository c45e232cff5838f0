"""Lanes of a server: appends of many games share a commit, and none of them waits for another's trouble."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.store import (
    Fault,
    GameClosed,
    LogEntry,
    RowRejected,
    Store,
    StoreUnavailable,
    UnknownGame,
    VersionConflict,
    place_of,
)
from bot.store.backends.lanes import Lane
from bot.store.backends.postgres import PostgresBackend
from tests.store.kit import NOON, end_its_loop, entries, entry, rows, several


def lanes_of(store: Store) -> list[Lane]:
    backend = store._database.backend
    assert isinstance(backend, PostgresBackend)
    return backend._lanes


def connect(url: str) -> psycopg.Connection[Any]:
    """Somebody else's connection."""
    place = place_of(url)
    assert not isinstance(place, Path)
    return psycopg.connect(place.set(drivername="postgresql").render_as_string(hide_password=False))


@pytest.fixture
def careful(server_store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games whose lane has left an append of theirs to be written alone."""
    alone: list[int] = []
    backend = server_store._database.backend
    assert isinstance(backend, PostgresBackend)
    append = backend._append

    def noting(game_id: int, *rest: Any) -> Any:
        alone.append(game_id)
        return append(game_id, *rest)

    monkeypatch.setattr(backend, "_append", noting)
    return alone


async def test_appends_that_come_together_share_a_commit(
    server_store: Store, postgres_url: str, careful: list[int]
) -> None:
    games = await several(server_store, 50)
    await asyncio.gather(*(server_store.append(game, entries(2, 3 if game % 3 else 2)) for game in games))
    commits = rows(postgres_url, "SELECT count(DISTINCT xmin::text) FROM events WHERE version > 1")
    assert commits == [(len(lanes_of(server_store)),)]
    assert careful == []
    for game in games:
        assert await server_store.log(game) == entries(1, 3 if game % 3 else 2)


async def test_a_table_that_plays_alone_is_in_its_lane(server_store: Store, careful: list[int]) -> None:
    [game] = await several(server_store, 1)
    for version in range(2, 9):
        await server_store.append(game, [entry(version)])
    assert careful == []
    assert await server_store.log(game) == entries(1, 8)


async def test_each_conflict_changes_nothing_for_the_others(server_store: Store, careful: list[int]) -> None:
    games = await several(server_store, 8)
    await server_store.append(games[3], [], close=True)
    no_kind: Any = None
    appends: list[tuple[int, list[LogEntry]]] = [
        (games[0], entries(2, 3)),
        (games[1], [entry(1)]),
        (games[2], entries(3, 4)),
        (games[3], [entry(2)]),
        (999, [entry(1)]),
        (games[4], entries(1, 3)),
        (games[5], entries(2, 3)),
    ]
    told = await asyncio.gather(*(server_store.append(*each) for each in appends), return_exceptions=True)
    kinds = [type(None), VersionConflict, VersionConflict, GameClosed, UnknownGame, VersionConflict, type(None)]
    assert [type(each) for each in told] == kinds
    numbers = [(e.game_id, e.first, e.found) for e in told if isinstance(e, VersionConflict)]
    assert numbers == [(games[1], 1, 1), (games[2], 3, 1), (games[3], 2, 1), (games[4], 1, 1)]
    assert sorted(careful) == sorted([*games[1:5], 999])
    # Of what can't be a row the server refuses the whole statement: then each is tried alone.
    careful.clear()
    mates = [game for game in games if game % len(lanes_of(server_store)) == games[6] % len(lanes_of(server_store))]
    bad = LogEntry(2, no_kind, "", NOON)
    told = await asyncio.gather(
        *(server_store.append(game, [bad if game == games[6] else entry(9)]) for game in mates), return_exceptions=True
    )
    assert sorted(careful) == mates
    assert isinstance(told[mates.index(games[6])], RowRejected)
    for game in games:
        assert await server_store.log(game) == (entries(1, 3) if game in (games[0], games[5]) else [entry(1)])


async def test_a_game_that_somebody_is_changing_keeps_nobody_waiting(
    server_store: Store, postgres_url: str, careful: list[int]
) -> None:
    games = await several(server_store, 6)
    with connect(postgres_url) as other:
        other.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", (games[0],))
        held = [asyncio.ensure_future(server_store.append(games[0], [entry(n), entry(n + 1)])) for n in (2, 4)]
        await asyncio.gather(*(server_store.append(game, [entry(2)]) for game in games[1:]))
        await server_store.append(games[2], [entry(3)])
        assert not any(each.done() for each in held)
        assert careful == [games[0]]
        other.rollback()
    await asyncio.gather(*held)
    assert await server_store.log(games[0]) == entries(1, 5)


async def test_an_append_is_whole_whatever_happens_to_its_game_meanwhile(server_store: Store) -> None:
    games = await several(server_store, 4)
    for turn in range(15):
        first = 2 + 4 * turn
        appends = [server_store.append(game, entries(first, first + 3)) for game in games]
        changes = [server_store.set_message(game, turn, NOON) for game in games]
        await asyncio.gather(*appends, *changes)
    for game in games:
        assert await server_store.log(game) == entries(1, 61)


async def test_who_waits_too_long_for_a_lane_gives_up(postgres_url: str) -> None:
    store = await Store.open(postgres_url, busy_seconds=0.2)
    [game] = await several(store, 1)
    lane = lanes_of(store)[game % len(lanes_of(store))]
    async with lane._turns:
        with pytest.raises(StoreUnavailable) as raised:
            await store.append(game, [entry(2)])
        assert raised.value.fault is Fault.LOCKED
    await store.append(game, [entry(2)])
    assert await store.log(game) == entries(1, 2)
    await store.close()


@pytest.mark.parametrize("pause", [0, 1, 3, 20, 100])
def test_an_event_loop_that_ends_is_not_held_up(postgres_url: str, pause: int) -> None:
    end_its_loop(postgres_url, pause)
    assert rows(postgres_url, "SELECT DISTINCT version FROM events WHERE version > 1") in ([], [(2,)])


async def test_only_indexes_are_asked(server_store: Store) -> None:
    [game] = await several(server_store, 1)
    await server_store.append(game, [entry(2)])
    driver = lanes_of(server_store)[game % len(lanes_of(server_store))]._driver
    assert driver is not None
    plan = await driver.execute(
        "EXPLAIN SELECT max(version) FROM events JOIN games ON id = game_id WHERE id = ANY(%s::bigint[])", ("{1,2}",)
    )
    assert "Seq Scan" not in str(await plan.fetchall())
