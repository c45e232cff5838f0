"""Faults: errors say why a database can't be used, with its path, and nothing is left half done."""

import asyncio
import ctypes
import errno
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.platform.database.errors import Fault, StoreError, StoreUnavailable
from bot.process.stores import Stores
from tests.support.patience import HANG_SECONDS
from tests.support.store import (
    entries,
    entry,
    match_result,
    name_of,
    new_game,
    open_game_ids,
    player_result,
    read_connection,
    rows,
    sqlite_of,
)

_NOBODY = 65534


@pytest.fixture
def database(path: Path) -> Path:
    """A file; the faults of servers are in test_server_faults."""
    return path


async def set_write_pragmas(store: Stores, *pragmas: str) -> None:
    """Set pragmas on the connection for writing."""
    for pragma in pragmas:
        await sqlite_of(store)._pen.run(f"PRAGMA {pragma}")


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that an unprivileged user can reach too."""
    with tempfile.TemporaryDirectory(prefix="escoba-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def unprivileged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open databases without the rights of root, who can open any file."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None)
    connect = sqlite3.connect

    def connect_as_nobody(*args: Any, **options: Any) -> sqlite3.Connection:
        libc.setfsuid(_NOBODY)  # for this thread only: it belongs to the connection and ends with it
        return connect(*args, **options)

    monkeypatch.setattr(sqlite3, "connect", connect_as_nobody)


async def fault_at_opening(path: Path, **options: Any) -> Fault:
    """Why a file can't be opened; checks that the message names it."""
    before = set(threading.enumerate())
    with pytest.raises(StoreUnavailable) as raised:
        await Stores.open(path, **options)
    for thread in set(threading.enumerate()) - before:
        if "_connection_worker_thread" in thread.name:  # aiosqlite doesn't wait for it if connecting has failed
            await asyncio.to_thread(thread.join, HANG_SECONDS)
    assert str(path) in str(raised.value)
    assert raised.value.code == raised.value.fault.value
    assert isinstance(raised.value, StoreError)
    return raised.value.fault


# ---------------------------------------------------------------------- at opening


async def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert await fault_at_opening(tmp_path / "file" / "escoba.sqlite3") is Fault.REFUSED


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.EACCES, Fault.READ_ONLY),
        (errno.EROFS, Fault.READ_ONLY),
        (errno.ENOSPC, Fault.DISK_FULL),
        (errno.ENAMETOOLONG, Fault.REFUSED),
        (errno.EIO, Fault.UNAVAILABLE),
    ],
)
async def test_the_reason_why_a_folder_cannot_be_created_is_reported(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fault: Fault
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert await fault_at_opening(path) is fault


async def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    assert await fault_at_opening(tmp_path) is Fault.REFUSED


@pytest.mark.usefixtures("unprivileged")
async def test_an_unwritable_folder_is_reported(shared_folder: Path) -> None:
    shared_folder.chmod(0o555)
    assert await fault_at_opening(shared_folder / "escoba.sqlite3") in (Fault.UNAVAILABLE, Fault.READ_ONLY)
    shared_folder.chmod(0o755)


@pytest.mark.parametrize("mode", ["new", "used"])
async def test_an_unwritable_file_is_reported(shared_folder: Path, mode: str, request: pytest.FixtureRequest) -> None:
    path = shared_folder / "escoba.sqlite3"
    if mode == "new":
        path.touch()
    else:
        await (await Stores.open(path)).database.close()
    path.chmod(0o444)
    shared_folder.chmod(0o777)
    request.getfixturevalue("unprivileged")
    assert await fault_at_opening(path) is Fault.READ_ONLY


@pytest.mark.parametrize("content", [b"This is no database, but a text of some length. " * 50, b"\0" * 5000])
async def test_a_file_that_is_not_a_database_is_reported(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert await fault_at_opening(path) is Fault.CORRUPT
    assert path.read_bytes() == content


async def test_a_database_held_by_another_program_is_reported(path: Path) -> None:
    await (await Stores.open(path)).database.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await fault_at_opening(path, busy_seconds=0.1) is Fault.LOCKED
    await (await Stores.open(path)).database.close()


async def test_a_step_that_fails_leaves_nothing_behind(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE key_values (something)")
    assert await fault_at_opening(path) is Fault.REFUSED
    assert rows(path, "SELECT name FROM sqlite_master") == [("key_values",)]


# ---------------------------------------------------------------------- later


async def test_a_full_disk_is_reported(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    [(pages,)] = rows(name_of(store), "PRAGMA page_count")
    await set_write_pragmas(store, f"max_page_count={pages + 2}")
    with pytest.raises(StoreUnavailable) as raised:
        await store.games.append(
            game.id, [entry(2), entry(3, "x" * 50_000)], result=match_result([player_result(0, 1)]), close=True
        )
    assert (raised.value.fault, raised.value.code) == (Fault.DISK_FULL, "disk_full")
    assert str(name_of(store)) in str(raised.value)
    assert await store.games.log(game.id) == [entry(1)]
    assert await open_game_ids(store) == [game.id]

    await set_write_pragmas(store, f"max_page_count={2**30}")
    await store.games.append(game.id, [entry(2)])
    assert await store.games.log(game.id) == entries(1, 2)


@pytest.mark.parametrize("close", [False, True], ids=["by the queue of appends", "by a transaction"])
async def test_a_full_disk_is_known_until_there_is_room(store: Stores, close: bool) -> None:
    game = await new_game(store, log=[entry(1)])
    [(pages,)] = rows(name_of(store), "PRAGMA page_count")
    await set_write_pragmas(store, f"max_page_count={pages + 2}")
    assert await store.database.obstacle() is None, "nothing is written just to find out"
    with pytest.raises(StoreUnavailable):
        await store.games.append(game.id, [entry(2, "x" * 50_000)], close=close)
    assert await store.database.obstacle() is Fault.DISK_FULL
    await set_write_pragmas(store, f"max_page_count={2**30}")
    assert await store.database.obstacle() is None
    assert await store.values.of("") == {}


async def test_a_disk_that_became_read_only_is_reported(store: Stores) -> None:
    game = await new_game(store, log=[entry(1)])
    await set_write_pragmas(store, "query_only=ON")
    for writing in (
        store.games.append(game.id, [entry(2)]),
        store.games.set_message(game.id, 1, None),
        store.games.set_locale(game.id, "es-ES"),
        store.values.set("a", "b"),
        new_game(store, 5),
    ):
        with pytest.raises(StoreUnavailable) as raised:
            await writing
        assert raised.value.fault is Fault.READ_ONLY
    assert await store.games.log(game.id) == [entry(1)]
    await set_write_pragmas(store, "query_only=OFF")
    await store.games.append(game.id, [entry(2)])


async def test_another_program_that_writes_for_a_long_time_is_reported(path: Path) -> None:
    store = await Stores.open(path, busy_seconds=0.1)
    game = await new_game(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable) as raised:
            await store.games.append(game.id, [entry(1)])
        assert raised.value.fault is Fault.LOCKED
        assert await store.games.log(game.id) == []
    await store.games.append(game.id, [entry(1)])
    assert await store.games.log(game.id) == [entry(1)]
    await store.database.close()


async def test_a_queue_before_a_locked_file_waits_together(path: Path) -> None:
    now = asyncio.get_running_loop().time
    store = await Stores.open(path, busy_seconds=0.5)
    games = [await new_game(store, channel) for channel in range(12)]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = now()
        with pytest.raises(StoreUnavailable):
            await store.games.append(games[0].id, [entry(1)])
        alone, began = now() - began, now()
        appends = [store.games.append(game.id, [entry(1)]) for game in games]
        told = await asyncio.gather(*appends, return_exceptions=True)
        together = now() - began
    assert [getattr(error, "fault", None) for error in told] == [Fault.LOCKED] * len(games)
    assert together < alone * len(games) / 2, "they didn't wait one after the other"
    await store.games.append(games[0].id, [entry(1)])
    await store.database.close()


async def test_long_reads_dont_block_writes(path: Path) -> None:
    store = await Stores.open(path)
    game = await new_game(store)
    release = asyncio.Event()

    async def look() -> None:
        async with read_connection(store):
            await release.wait()

    looking = [asyncio.create_task(look()) for _ in range(10)]
    await asyncio.sleep(0.1)
    async with asyncio.timeout(HANG_SECONDS):
        await store.games.append(game.id, [entry(1)])
    release.set()
    await asyncio.gather(*looking)
    await store.database.close()


async def test_a_damaged_file_is_reported(path: Path) -> None:
    store = await Stores.open(path)
    game = await new_game(store, log=entries(1, 2000))
    await store.database.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size * 3 // 4)  # an empty database's tables take the first half
        file.write(b"\xa5" * (size // 4 - 8192))
    store = await Stores.open(path)
    with pytest.raises(StoreUnavailable) as raised:
        await store.games.log(game.id)
    assert raised.value.fault is Fault.CORRUPT
    await store.database.close()
