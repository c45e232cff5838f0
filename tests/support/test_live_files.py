"""No test's process may open a database that it uses, by any of its names, except through SQLite."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.platform.clock import utc_now
from bot.platform.database.tools.backup_folder import BackupFolder, copy_database
from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.errors import Expected
from tests.support.store import new_game, rows

LOGGED = ("tests.support.live_files", "is being opened")


def _by_os(path: Path) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _by_symlink(path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    link.read_bytes()


def _by_hard_link(path: Path) -> None:
    link = path.with_name("link")
    link.hardlink_to(path)
    link.read_bytes()


def _by_copying(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))


@pytest.mark.parametrize("use", [Path.read_bytes, _by_os, _by_symlink, _by_hard_link, _by_copying])
@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
async def test_it_is_noticed_when_a_database_in_use_is_opened(
    tmp_path: Path, use: Callable[[Path], object], end: str, expected_errors: Expected
) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    expected_errors.append(LOGGED)
    use(tmp_path / f"escoba.sqlite3{end}")
    await store.database.close()


async def test_sqlites_own_opening_and_other_files_are_left_alone(tmp_path: Path) -> None:
    path = with_tables(tmp_path / "escoba.sqlite3")
    path.read_bytes()
    store = await Stores.open(path)
    await new_game(store)
    assert rows(path, "SELECT count(*) FROM games") == [(1,)]
    copy_database(path, tmp_path / "copy.sqlite3", checked=True)
    BackupFolder(path).back_up(utc_now())
    (tmp_path / "copy.sqlite3").read_bytes()
    await store.database.close()
    path.read_bytes()
