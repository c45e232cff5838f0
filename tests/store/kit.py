"""Short ways to write games, entries and results down."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from bot.store import GameRow, LogEntry, MatchResult, Metric, Page, PlayerResult, Store, place_of
from bot.store.backends.sqlite import SqliteBackend

GUILD = 1_100_000_000_000_000_001
CHANNEL = 1_200_000_000_000_000_002
OPENER = 1_300_000_000_000_000_003
NOON = datetime(2026, 3, 14, 12, 0, 0, 123456, tzinfo=UTC)
PROJECT = Path(__file__).parents[2]
MARCH, APRIL = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
MOMENTS = [  # ends of matches around a month
    MARCH - timedelta(days=40),
    MARCH - timedelta(microseconds=1),
    MARCH,
    NOON,
    APRIL - timedelta(microseconds=1),
    APRIL,
]


def entry(version: int, body: str = "7o") -> LogEntry:
    """An entry; each is a second later than the one before."""
    return LogEntry(version, "played", body, NOON + timedelta(seconds=version))


def entries(first: int, last: int) -> list[LogEntry]:
    """The entries from one version to another."""
    return [entry(version) for version in range(first, last + 1)]


def player(seat: int, user_id: int | None, **changes: Any) -> PlayerResult:
    """A seat that lost with no points, unless told otherwise."""
    values: dict[str, Any] = {
        "side": seat,
        "name": f"user {user_id}" if user_id else "computer",
        "won": False,
        "points": 0,
        "escobas": 0,
    }
    return PlayerResult(seat=seat, user_id=user_id, **(values | changes))


def match(players: Iterable[PlayerResult], **changes: Any) -> MatchResult:
    """A ranked match for two that ended at noon."""
    values: dict[str, Any] = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "ended_at": NOON,
        "preset": "escoba",
        "target": 21,
        "seating": "2",
        "rounds": 4,
        "ranked": True,
    }
    return MatchResult(players=tuple(players), **(values | changes))


async def opened(
    store: Store, channel_id: int = CHANNEL, log: Iterable[LogEntry] = (), joined: Iterable[int] = ()
) -> GameRow:
    """A new game."""
    return await store.open_game(
        guild_id=GUILD,
        channel_id=channel_id,
        opener_id=OPENER,
        locale="es-ES",
        at=NOON,
        entries=list(log),
        joined=list(joined),
    )


async def several(store: Store, count: int) -> list[int]:
    """New games with an entry each."""
    return [(await opened(store, channel, log=[entry(1)])).id for channel in range(count)]


def end_its_loop(place: str | Path, pause: int) -> None:
    """End an event loop, so many steps after appends to three games were begun: whoever waits for them is told."""

    async def leave() -> tuple[Store, set[asyncio.Task[None]]]:
        store = await Store.open(place, busy_seconds=600)
        games = await several(store, 3)
        waiting = {asyncio.ensure_future(store.append(game, [entry(2)])) for game in games}
        for _ in range(pause):
            await asyncio.sleep(0)
        return store, waiting

    async def all_end(waiting: set[asyncio.Task[None]]) -> None:
        _, still_waiting = await asyncio.wait(waiting, timeout=30)
        assert not still_waiting

    loop = asyncio.new_event_loop()
    try:
        store, waiting = loop.run_until_complete(leave())
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(all_end(waiting))
        loop.run_until_complete(store.close())
    finally:
        loop.close()


async def finished(store: Store, matches: Iterable[MatchResult], channel_id: int = CHANNEL) -> None:
    """A closed game in which these matches were played."""
    game = await opened(store, channel_id)
    version = 0
    for version, each in enumerate(matches, 1):
        await store.append(game.id, [entry(version)], result=each)
    await store.append(game.id, [entry(version + 1)], close=True)


def rows(place: str | Path, query: str) -> list[tuple[Any, ...]]:
    """What a program that is not the bot reads from the database."""
    where = place_of(place)
    if isinstance(where, Path):
        with closing(sqlite3.connect(where)) as connection:
            return connection.execute(query).fetchall()
    with psycopg.connect(where.set(drivername="postgresql").render_as_string(hide_password=False)) as server:
        return server.execute(query.encode()).fetchall()


def damage(place: str | Path) -> list[str]:
    """What SQLite finds wrong with a file; a server minds its own."""
    found = [str(row[0]) for row in rows(place, "PRAGMA integrity_check")] if isinstance(place, Path) else ["ok"]
    return [] if found == ["ok"] else found


def sqlite_of(store: Store) -> SqliteBackend:
    """What is below a store in a file."""
    backend = store._database.backend
    assert isinstance(backend, SqliteBackend)
    return backend


def child_environment() -> dict[str, str]:
    """The environment of a Python process that can import the bot."""
    return os.environ | {"PYTHONPATH": str(PROJECT)}


async def board(
    store: Store,
    metric: Metric,
    *,
    guild_id: int = GUILD,
    since: datetime | None = None,
    min_matches: int = 1,
    limit: int = 100,
    offset: int = 0,
) -> Page:
    """A leaderboard, all of it unless told otherwise."""
    return await store.leaderboard(guild_id, metric, since=since, min_matches=min_matches, limit=limit, offset=offset)
