"""Fails a test in which this process opens the file of a database that it uses, or its -wal or -shm, except by SQLite.

Closing such a file drops the locks of all of SQLite's connections to it, and the next program that opens and closes
the database deletes the -wal file under the bot. SQLite knows that and keeps such files open, so its own opening does
no harm; it doesn't raise the event `open` either.
"""

import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from bot.platform.database.sqlite import SqliteDatabase

log = logging.getLogger(__name__)

_ENDS = ("", "-wal", "-shm")
_live: WeakKeyDictionary[SqliteDatabase, str] = WeakKeyDictionary()
"""The databases that this process has open, each with its path."""


def bytes_of(path: Path) -> bytes:
    """The bytes of a file that may be in use, read by another process."""
    return subprocess.run(["cat", str(path)], check=True, stdout=subprocess.PIPE).stdout


def files_of(database: str) -> dict[str, tuple[int, int] | None]:
    """The names of a database's files, each with its device and inode if it is there."""
    return {database + end: _inode(database + end) for end in _ENDS}


def _inode(path: str | bytes) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not _live or isinstance(arguments[0], int):
        return
    name = os.path.realpath(os.fsdecode(arguments[0]))
    inode = _inode(name)
    for database in list(_live.values()):
        files = files_of(database)
        if name in files or (inode is not None and inode in files.values()):
            where = "".join(traceback.format_stack(sys._getframe(1), 6))
            log.error("%s, which belongs to the database %s in use, is being opened at:\n%s", name, database, where)


def pytest_configure() -> None:
    """Watch the tests' own process."""
    watch()


def watch() -> None:
    """Watch this process from now on; an audit hook can't be taken back."""
    prepare, dispose = SqliteDatabase._prepare, SqliteDatabase._dispose

    async def _prepare(self: SqliteDatabase) -> None:
        _live[self] = os.path.realpath(self.path)
        await prepare(self)

    async def _dispose(self: SqliteDatabase) -> None:
        await dispose(self)
        _live.pop(self, None)

    SqliteDatabase._prepare, SqliteDatabase._dispose = _prepare, _dispose
    sys.addaudithook(_on_event)
