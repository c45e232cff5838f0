"""Backs up a database file while it is in use."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.backends.database import BUSY_SECONDS
from bot.store.errors import BackupExists, StoreUnavailable, fault_of


def copy_database(source: Path, target: Path) -> None:
    """Copy a database file, which may be in use, to a new file: one consistent state, compact, flushed to the disk.

    Blocks meanwhile. Raises BackupExists, or StoreUnavailable naming the file at fault.
    """
    what = f"cannot copy the database {source} to {target}"
    if target.exists():
        raise BackupExists(f"{what}: that file exists already")
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        uri = f"{Path(os.path.abspath(source)).as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        with closing(connection):
            connection.execute("VACUUM INTO ?", (str(partial),))
        _flush(partial)
        os.replace(partial, target)
        _flush(target.parent)
    except (sqlite3.Error, OSError) as error:
        partial.unlink(missing_ok=True)
        raise StoreUnavailable(fault_of(error), f"{what}: {error}") from error


def _flush(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
