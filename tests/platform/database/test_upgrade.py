"""Upgrading by made-up steps: nothing that was written is lost, no step is left half done, and rows still fit."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import ProgrammingError

from bench.postgres import Cluster
from bot.club.store.standing import Metric
from bot.platform.database.before_release import VERSION_TABLE
from bot.platform.database.errors import Fault, StoreUnavailable, VersionConflict
from bot.platform.database.upgrade import migrate, newest
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.store.errors import ChannelBusy, GameClosed
from tests.support.databases import with_tables
from tests.support.steps import EXPANDS, newer_version
from tests.support.store import (
    CHANNEL,
    GUILD,
    entries,
    entry,
    leaderboard_of,
    match_result,
    new_game,
    on_both,
    open_game_ids,
    player_result,
    read_connection,
    rows,
)

_FILLS: Final = """
    op.execute("UPDATE games SET new_{number} = locale")
    op.execute("INSERT INTO new_{number} (id) SELECT id FROM games")
"""
_FAILS: Final = """
    op.execute("INSERT INTO events SELECT * FROM events")
"""
_VERSION: Final = f"SELECT version_num FROM {VERSION_TABLE}"  # noqa: S608 - a name of ours


@pytest.fixture
async def older(database: str | Path) -> str | Path:
    """A database as the version before left it: with a finished match, a running one, and a game without entries."""
    store = await Stores.open(with_tables(database) if isinstance(database, Path) else database)
    over, running = await new_game(store, log=entries(1, 2)), await new_game(store, CHANNEL + 1, log=entries(1, 3))
    result = match_result([player_result(0, 1, name="Ana", won=True), player_result(1, 2, name="Bea")])
    await store.games.append(over.id, [entry(3)], result=result, close=True)
    await store.games.append(running.id, [entry(4)], joined=[8])
    await new_game(store, CHANNEL + 2)
    await store.values.set("commands", "hash")
    await store.database.close()
    return database


def written(database: str | Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows in the columns that the version before has."""
    return {
        table.name: rows(database, str(sa.select(*table.columns).order_by(*table.primary_key)))
        for table in SCHEMA.metadata.sorted_tables
    }


@on_both
async def test_nothing_that_the_version_before_wrote_is_lost_and_its_games_go_on(
    older: str | Path, tmp_path: Path
) -> None:
    before = written(older)
    with newer_version(tmp_path, EXPANDS + _FILLS) as version:
        store = await Stores.open(older)
    assert rows(older, _VERSION) == [(version,)]
    assert written(older) == before
    assert rows(older, f"SELECT new_{version} FROM games") == [("es-ES",)] * 3  # noqa: S608 - a number of ours
    assert await open_game_ids(store) == [2, 3]
    assert [row.name for row in (await leaderboard_of(store, Metric.WINS)).rows] == ["Ana", "Bea"]
    with pytest.raises(VersionConflict) as raised:
        await store.games.append(2, [entry(4)])
    assert raised.value.found == 4
    with pytest.raises(GameClosed):
        await store.games.append(1, [entry(4)])
    with pytest.raises(ChannelBusy):
        await new_game(store, CHANNEL + 1)
    await store.games.append(2, [entry(5)], result=match_result([player_result(0, 8)]), close=True)
    await store.games.append(3, [entry(1)])
    assert (await new_game(store, CHANNEL + 1)).id > 3
    assert await store.standings.differences(GUILD) == []
    await store.database.close()


@on_both
async def test_a_step_that_fails_half_way_leaves_the_older_database(older: str | Path, tmp_path: Path) -> None:
    tables = "SELECT * FROM sqlite_master" if isinstance(older, Path) else "SELECT oid, relname FROM pg_class"
    before = written(older), sorted(rows(older, tables), key=str)
    at = newest(SCHEMA)
    with newer_version(tmp_path, EXPANDS, EXPANDS + _FILLS + _FAILS), pytest.raises(StoreUnavailable) as raised:
        await Stores.open(older)
    assert raised.value.fault is Fault.REFUSED
    assert (written(older), sorted(rows(older, tables), key=str)) == before
    assert rows(older, _VERSION) == [(at,)]


async def test_rows_refer_to_each_other_in_an_upgraded_file(path: Path, tmp_path: Path) -> None:
    await (await Stores.open(path)).database.close()
    with newer_version(tmp_path, EXPANDS + _FILLS):
        await (await Stores.open(path)).database.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            connection.execute("INSERT INTO participants VALUES (99, 1)")


@pytest.fixture
def empty_server(postgres: Cluster) -> Iterator[str]:
    """A server's database without tables."""
    url = postgres.new("template1")
    yield url
    postgres.drop(url)


def test_a_servers_first_step_that_fails_half_way_leaves_nothing(empty_server: str) -> None:
    engine = sa.create_engine(empty_server)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE standings (in_the_way text)")
    with pytest.raises(ProgrammingError), engine.begin() as connection:
        migrate(connection, SCHEMA, "it")
    engine.dispose()
    assert rows(empty_server, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("standings",)]


async def test_a_servers_tables_are_those_in_the_code(server_store: Stores) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), SCHEMA.metadata))

    async with read_connection(server_store) as connection:
        assert await connection.run_sync(differences) == []
