"""Shorthands for games, entries and results."""

import asyncio
import dataclasses
import sqlite3
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME, month_of
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import Leaderboard, LeaderboardPage, Metric, Standing, read_record
from bot.platform.database.database import Database
from bot.platform.database.locations import location_of
from bot.platform.database.postgres import PostgresDatabase
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores
from bot.schema.server import missing_guilds
from bot.tables.store.deals import Seal
from bot.tables.store.rows import GameRow

GUILD = 1_100_000_000_000_000_001
CHANNEL = 1_200_000_000_000_000_002
OPENER = 1_300_000_000_000_000_003
NOON = datetime(2026, 3, 14, 12, 0, 0, 123456, tzinfo=UTC)
PROJECT = Path(__file__).parents[2]
MARCH, APRIL = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
MOMENTS = [  # when matches end: in, before and after a month
    MARCH - timedelta(days=40),
    MARCH - timedelta(microseconds=1),
    MARCH,
    NOON,
    APRIL - timedelta(microseconds=1),
    APRIL,
]

on_both = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
"""For tests whose SQL or behaviour differs so much between the databases that `make test` has to use both."""


def entry(version: int, body: str = "7o") -> LogEntry:
    """An entry; each is a second later than the one before."""
    return LogEntry(version, "played", body, NOON + timedelta(seconds=version))


def entries(first: int, last: int) -> list[LogEntry]:
    """The entries from one version to another."""
    return [entry(version) for version in range(first, last + 1)]


def player_result(seat: int, user_id: int | None, **changes: Any) -> PlayerResult:
    """A seat that lost with no points, unless `changes` say otherwise."""
    values: dict[str, Any] = {
        "side": seat,
        "name": f"user {user_id}" if user_id else "computer",
        "won": False,
        "points": 0,
        "escobas": 0,
    }
    return PlayerResult(seat=seat, user_id=user_id, **(values | changes))


def match_result(players: Iterable[PlayerResult], **changes: Any) -> MatchResult:
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


async def new_game(
    store: Stores,
    channel_id: int = CHANNEL,
    log: Iterable[LogEntry] = (),
    joined: Iterable[int] = (),
    seal: Seal | None = None,
) -> GameRow:
    """A new game."""
    return await store.games.open(
        guild_id=GUILD,
        channel_id=channel_id,
        opener_id=OPENER,
        locale="es-ES",
        at=NOON,
        entries=list(log),
        joined=list(joined),
        seal=seal,
    )


async def new_games(store: Stores, count: int) -> list[int]:
    """New games with one entry each; returns their ids."""
    return [(await new_game(store, channel, log=[entry(1)])).id for channel in range(count)]


def end_loop_during_appends(database: str | Path, pause: int) -> None:
    """End an event loop some steps after appends to three games have begun; every caller must get a reply."""

    async def leave() -> tuple[Stores, set[asyncio.Task[None]]]:
        store = await Stores.open(database, busy_seconds=600)
        games = await new_games(store, 3)
        waiting = {asyncio.ensure_future(store.games.append(game, [entry(2)])) for game in games}
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
        loop.run_until_complete(store.database.close())
    finally:
        loop.close()


async def add_finished_game(store: Stores, matches: Iterable[MatchResult], channel_id: int = CHANNEL) -> None:
    """Store a closed game with these matches."""
    game = await new_game(store, channel_id)
    version = 0
    for version, each in enumerate(matches, 1):
        await store.games.append(game.id, [entry(version)], result=each)
    await store.games.append(game.id, [entry(version + 1)], close=True)


def rows(database: str | Path, query: str) -> list[tuple[Any, ...]]:
    """Run a query as a program other than the bot would; returns the rows."""
    where = location_of(database)
    if isinstance(where, Path):
        with closing(sqlite3.connect(where)) as connection:
            return connection.execute(query).fetchall()
    with psycopg.connect(where.set(drivername="postgresql").render_as_string(hide_password=False)) as server:
        return server.execute(query.encode()).fetchall()


def integrity_errors(database: str | Path) -> list[str]:
    """The problems that SQLite finds in a file; none for a server, which checks itself."""
    found = [str(row[0]) for row in rows(database, "PRAGMA integrity_check")] if isinstance(database, Path) else ["ok"]
    return [] if found == ["ok"] else found


def database_of(store: Stores) -> Database:
    """The database below a store."""
    return store.database


def name_of(store: Stores) -> str:
    """The name of a store's database in errors: a file's path."""
    return store.database.name


def sqlite_of(store: Stores) -> SqliteDatabase:
    """The file below a store."""
    assert isinstance(store.database, SqliteDatabase)
    return store.database


def postgres_of(store: Stores) -> PostgresDatabase:
    """The server below a store."""
    assert isinstance(store.database, PostgresDatabase)
    return store.database


@asynccontextmanager
async def write_transaction(store: Stores) -> AsyncGenerator[AsyncConnection]:
    """A write transaction that commits at the end of the block."""
    async with _held(store.database.write) as connection:
        yield connection


async def miss(store: Stores, guild_id: int, since: datetime) -> None:
    """Note that a server is missing, as versions up to 1.0 did."""
    async with write_transaction(store) as connection:
        await connection.execute(sa.insert(missing_guilds).values(guild_id=guild_id, since=since))


@asynccontextmanager
async def read_connection(store: Stores) -> AsyncGenerator[AsyncConnection]:
    """A connection for reading, held during the block."""
    async with _held(store.database.read) as connection:
        yield connection


@asynccontextmanager
async def _held(run: Any) -> AsyncGenerator[AsyncConnection]:
    given: asyncio.Future[AsyncConnection] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def wait(connection: AsyncConnection) -> None:
        given.set_result(connection)
        await over.wait()

    task = asyncio.ensure_future(run(wait))
    await asyncio.wait([task, given], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        await task
    try:
        yield await given
    finally:
        over.set()
        await task


async def open_game_ids(store: Stores) -> list[int]:
    """The ids of the open games."""
    return [game.id for game in await store.games.open_games("played")]


async def leaderboard_of(
    store: Stores,
    metric: Metric,
    *,
    guild_id: int = GUILD,
    since: datetime | None = None,
    min_matches: int = 1,
    limit: int = 100,
    offset: int = 0,
) -> LeaderboardPage:
    """A page of the leaderboard of all time, or of the month that begins at `since`; by default it holds everybody."""
    period = ALL_TIME if since is None else month_of(since)
    which = Leaderboard(metric, period, min_matches=min_matches)
    return await store.leaderboards.page(guild_id, which, limit=limit, offset=offset)


def stats_with(**values: Any) -> Standing:
    """A standing with these statistics that belongs to nobody in particular."""
    return Standing(0, "", 0, **values)


def only_stats(standing: Standing) -> Standing:
    """The statistics of a standing, without its person and period, and with only the values of its records.

    Points of seasons depend on others' matches too; they are counted by hand elsewhere.
    """
    hidden = {"guild_id": 0, "period": "", "user_id": 0, "name": "", "last_result_id": 0, "season_points": 0}
    records = {name: read_record(getattr(standing, name))[0] for name in ("top_points", "top_escobas")}
    return dataclasses.replace(standing, **hidden, **records)
