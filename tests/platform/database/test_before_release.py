"""Databases from before the first release: whatever is asked of them, they are refused in words, and stay untouched."""

import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg
import pytest
import sqlalchemy as sa

import bot.__main__ as command_line
from bench.postgres import Cluster
from bot.platform.database.before_release import is_file_from_before
from bot.platform.database.errors import Fault, StoreError, StoreUnavailable
from bot.platform.database.locations import location_of, without_password
from bot.platform.database.opening import database_at
from bot.platform.database.tools.backup_folder import copy_database
from bot.platform.database.tools.transfer import transfer
from bot.process.check import check
from bot.process.stores import Stores
from bot.schema import SCHEMA
from tests.support.databases import with_tables
from tests.support.store import rows

_SENTENCE: Final = "is from before the first release.*can't be converted.*name another one in ESCOBA_DATABASE, or move"
_TABLES: Final = {
    "the first schema": (
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
        "INSERT INTO alembic_version VALUES ('0001')",
    ),
    "the last schema": (
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY, works_for TEXT)",
        "INSERT INTO alembic_version VALUES ('0015', '0013')",
    ),
}
_GAME: Final = ("CREATE TABLE games (id INTEGER PRIMARY KEY)", "INSERT INTO games VALUES (7)")


def make(path: Path, schema: str, journal: str = "WAL") -> None:
    """Make such a database, which others may read, too."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA journal_mode={journal}")
        for statement in (*_TABLES[schema], *_GAME):
            connection.execute(statement)
    path.chmod(0o644)


def state(path: Path) -> dict[str, tuple[int, bytes]]:
    """The mode and the bytes of a database's files, except SQLite's index of its log, which readers write to."""
    files = [each for each in (path, Path(f"{path}-wal"), Path(f"{path}-journal")) if each.exists()]
    return {each.name: (each.stat().st_mode, each.read_bytes()) for each in files}


async def _open(place: str | Path, folder: Path) -> None:
    await Stores.open(place)


async def _check(place: str | Path, folder: Path) -> None:
    await check(location_of(place), print)


async def _copy(place: str | Path, folder: Path) -> None:
    await transfer(location_of(place), folder / "copy.sqlite3", SCHEMA)


async def _copy_into(place: str | Path, folder: Path) -> None:
    await transfer(with_tables(folder / "other.sqlite3"), location_of(place), SCHEMA)


USES: Final = [_open, _check, _copy, _copy_into]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("schema", _TABLES)
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
async def test_a_file_is_refused_and_stays_as_it_is(
    path: Path, tmp_path: Path, use: Callable[[Path, Path], Awaitable[None]], schema: str, journal: str
) -> None:
    make(path, schema, journal)
    before = state(path)
    with pytest.raises(StoreError, match=_SENTENCE) as raised:
        await use(path, tmp_path)
    assert str(path) in str(raised.value)
    assert not raised.value.transient
    assert state(path) == before
    assert not (tmp_path / "copy.sqlite3").exists()


def _diary(path: Path) -> None:
    path.write_text("Not a database, but a diary.")


def _other_program(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT)")


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("make", "said"),
    [(_diary, "is not a database"), (_other_program, "it is another program's")],
    ids=["text", "SQLite"],
)
async def test_a_file_that_is_not_the_bots_stays_as_it_is(
    path: Path, tmp_path: Path, use: Callable[[Path, Path], Awaitable[None]], make: Callable[[Path], None], said: str
) -> None:
    path.parent.mkdir()
    make(path)
    path.chmod(0o644)
    before = state(path)
    with pytest.raises(StoreError, match=said) as raised:
        await use(path, tmp_path)
    assert "Name another one, in the setting or the command" in str(raised.value)
    assert not raised.value.transient
    assert state(path) == before
    assert {each.name for each in path.parent.iterdir()} == {path.name}


async def test_what_a_killed_bot_left_in_the_log_stays_there(path: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.sqlite3"
    make(made, "the last schema")
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute("INSERT INTO games VALUES (8)")
        path.parent.mkdir()
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").write_bytes(Path(f"{made}{end}").read_bytes())
    before = state(path)
    assert before[f"{path.name}-wal"][1]
    for use in USES:
        with pytest.raises(StoreError, match=_SENTENCE):
            await use(path, tmp_path)
    assert state(path) == before
    assert rows(path, "SELECT id FROM games ORDER BY id") == [(7,), (8,)]


@pytest.mark.parametrize("schema", _TABLES)
async def test_a_servers_database_is_refused_and_stays_as_it_is(postgres: Cluster, tmp_path: Path, schema: str) -> None:
    url = postgres.new("template1")
    with psycopg.connect(url.replace("+psycopg", "")) as server:
        for statement in (*_TABLES[schema], *_GAME):
            server.execute(statement.encode())
    everything = "SELECT relname, relkind, relfilenode FROM pg_class WHERE oid >= 16384 ORDER BY 1"
    before = rows(url, everything), rows(url, "SELECT * FROM alembic_version")
    for use in USES:
        with pytest.raises(StoreError, match=_SENTENCE) as raised:
            await use(url, tmp_path)
        assert without_password(sa.make_url(url)) in str(raised.value)
        assert not raised.value.transient
    assert (rows(url, everything), rows(url, "SELECT * FROM alembic_version")) == before
    assert rows(url, "SELECT * FROM games") == [(7,)]
    postgres.drop(url)


async def test_a_closed_bot_says_that_another_start_will_not_help(path: Path) -> None:
    make(path, "the last schema")
    with pytest.raises(StoreUnavailable) as raised:
        Stores(await database_at(path, SCHEMA))
    assert raised.value.fault is Fault.REFUSED


@pytest.mark.parametrize("arguments", [["backup"], ["backup", "new.sqlite3"], ["check"], ["copy", "", "new.sqlite3"]])
def test_each_command_says_what_to_do(
    path: Path,
    tmp_path: Path,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make(path, "the last schema")
    before = state(path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ESCOBA_DATABASE", str(path))
    assert command_line.main([argument or str(path) for argument in arguments]) == 2
    said = capsys.readouterr()
    assert "name another one in ESCOBA_DATABASE, or move this one away" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert state(path) == before
    assert not Path("new.sqlite3").exists()


def test_only_databases_from_before_are_taken_for_one(path: Path, tmp_path: Path) -> None:
    assert not is_file_from_before(path)
    assert not is_file_from_before(tmp_path)
    assert not is_file_from_before(tmp_path / ("x" * 300))
    assert not is_file_from_before(with_tables(path))
    path.write_bytes(os.urandom(5_000))
    assert not is_file_from_before(path)
    with pytest.raises(StoreUnavailable, match="not a database"):
        copy_database(path, tmp_path / "copy.sqlite3")
