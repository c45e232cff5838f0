"""What was stored is kept, whatever other programs do to the database's files while the bot is using them."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.tools.backup_folder import BackupFolder
from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.errors import Expected
from tests.support.live_files import bytes_of
from tests.support.store import entries, new_game, rows, sqlite_of

LOGGER = "bot.platform.database.sqlite"
TAKEN = (LOGGER, "has deleted, moved or replaced")
OPENS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    print(connection.execute(statement).fetchall(), flush=True)
"""
COUNT = "SELECT count(*) FROM events"


@pytest.fixture
async def store(path: Path, sqlite_threads: None) -> Stores:
    """A store with a game of three moves; tests close it."""
    store = await Stores.open(with_tables(path))
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
    store: Stores, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    logged_as_taken(expected_errors, take)
    take(path)
    await store.games.append(1, entries(4, 6))
    assert elsewhere(path, COUNT) == "[(6,)]"
    assert not store.database.detached
    await asyncio.gather(*(new_game(store, 100 + n, log=entries(1, 2)) for n in range(5)))
    await store.games.append(1, entries(7, 8))
    assert elsewhere(path, COUNT, "PRAGMA integrity_check") == "[(18,)]\n[('ok',)]"
    assert len(await store.games.log(1)) == 8
    await store.database.close()
    assert rows(path, COUNT) == [(18,)]
    assert rows(path, "SELECT * FROM key_values WHERE key = 'reattached'") == []


@pytest.mark.parametrize("take", TAKING)
async def test_it_is_noticed_while_nothing_is_written_too(
    store: Stores, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    logged_as_taken(expected_errors, take)
    await store.database.obstacle()
    take(path)
    await store.database.obstacle()
    assert not store.database.detached
    assert Path(f"{path}-wal").exists()
    assert await store.database.obstacle() is None
    await store.database.close()
    assert rows(path, COUNT) == [(3,)]


async def test_a_file_from_before_stays_among_the_backups_for_four_weeks(
    store: Stores, path: Path, expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    for first in (4, 6, 8):
        _deleted_by_hand(path)
        await store.games.append(1, entries(first, first + 1))
    [aside] = BackupFolder(path).path.iterdir()
    assert aside.name.endswith("-replaced.sqlite3")
    assert not (aside.stat().st_mode | path.stat().st_mode) & stat.S_IRWXO
    await store.database.close()
    assert rows(path, COUNT) == [(9,)]


async def test_programs_that_have_the_database_open_go_on_with_the_file_from_before(
    store: Stores, path: Path, expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    _deleted_by_hand(path)
    with opened_elsewhere(path, COUNT, "INSERT INTO key_values VALUES ('theirs', 'yes')"):
        await store.games.append(1, entries(4, 5))
        assert elsewhere(path, COUNT, "SELECT * FROM key_values") == "[(5,)]\n[]"
    assert len(await store.games.log(1)) == 5
    await store.games.append(1, entries(6, 7))
    await store.database.close()
    assert elsewhere(path, COUNT, "PRAGMA integrity_check") == "[(7,)]\n[('ok',)]"


async def test_while_nothing_can_be_put_back_nothing_is_answered_and_nothing_lost(
    store: Stores, path: Path, expected_errors: Expected, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_errors += [TAKEN, (LOGGER, "isn't back yet; it is tried again: .*No space left")]
    _deleted_by_hand(path)
    with monkeypatch.context() as full:
        full.setattr(os, "replace", _full)
        with pytest.raises(StoreUnavailable) as raised:
            await store.games.append(1, entries(4, 5))
        assert raised.value.fault is Fault.DETACHED
        for refused in (store.games.append(1, entries(4, 5)), store.values.set("a", "b"), store.games.log(1)):
            with pytest.raises(StoreUnavailable, match="taken away"):
                await refused
        await store.database.checkpoint()
        assert store.database.detached
        assert await store.database.obstacle() is Fault.DETACHED
    assert await store.database.obstacle() is None
    assert not store.database.detached
    assert len(await store.games.log(1)) == 5
    await store.database.close()
    assert rows(path, COUNT) == [(5,)]


def _full(source: object, target: object) -> None:
    raise OSError(28, "No space left on device")


async def test_after_each_failure_on_the_way_it_goes_on_from_there(
    store: Stores, path: Path, expected_errors: Expected, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_errors += [
        TAKEN,
        (LOGGER, r"-replaced.sqlite3\) isn't back yet"),
        (LOGGER, r"no copy yet\) isn't back yet"),
    ]
    _replaced(path)
    failing = sqlite_of(store)
    with monkeypatch.context() as first:
        first.setattr("bot.platform.database.sqlite_engine.put_in_place", _full_disk)
        with pytest.raises(StoreUnavailable):
            await store.games.append(1, entries(4, 5))
        assert await store.database.obstacle() is Fault.DETACHED
    [copy] = BackupFolder(path).path.iterdir()
    assert rows(copy, COUNT) == [(5,)]
    with monkeypatch.context() as second:
        second.setattr(failing, "_prepare", _locked)
        assert await store.database.obstacle() is Fault.DETACHED
        assert await store.database.obstacle() is Fault.DETACHED
    assert await store.database.obstacle() is None
    await store.games.append(1, entries(6, 7))
    await store.database.close()
    assert rows(path, COUNT) == [(7,)]
    assert len(list(BackupFolder(path).path.iterdir())) == 1


def _full_disk(database: Path, new: Path, aside: Path) -> None:
    raise OSError(28, "No space left on device")


async def _locked() -> None:
    raise StoreUnavailable(Fault.LOCKED, "locked")


async def test_it_waits_for_reads_that_are_under_way(store: Stores, path: Path, expected_errors: Expected) -> None:
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
    writing = asyncio.create_task(store.games.append(1, entries(4, 5)))
    await asyncio.sleep(0.2)
    assert not writing.done()
    goes_on.set()
    assert await reading == 3
    await writing
    assert elsewhere(path, COUNT) == "[(5,)]"
    await store.database.close()


def _replaced(path: Path) -> None:
    subprocess.run(["cp", str(path), f"{path}.new"], check=True)
    os.replace(f"{path}.new", path)


def _moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite3"))


@pytest.mark.parametrize("take", [_replaced, _moved, Path.unlink])
async def test_what_took_the_databases_place_is_kept_as_it_is(
    store: Stores, path: Path, take: Callable[[Path], None], expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    take(path)
    before = bytes_of(path) if path.exists() else None
    await store.games.append(1, entries(4, 5))
    kept = list(BackupFolder(path).path.iterdir()) if BackupFolder(path).path.exists() else []
    assert [each.read_bytes() for each in kept] == ([] if before is None else [before])
    _deleted_by_hand(path)
    await store.games.append(1, entries(6, 7))
    await store.database.close()
    assert all(each.exists() for each in kept)
    assert rows(path, COUNT) == [(7,)]


async def test_another_programs_changes_are_not_overwritten(
    store: Stores, path: Path, expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    _deleted_by_hand(path)
    with opened_elsewhere(path, "INSERT INTO key_values VALUES ('theirs', 'yes')"):
        pass
    await store.games.append(1, entries(4, 5))
    await store.database.close()
    assert rows(path, COUNT) == [(5,)]
    [aside] = BackupFolder(path).path.glob("*.sqlite3")
    assert rows(aside, "SELECT value FROM key_values WHERE key = 'theirs'") == [("yes",)]


async def test_a_process_that_waits_for_its_turn_brings_nothing_back_and_goes_on_with_what_is_there(
    store: Stores, path: Path, expected_errors: Expected
) -> None:
    expected_errors.append(TAKEN)
    waiting = await Stores.open(path)
    its_turn = False

    async def confirm() -> None:
        if not its_turn:
            raise StoreUnavailable(Fault.CLOSED, "it is another process's turn")

    waiting.database.fence = confirm
    _deleted_by_hand(path)
    assert await waiting.database.obstacle() is None
    assert not Path(f"{path}-wal").exists()
    await store.games.append(1, entries(4, 5))
    assert await waiting.database.obstacle() is None
    await store.games.append(1, entries(6, 7))
    await store.database.close()
    its_turn = True
    await waiting.database.check_version()
    assert len(await waiting.games.log(1)) == 7
    await waiting.games.append(1, entries(8, 9))
    await waiting.database.close()
    assert rows(path, COUNT) == [(9,)]


async def test_a_link_to_the_database_is_followed(path: Path, sqlite_threads: None) -> None:
    real = with_tables(path)
    link = path.with_name("link.sqlite3")
    link.symlink_to(real)
    store = await Stores.open(link)
    await new_game(store, log=entries(1, 3))
    await store.games.append(1, entries(4, 5))
    assert not store.database.detached
    await store.database.close()
    with closing(sqlite3.connect(real)) as connection:
        assert connection.execute(COUNT).fetchall() == [(5,)]
