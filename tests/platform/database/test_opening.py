"""Opening: the schema is brought up to date once, every connection is set the same way, closing is final."""

import asyncio
import contextlib
import gc
import logging
import os
import re
import sqlite3
import warnings
from contextlib import AsyncExitStack
from multiprocessing.synchronize import Barrier
from pathlib import Path

import aiosqlite
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.dialects import postgresql

from bot.club.store.standing import Leaderboard, Metric
from bot.platform.database.before_release import VERSION_TABLE
from bot.platform.database.errors import Fault, RowRejected, StoreUnavailable
from bot.platform.database.locations import without_password
from bot.platform.database.tools.backup_folder import copy_database
from bot.platform.database.upgrade import configuration
from bot.process.stores import Stores
from bot.schema import SCHEMA
from tests.platform.database.processes import FORKING
from tests.support.databases import with_tables
from tests.support.dose import thorough_but
from tests.support.patience import HANG_SECONDS
from tests.support.store import (
    NOON,
    database_of,
    entry,
    match_result,
    name_of,
    new_game,
    open_game_ids,
    player_result,
    read_connection,
    rows,
    sqlite_of,
    write_transaction,
)


@pytest.fixture(params=thorough_but(["sqlite", "postgresql"], "sqlite"))
def new_database(request: pytest.FixtureRequest, path: Path) -> str | Path:
    """A path at which there is no file yet, or a server's database with tables."""
    return path if request.param == "sqlite" else request.getfixturevalue("postgres_url")


NAMES = ["ñ %20%(here)s.sqlite3", "a?mode=memory", "file:x", "a#b;c", ":memory:"]
_TABLES: dict[type, str] = {
    type(Path()): "SELECT * FROM sqlite_master ORDER BY name",
    str: "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
}


async def test_the_folder_is_created(path: Path) -> None:
    assert not path.parent.exists()
    store = await Stores.open(str(path))
    assert name_of(store) == str(path)
    await store.database.close()
    assert rows(path, "SELECT count(*) FROM games") == [(0,)]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mask", thorough_but([0o000, 0o022], 0o000))
async def test_only_the_bots_own_user_can_read_a_new_database_and_its_log(path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        store = await Stores.open(path)
        await store.values.set("a", "b")
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        await store.database.close()
    finally:
        os.umask(before)
    assert modes == {path.name + end: 0o600 for end in ("", "-wal", "-shm")}
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize(("mode", "left"), [(0o644, 0o640), (0o666, 0o660), (0o600, 0o600)])
async def test_an_existing_database_is_closed_to_other_users_but_its_group_and_folder_are_left_alone(
    path: Path, mode: int, left: int
) -> None:
    with_tables(path)
    path.chmod(mode)
    path.parent.chmod(0o755)
    await (await Stores.open(path)).database.close()
    assert path.stat().st_mode & 0o777 == left
    assert path.parent.stat().st_mode & 0o777 == 0o755


async def test_a_relative_path_means_the_same_file_wherever_the_bot_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await Stores.open("escoba.sqlite3")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    await asyncio.gather(*(store.values.get("a") for _ in range(5)))
    assert name_of(store) == str(tmp_path / "escoba.sqlite3")
    await store.database.close()


@pytest.mark.parametrize("name", thorough_but(NAMES, NAMES[0], ":memory:"))
async def test_a_path_may_look_like_anything(tmp_path: Path, name: str) -> None:
    store = await Stores.open(tmp_path / name)
    await store.values.set("a", "b")
    await asyncio.to_thread(copy_database, tmp_path / name, tmp_path / "copy")
    await store.database.close()
    for file in (tmp_path / name, tmp_path / "copy"):
        assert file.read_bytes().startswith(b"SQLite format 3")


async def test_opening_again_changes_nothing(new_database: str | Path) -> None:
    contents = []
    for _ in range(2):
        store = await Stores.open(new_database)
        await store.database.close()
        contents.append(rows(new_database, _TABLES[type(new_database)]))
        contents.append(rows(new_database, "SELECT * FROM escoba_version"))
    assert contents[:2] == contents[2:]


@pytest.mark.thorough
async def test_many_stores_open_at_once(tmp_path: Path) -> None:
    stores = await asyncio.gather(*(Stores.open(tmp_path / f"{n % 3}.sqlite3") for n in range(12)))
    for store in stores:
        assert await open_game_ids(store) == []
        await store.database.close()


def test_many_processes_open_at_once(new_database: str | Path, tmp_path: Path) -> None:
    together, errors = FORKING.Barrier(4), tmp_path / "errors"
    children = [
        FORKING.Process(target=open_and_write, args=(new_database, f"child {n}", together, errors)) for n in range(4)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join(HANG_SECONDS)
        assert child.exitcode == 0
    assert errors.read_text() == ""
    assert len(rows(new_database, "SELECT * FROM key_values")) == 4


def open_and_write(database: str | Path, key: str, together: Barrier, errors: Path) -> None:
    """The body of each of those processes."""

    async def main() -> None:
        store = await Stores.open(database)
        await store.values.set(key, "here")
        await store.database.close()

    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    warnings.simplefilter("error")
    together.wait(HANG_SECONDS)
    asyncio.run(main())
    gc.collect()  # connections that weren't closed warn


async def test_the_migrations_lead_to_the_tables_in_the_code(file_store: Stores, tmp_path: Path) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), SCHEMA.metadata))

    async with read_connection(file_store) as connection:
        assert await connection.run_sync(differences) == []

    # Alembic compares neither checks nor AUTOINCREMENT and WITHOUT ROWID.
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'model.sqlite3'}")
    SCHEMA.metadata.create_all(engine)
    engine.dispose()

    def definitions(file: Path) -> dict[str, list[str]]:
        query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%escoba_version%' AND sql IS NOT NULL"
        # SQLite adds a column's definition to the last line.
        return {name: sorted(re.split(r",\s+|\s*\n\s*|\)$", sql)) for name, sql in rows(file, query)}

    assert definitions(Path(name_of(file_store))) == definitions(tmp_path / "model.sqlite3")


async def test_a_database_of_a_newer_bot_is_left_alone(database: str | Path) -> None:
    store = await Stores.open(database)
    async with write_transaction(store) as connection:
        await connection.exec_driver_sql("UPDATE escoba_version SET version_num = '9999', works_for = '9999'")
    await store.database.close()
    with pytest.raises(StoreUnavailable, match="newer") as raised:
        await Stores.open(database)
    assert raised.value.fault is Fault.NEWER
    assert without_password(database) in str(raised.value)
    assert rows(database, "SELECT * FROM escoba_version") == [("9999", "9999")]


async def test_every_connection_is_set_the_same_way(file_store: Stores) -> None:
    async with AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(read_connection(file_store)) for _ in range(4)]
        connections.append(await stack.enter_async_context(write_transaction(file_store)))
        for connection in connections:
            pragmas = {}
            for name in ("foreign_keys", "journal_mode", "synchronous", "busy_timeout"):
                pragmas[name] = (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
            assert pragmas == {
                "foreign_keys": 1,
                "journal_mode": "wal",
                "synchronous": 2,  # FULL
                "busy_timeout": 4_000,
            }


@pytest.mark.parametrize(
    "insert",
    [
        "INSERT INTO events VALUES (99, 1, 'played', '', '2026-01-01')",
        "INSERT INTO results VALUES (1, 99, 1, 1, 1, '2026-01-01', '', 21, '2', 1, true, NULL, false, NULL, 1, NULL)",
        "INSERT INTO result_players VALUES"
        " (99, 0, 0, 1, '', true, 1, 1, 1, '2026-01-01', true, 1, NULL, NULL, NULL, NULL, NULL, true, NULL, false,"
        " NULL, NULL, NULL)",
        "INSERT INTO lessons VALUES (99, 'first', 0, NULL, '2026-01-01')",
    ],
)
async def test_no_row_can_refer_to_a_missing_one(store: Stores, insert: str) -> None:
    with pytest.raises(RowRejected, match=r"(?i)foreign key"):
        await database_of(store).write(lambda connection: connection.exec_driver_sql(insert))


async def test_opening_does_not_touch_how_the_program_logs(new_database: str | Path) -> None:
    root = logging.getLogger()
    mine = logging.getLogger("tests.mine")
    before = (root.level, list(root.handlers), mine.level, mine.disabled)
    store = await Stores.open(new_database)
    await store.database.close()
    assert (root.level, list(root.handlers), mine.level, mine.disabled) == before


async def test_bodies_are_in_no_log_and_no_error(store: Stores, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    game = await new_game(store)
    await store.games.append(game.id, [entry(1, "hidden-cards")])
    await store.games.log(game.id)
    async with write_transaction(store) as connection:
        await connection.exec_driver_sql("DROP TABLE events")
    with pytest.raises(StoreUnavailable) as raised:
        await store.games.append(game.id, [entry(2, "hidden-cards")])
    error: BaseException | None = raised.value
    while error is not None:
        assert "hidden-cards" not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__
    assert "hidden-cards" not in caplog.text


async def test_a_closed_store_says_so(store: Stores) -> None:
    game = await new_game(store)
    await store.database.close()
    await store.database.close()
    for use in (
        store.games.append(game.id, [entry(1)]),
        store.games.log(game.id),
        store.database.size(),
        store.database.checkpoint(),
    ):
        with pytest.raises(StoreUnavailable) as raised:
            await use
        assert (raised.value.fault, raised.value.code) == (Fault.CLOSED, "closed")


async def test_closing_waits_for_what_is_under_way(store: Stores) -> None:
    game = await new_game(store)
    appending = [asyncio.ensure_future(store.games.append(game.id, [entry(version)])) for version in range(1, 20)]
    await asyncio.sleep(0)
    await asyncio.gather(store.database.close(), store.database.close())
    assert all(task.done() and task.exception() is None for task in appending)
    assert rows(name_of(store), "SELECT count(*) FROM events") == [(19,)]


async def test_a_closed_store_leaves_one_file(file_store: Stores, path: Path) -> None:
    await new_game(file_store)
    await file_store.database.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# ---------------------------------------------------------------------- on to PostgreSQL


def test_the_tables_can_be_written_for_postgresql() -> None:
    created: list[str] = []
    engine = sa.create_mock_engine(
        "postgresql+psycopg://", lambda ddl, *_, **__: created.append(str(ddl.compile(dialect=engine.dialect)))
    )
    SCHEMA.metadata.create_all(engine, checkfirst=False)
    assert "".join(created).count("BIGSERIAL") == 4
    assert any("TIMESTAMP WITH TIME ZONE" in statement for statement in created)
    indexes = [statement for statement in created if "INDEX" in statement and " ON games " in statement]
    alone, ended = "closed_at IS NULL AND channel_id IS NULL", "closed_at IS NOT NULL AND message_id IS NOT NULL"
    assert {statement.partition(" WHERE ")[2] for statement in indexes} == {
        "closed_at IS NULL", alone, ended, "tournament_id IS NOT NULL", "broken_off", "",
    }  # fmt: skip


def test_the_steps_can_be_written_for_postgresql() -> None:
    script = ScriptDirectory.from_config(configuration(SCHEMA))
    written: list[str] = []
    context = MigrationContext.configure(
        dialect_name="postgresql", opts={"as_sql": True, "output_buffer": _Buffer(written)}
    )
    with Operations.context(context):
        for revision in reversed(list(script.walk_revisions())):
            revision.module.upgrade()
    text = "".join(written)
    assert "BIGSERIAL" in text
    assert "ON games (channel_id) WHERE closed_at IS NULL" in text
    assert "ROWID" not in text


async def test_the_statements_can_be_written_for_postgresql(file_store: Stores) -> None:
    seen: list[sa.ClauseElement] = []

    def note(connection: object, statement: object, *rest: object) -> None:
        if isinstance(statement, sa.ClauseElement):
            seen.append(statement)

    for engine in (sqlite_of(file_store)._reader, sqlite_of(file_store)._writer):
        event.listen(engine.sync_engine, "before_execute", note)
    game = await new_game(file_store, log=[entry(1)])
    await file_store.games.append(game.id, [entry(2)], result=match_result([player_result(0, 1)]))
    await file_store.games.set_message(game.id, 1, NOON)
    await file_store.games.append(game.id, [], close=True)
    with contextlib.suppress(Exception):
        await file_store.games.append(game.id, [entry(3)])
    for metric in Metric:
        await file_store.leaderboards.own_row(1, 1, Leaderboard(metric, "2026-03"))
        await file_store.leaderboards.own_row(1, 1, Leaderboard(metric, min_matches=2))
        await file_store.leaderboards.page(1, Leaderboard(metric), limit=5, offset=5)
    await file_store.leaderboards.stats(1, 1)
    await open_game_ids(file_store)
    await file_store.games.log(game.id)
    await file_store.values.set("a", "b")
    await file_store.values.get("a")
    assert len(seen) > 20
    for statement in seen:
        assert str(statement.compile(dialect=postgresql.dialect()))


class _Buffer:
    def __init__(self, written: list[str]) -> None:
        self.write = written.append
        self.flush = lambda: None


async def test_a_new_file_opens_at_the_first_try_even_if_no_garbage_is_collected(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []
    made = aiosqlite.Cursor.__init__

    def keeping(self: aiosqlite.Cursor, connection: aiosqlite.Connection, cursor: sqlite3.Cursor) -> None:
        kept.append(cursor)  # as the driver's thread may, for a moment
        made(self, connection, cursor)

    monkeypatch.setattr(aiosqlite.Cursor, "__init__", keeping)
    monkeypatch.setattr("bot.platform.database.sqlite._OPEN_TRIES", 1)
    store = await Stores.open(path)
    await store.database.close()
    assert kept
