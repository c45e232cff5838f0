"""Backups: a copy of the state at one moment, made while the bot plays, that opens like the original."""

import asyncio
import errno
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from bot.club.store.standing import Leaderboard, Metric
from bot.platform.database import private_files
from bot.platform.database.errors import BackupExists, Fault, StoreUnavailable
from bot.platform.database.tools.backup_folder import copy_database
from bot.process.stores import Stores
from tests.support.store import (
    GUILD,
    add_finished_game,
    entries,
    entry,
    match_result,
    new_game,
    open_game_ids,
    player_result,
)


@pytest.fixture
def database(path: Path) -> Path:
    """A file; servers have their own tools for backups."""
    return path


async def test_a_backup_opens_and_equals_the_original(store: Stores, path: Path, tmp_path: Path) -> None:
    await add_finished_game(
        store, [match_result([player_result(0, 1, won=True, place=1), player_result(1, 2, place=2)])]
    )
    game = await new_game(store, log=entries(1, 50))
    await store.values.set("commands", "hash")
    await asyncio.to_thread(copy_database, path, tmp_path / "copy.sqlite3")
    await store.games.append(game.id, [entry(51)])

    copy = await Stores.open(tmp_path / "copy.sqlite3")
    assert await open_game_ids(copy) == [game.id]
    assert await copy.games.log(game.id) == entries(1, 50)
    assert await copy.values.get("commands") == "hash"
    for each in Metric:
        boards = [await one.leaderboards.page(GUILD, Leaderboard(each), limit=9, offset=0) for one in (store, copy)]
        assert boards[0] == boards[1]
        assert boards[0].total == 2
    await copy.games.append(game.id, [entry(51)], close=True)
    assert (await new_game(copy)).id == game.id + 1
    await copy.database.close()


async def test_a_backup_is_of_one_moment_while_the_bot_plays(store: Stores, path: Path, tmp_path: Path) -> None:
    game = await new_game(store)
    done = asyncio.Event()

    async def play() -> int:
        version = 0
        while not done.is_set():
            await store.games.append(game.id, entries(version + 1, version + 2))
            version += 2
        return version

    playing = asyncio.create_task(play())
    for n in range(5):
        await asyncio.to_thread(copy_database, path, tmp_path / f"{n}.sqlite3")
        await asyncio.sleep(0.01)
    done.set()
    last = await playing
    lengths = []
    for n in range(5):
        copy = await Stores.open(tmp_path / f"{n}.sqlite3")
        log = await copy.games.log(game.id)
        assert log == entries(1, len(log))
        assert len(log) % 2 == 0
        lengths.append(len(log))
        await copy.database.close()
    assert lengths == sorted(lengths)
    assert lengths[-1] <= last
    assert len(set(lengths)) > 1


async def test_a_backup_overwrites_nothing(store: Stores, path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    target.write_text("precious")
    with pytest.raises(BackupExists) as raised:
        await asyncio.to_thread(copy_database, path, target)
    assert raised.value.code == "backup_exists"
    assert target.read_text() == "precious"


async def test_a_backup_that_was_interrupted_does_not_stop_the_next(store: Stores, path: Path, tmp_path: Path) -> None:
    lately, long_ago = (tmp_path / f"copy.sqlite3.{name}.partial" for name in ("0123abcd", "4567cdef"))
    others = tmp_path / "copy.sqlite3-of-another-program.partial"
    for file in (lately, long_ago, others):
        file.write_text("half of one")
    yesterday = time.time() - 90_000
    for file in (long_ago, others):
        os.utime(file, times=(yesterday, yesterday))
    await asyncio.to_thread(copy_database, path, tmp_path / "copy.sqlite3")
    assert set(tmp_path.glob("*.partial")) == {lately, others}, "somebody may still be writing to the first"


@pytest.mark.parametrize("taken", [False, True], ids=["free", "taken meanwhile"])
async def test_without_hard_links_a_copy_gets_its_name_unless_that_is_taken(
    store: Stores, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    target = tmp_path / "copy.sqlite3"

    def refuse(old: Path, new: Path) -> None:
        if taken:
            target.write_text("precious")
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    done = await asyncio.gather(asyncio.to_thread(copy_database, path, target), return_exceptions=True)
    assert list(map(type, done)) == [BackupExists if taken else type(None)]
    assert (target.read_bytes() == b"precious") is taken
    assert not list(tmp_path.glob("*.partial"))


async def test_two_copies_to_one_name_at_a_time_dont_get_into_each_others_way(
    store: Stores, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, flush = tmp_path / "copy.sqlite3", private_files._flush
    ready = threading.Barrier(2)

    def flush_together(partial: Path) -> None:
        ready.wait(60)
        flush(partial)

    monkeypatch.setattr(private_files, "_flush", flush_together)
    done = await asyncio.gather(
        *(asyncio.to_thread(copy_database, path, target, checked=True) for _ in range(2)), return_exceptions=True
    )
    assert [type(each) for each in done if each is not None] == [BackupExists], "the second one overwrites nothing"
    assert sqlite3.connect(target).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not list(tmp_path.glob("*.partial"))


async def test_a_backup_to_a_missing_folder_says_so(store: Stores, path: Path, tmp_path: Path) -> None:
    target = tmp_path / "missing" / "copy.sqlite3"
    with pytest.raises(StoreUnavailable) as raised:
        await asyncio.to_thread(copy_database, path, target)
    assert raised.value.fault is Fault.UNAVAILABLE
    assert str(target) in str(raised.value)


def test_copying_a_missing_file_creates_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        copy_database(tmp_path / "missing.sqlite3", tmp_path / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_a_database_isnt_copied(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database. " * 100)
    with pytest.raises(StoreUnavailable) as raised:
        copy_database(tmp_path / "text", tmp_path / "copy.sqlite3")
    assert raised.value.fault is Fault.CORRUPT
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


def test_a_copy_reaches_the_disk_before_it_is_named_and_its_name_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "escoba.sqlite3", tmp_path / "backups" / "copy.sqlite3"
    target.parent.mkdir()
    sqlite3.connect(source).close()
    done: list[tuple[str, int]] = []
    fsync, link = os.fsync, os.link

    def noting_fsync(handle: int) -> None:
        fsync(handle)
        done.append(("flushed", os.fstat(handle).st_ino))

    def noting_link(old: Path, new: Path) -> None:
        link(old, new)
        done.append(("named", new.stat().st_ino))

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "link", noting_link)
    copy_database(source, target)
    file, folder = target.stat().st_ino, target.parent.stat().st_ino
    assert done == [("flushed", file), ("named", file), ("flushed", folder)]


def test_a_copy_that_cant_reach_the_disk_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlite3.connect(tmp_path / "escoba.sqlite3").close()

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StoreUnavailable) as raised:
        copy_database(tmp_path / "escoba.sqlite3", tmp_path / "copy.sqlite3")
    assert raised.value.fault is Fault.DISK_FULL
    assert [file.name for file in tmp_path.iterdir()] == ["escoba.sqlite3"]
