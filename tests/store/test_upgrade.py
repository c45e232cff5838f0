"""Upgrading: nothing an older bot wrote is lost, no step is left half done, and the constraints hold afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from bench.postgres import Cluster
from bot.store import ChannelBusy, Fault, GameClosed, Metric, Store, StoreUnavailable, VersionConflict
from bot.store.migrations.upgrade import configuration
from bot.store.schema import metadata
from tests.store.kit import (
    CHANNEL,
    GUILD,
    NOON,
    entries,
    entry,
    leaderboard_of,
    match_result,
    new_game,
    open_game_ids,
    player_result,
    read_connection,
    rows,
)

_AT = "2026-03-14 12:00:00.123456"
_GAME = "INSERT INTO games VALUES (?, ?, ?, 3, 'es-ES', ?, ?, ?, ?, ?)"
_EVENT = "INSERT INTO events VALUES (?, ?, 'played', '7o', ?)"
_RESULT = "INSERT INTO results VALUES (1, 1, 2, ?, ?, ?, 'escoba', 21, '2', 4, 1)"
_PLAYER = "INSERT INTO result_players VALUES (1, 0, 0, 8, 'Ana', 1, 21, 3, ?, ?, 1)"
_OLD_ROWS: list[tuple[str, tuple[object, ...]]] = [
    # a closed game with its result, an open one, one without entries, and one whose row somebody deleted
    (_GAME, (1, GUILD, CHANNEL, _AT, _AT, None, None, 2)),
    (_GAME, (2, GUILD, CHANNEL, _AT, None, 77, _AT, 3)),
    (_GAME, (3, GUILD, 5, _AT, None, None, None, 0)),
    (_GAME, (9, GUILD, 6, _AT, None, None, None, 0)),
    ("DELETE FROM games WHERE id = 9", ()),
    *(
        (_EVENT, (game, version, f"2026-03-14 12:00:0{version}.123456"))
        for game, version in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]
    ),
    (_RESULT, (GUILD, CHANNEL, _AT)),
    (_PLAYER, (GUILD, _AT)),
    ("INSERT INTO key_values VALUES ('commands', 'hash')", ()),
]


@pytest.fixture
def old_file(path: Path) -> Path:
    """A database as the first step left it, with games in it."""
    path.parent.mkdir()
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
    engine.dispose()
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement, values in _OLD_ROWS:
            connection.execute(statement, values)
    return path


def written(database: str | Path) -> dict[str, list[tuple[object, ...]]]:
    """What bots of the first version have written; later versions have added columns to the end of some tables."""
    columns = {"events": 5, "results": 11, "result_players": 11, "key_values": 2}
    return {
        table: [row[:count] for row in rows(database, f"SELECT * FROM {table} ORDER BY 1, 2")]  # noqa: S608 - these
        for table, count in columns.items()
    }


async def test_nothing_an_older_bot_wrote_is_lost(old_file: Path) -> None:
    before = written(old_file)
    store = await Store.open(old_file)
    assert written(old_file) == before
    assert await open_game_ids(store) == [2, 3]
    game = await store.game(2)
    assert game is not None
    assert (game.channel_id, game.opener_id, game.opened_at, game.message_id) == (CHANNEL, 3, NOON, 77)
    closed = await store.game(1)
    assert closed is not None
    assert closed.closed_at == NOON
    assert await store.log(2) == entries(1, 3)
    assert [row.name for row in (await leaderboard_of(store, Metric.WINS)).rows] == ["Ana"]
    await store.close()
    names = {name for (name,) in rows(old_file, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    added = {"people", "participants", "departures", "standings", "reviews", "missing_guilds", "rivals"}
    added |= {"day_positions", "day_answers", "day_channels", "practice_positions", "lessons", "achievements"}
    added |= {"tournaments", "tournament_events", "tournament_people", "deals", "rule_sets"}
    assert names == {"alembic_version", "games", "sqlite_sequence", *added, *before}


async def test_an_older_bots_games_go_on_by_the_same_rules(old_file: Path) -> None:
    store = await Store.open(old_file)
    with pytest.raises(VersionConflict) as raised:
        await store.append(2, [entry(3)])
    assert raised.value.found == 3
    with pytest.raises(GameClosed):
        await store.append(1, [entry(3)])
    with pytest.raises(ChannelBusy):
        await new_game(store, CHANNEL)
    await store.append(2, [entry(4)], result=match_result([player_result(0, 8)]), close=True)
    await store.append(3, [entry(1)])
    assert (await new_game(store, CHANNEL)).id == 10, "the id of a game that is gone isn't given out again"
    await store.close()


async def test_an_upgraded_games_rows_still_refer_to_each_other(old_file: Path) -> None:
    await (await Store.open(old_file)).close()
    with closing(sqlite3.connect(old_file, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            connection.execute("DELETE FROM games WHERE id = 2")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            connection.execute(_EVENT, (99, 1, _AT))


async def test_a_step_that_fails_half_way_leaves_the_older_database(old_file: Path) -> None:
    with closing(sqlite3.connect(old_file)) as connection, connection:
        connection.execute("DROP INDEX uq_games_open_channel")
        connection.execute("UPDATE games SET channel_id = ? WHERE id = 3", (CHANNEL,))
    before = [rows(old_file, "SELECT * FROM sqlite_master"), rows(old_file, "SELECT * FROM games")]
    with pytest.raises(StoreUnavailable) as raised:
        await Store.open(old_file)
    assert raised.value.fault is Fault.REFUSED
    assert [rows(old_file, "SELECT * FROM sqlite_master"), rows(old_file, "SELECT * FROM games")] == before
    assert rows(old_file, "SELECT * FROM alembic_version") == [("0001",)]


# ---------------------------------------------------------------------- on a server


def _for_a_server(statement: str, values: tuple[object, ...]) -> tuple[str, tuple[object, ...]]:
    """The statement and values of an old row, with PostgreSQL's placeholders and booleans."""
    if statement in (_RESULT, _PLAYER):
        statement = statement.replace(", 1)", ", true)").replace("'Ana', 1,", "'Ana', true,")
    return statement.replace("?", "%s"), values


@pytest.fixture(params=["0001", "0002", "0003"])
def old_server(request: pytest.FixtureRequest, postgres: Cluster) -> Iterator[str]:
    """A server's database as an older bot left it, with games in it."""
    url = postgres.new("template1")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
        connection.exec_driver_sql("SET LOCAL timezone = 'UTC'")
        for statement, values in _OLD_ROWS:
            connection.exec_driver_sql(*_for_a_server(statement, values))
        connection.exec_driver_sql("SELECT setval('games_id_seq', 9), setval('results_id_seq', 1)")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), request.param)
    engine.dispose()
    yield url
    postgres.drop(url)


async def test_nothing_an_older_bot_wrote_to_a_server_is_lost_and_games_go_on(old_server: str) -> None:
    before = written(old_server)
    store = await Store.open(old_server)
    assert written(old_server) == before
    assert await open_game_ids(store) == [2, 3]
    assert await store.log(2) == entries(1, 3)
    assert [row.name for row in (await leaderboard_of(store, Metric.WINS)).rows] == ["Ana"]
    assert [row.id for row in (await store.personal_data(8)).games] == [1]
    with pytest.raises(VersionConflict):
        await store.append(2, [entry(3)])
    with pytest.raises(GameClosed):
        await store.append(1, [entry(3)])
    with pytest.raises(ChannelBusy):
        await new_game(store, CHANNEL)
    await store.append(2, [entry(4)], result=match_result([player_result(0, 8)]), close=True)
    assert (await new_game(store, CHANNEL)).id >= 10, "the id of a game that is gone is not given out again"
    await store.close()


async def test_a_servers_step_that_fails_half_way_leaves_the_older_database(postgres: Cluster) -> None:
    url = postgres.new("template1")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
        connection.exec_driver_sql("CREATE TABLE departures (in_the_way text)")
    engine.dispose()
    with pytest.raises(StoreUnavailable) as raised:
        await Store.open(url)
    assert raised.value.fault is Fault.REFUSED
    assert rows(url, "SELECT * FROM alembic_version") == [("0001",)]
    assert ("version",) in rows(url, "SELECT column_name FROM information_schema.columns WHERE table_name = 'games'")
    postgres.drop(url)


async def test_a_servers_tables_are_those_in_the_code(server_store: Store) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, metadata))

    async with read_connection(server_store) as connection:
        assert await connection.run_sync(differences) == []
