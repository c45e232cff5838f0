"""What was stored is kept, whatever other programs do to the database's files while the bot is using them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import BackupFolder, Fault, Store, StoreUnavailable
from tests.support.databases import with_tables
from tests.support.errors import Expected
from tests.support.live_files import bytes_of
from tests.support.store import entries, new_game, rows, sqlite_of

LOGGER = "bot.store.backends.sqlite_files"
TAKEN = (LOGGER, "has deleted, moved or replaced")
OPENS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    print(connection.execute(statement).fetchall(), flush=True)
"""
COUNT = "SELECT count(*) FROM events"


@pytest.fixture
async def store(path: Path, sqlite_threads: None) -> Store:
    """A store with a game of three moves; tests close it."""
    store = await Store.open(with_tables(path))
    await new_game(store, log=entries(1, 3))
    return store


def elsewhere(path: Path, *statements: str) -> str:
    """Run statements in another program, which then closes the database."""
    closes = f"{OPENS}connection.close()"
    command = [sys.executable, "-c", closes, str(path), *statements]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def opened_elsewhere(path: Path, *statements: str) -> Iterator[subprocess.Popen[str]]:
    """In the block, another program has run statements and keeps the database open; it is killed after that."""
    command = [sys.executable, "-c", f"{OPENS}sys.stdin.read()", str(path), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in statements:
            process.stdout.readline()
        yield process
        process.kill()


def _another_closes_it(path: Path) -> None:
    """Drop the locks, as 1.0 did at each backup; then a program opens and closes the database."""
    path.read_bytes()
    assert elsewhere(path, COUNT) == "[(3,)]"


def _deleted_by_hand(path: Path) -> None:
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink()


def _log_replaced(path: Path) -> None:
    empty = path.with_name("empty")
    empty.touch()
    empty.replace(f"{path}-wal")


TAKING = [_another_closes_it, _deleted_by_hand, _log_replaced]


def logged_as_taken(expected_errors: Expected, how: Callable[[Path], None]) -> None:
    expected_errors.append(TAKEN)
    if how is _another_closes_it:
        expected_errors.append(("tests.support.live_files", "is being opened"))


@pytest.mark.parametrize("take", TAKING)
async def test_a_move_is_answered_only_when_others_find_it_in_the_database(
    store: Store, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    logged_as_taken(expected_errors, take)
    take(path)
    await store.append(1, entries(4, 6))
    assert elsewhere(path, COUNT) == "[(6,)]"
    assert not store.detached
    await asyncio.gather(*(new_game(store, 100 + n, log=entries(1, 2)) for n in range(5)))
    await store.append(1, entries(7, 8))
    assert elsewhere(path, COUNT, "PRAGMA integrity_check") == "[(18,)]\n[('ok',)]"
    assert len(await store.log(1)) == 8
    await store.close()
    assert rows(path, COUNT) == [(18,)]
    assert rows(path, "SELECT * FROM key_values WHERE key = 'reattached'") == []


@pytest.mark.parametrize("take", TAKING)
async def test_it_is_noticed_while_nothing_is_written_too(
    store: Store, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    logged_as_taken(expected_errors, take)
    await store.look()
    take(path)
    await store.look()
    assert not store.detached
    assert Path(f"{path}-wal").exists()
    assert await store.obstacle() is None
    await store.close()
    assert rows(path, COUNT) == [(3,)]


async def test_a_copy_from_before_stays_among_the_backups_for_four_weeks(
    store: Store, path: Path, expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    for first in (4, 6, 8):
        _deleted_by_hand(path)
        await store.append(1, entries(first, first + 1))
    [copy] = BackupFolder(path).path.iterdir()
    assert copy.name.endswith("-replaced.sqlite3")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert rows(copy, COUNT) == [(9,)]
    await store.close()


async def test_it_waits_until_no_other_program_has_the_database_open(
    store: Store, path: Path, expected_errors: Expected
) -> None:
    expected_errors += [TAKEN, (LOGGER, "close every other program that has it open.*It is tried again")]
    _deleted_by_hand(path)
    with opened_elsewhere(path, COUNT):
        with pytest.raises(StoreUnavailable) as raised:
            await store.append(1, entries(4, 5))
        assert raised.value.fault is Fault.DETACHED
        for refused in (store.append(1, entries(4, 5)), store.set_value("a", "b"), store.log(1), store.look()):
            if refused.__name__ == "look":
                await refused
            else:
                with pytest.raises(StoreUnavailable, match="taken away"):
                    await refused
        assert store.detached
        assert await store.obstacle() is Fault.DETACHED
    await store.look()
    assert not store.detached
    assert await store.obstacle() is None
    assert len(await store.log(1)) == 5
    assert elsewhere(path, COUNT) == "[(5,)]"
    await store.close()


async def test_it_waits_for_reads_that_are_under_way(store: Store, path: Path, expected_errors: Expected) -> None:
    expected_errors.append(TAKEN)
    began, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection) -> int:
        await connection.scalar(sa.text(COUNT))
        began.set()
        await goes_on.wait()
        return await connection.scalar(sa.text(COUNT)) or 0

    reading = asyncio.create_task(sqlite_of(store).read(slow))
    await began.wait()
    _deleted_by_hand(path)
    writing = asyncio.create_task(store.append(1, entries(4, 5)))
    await asyncio.sleep(0.2)
    assert not writing.done()
    goes_on.set()
    assert await reading == 3
    await writing
    assert elsewhere(path, COUNT) == "[(5,)]"
    await store.close()


def _replaced(path: Path) -> None:
    subprocess.run(["cp", str(path), f"{path}.new"], check=True)
    os.replace(f"{path}.new", path)


def _moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite3"))


@pytest.mark.parametrize("take", [_replaced, _moved, Path.unlink])
async def test_what_took_the_databases_place_stays_as_it_is_and_the_copy_has_everything(
    store: Store, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    expected_errors += [TAKEN, (LOGGER, "is another file now, or gone.*run the command `restore` with that file")]
    take(path)
    before = bytes_of(path) if path.exists() else None
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as raised:
            await store.append(1, entries(4, 5))
        assert raised.value.fault is Fault.DETACHED
        await store.look()
    [copy] = BackupFolder(path).path.iterdir()
    assert rows(copy, COUNT) == [(5,)]
    await store.close()
    assert (path.read_bytes() if path.exists() else None) == before


async def test_a_database_that_comes_back_is_used_again(store: Store, path: Path, expected_errors: Expected) -> None:
    expected_errors += [TAKEN, (LOGGER, "is another file now, or gone")]
    away = path.with_name("away")
    path.rename(away)
    with pytest.raises(StoreUnavailable):
        await store.append(1, entries(4, 5))
    away.rename(path)
    await store.look()
    assert elsewhere(path, COUNT) == "[(5,)]"
    await store.append(1, entries(6, 7))
    await store.close()
    assert rows(path, COUNT) == [(7,)]


async def test_another_programs_changes_are_not_overwritten(
    store: Store, path: Path, expected_errors: Expected
) -> None:
    expected_errors += [TAKEN, (LOGGER, "was written to by another program")]
    _deleted_by_hand(path)
    with opened_elsewhere(path, "INSERT INTO key_values VALUES ('theirs', 'yes')"):
        pass
    with pytest.raises(StoreUnavailable):
        await store.append(1, entries(4, 5))
    await store.close()
    [copy] = BackupFolder(path).path.glob("*.sqlite3")
    assert rows(copy, COUNT) == [(5,)]
    [log] = BackupFolder(path).path.glob("*-wal")
    assert b"theirs" in log.read_bytes()


async def test_a_full_disk_keeps_no_copy_and_nothing_is_lost(
    store: Store, path: Path, expected_errors: Expected, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_errors.append(TAKEN)

    def full(self: BackupFolder, now: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite_of(store)._files, "_aside", full.__get__(BackupFolder(path)))
    _deleted_by_hand(path)
    await store.append(1, entries(4, 5))
    assert elsewhere(path, COUNT) == "[(5,)]"
    await store.close()


async def test_looking_at_the_files_costs_next_to_nothing(store: Store) -> None:
    files, times = sqlite_of(store)._files, 10_000
    began = time.perf_counter()
    for _ in range(times):
        assert files.intact
    assert (time.perf_counter() - began) / times < 0.000_05
    await store.close()


async def test_a_link_to_the_database_is_followed(path: Path, sqlite_threads: None) -> None:
    real = with_tables(path)
    link = path.with_name("link.sqlite3")
    link.symlink_to(real)
    store = await Store.open(link)
    await new_game(store, log=entries(1, 3))
    await store.append(1, entries(4, 5))
    assert not store.detached
    await store.close()
    with closing(sqlite3.connect(real)) as connection:
        assert connection.execute(COUNT).fetchall() == [(5,)]
