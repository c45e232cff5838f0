"""The move of a database file that is restored to the place of another one."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from bot.platform.database.errors import Fault, StoreUnavailable, fault_of
from bot.platform.database.private_files import put_in_place

log = logging.getLogger(__name__)

_PATIENCE: Final = 1.0
"""Seconds that another program may take to finish reading the database."""


def replace_database(database: Path, new: Path, aside: Path) -> bool:
    """Put a closed database in the place of one that nobody writes to, and keep that one as `aside`.

    The new one belongs to the same user as the old one. Returns whether there was an old one.

    Raises StoreUnavailable if another process has it open; OSError.
    """
    there = database.exists()
    rest = Path(f"{database}-wal")
    rest_aside = Path(f"{aside}-wal")
    with suppress(OSError):  # SQLite deletes it, even if it can't read the database
        os.link(rest, rest_aside)
    try:
        sound = there and _merge_wal(database)
    except StoreUnavailable:
        rest_aside.unlink(missing_ok=True)
        raise
    if sound:
        rest_aside.unlink(missing_ok=True)
    put_in_place(database, new, aside)
    return there


def _merge_wal(database: Path) -> bool:
    """Move a database's write-ahead log into it; return False if the database is damaged.

    Raises StoreUnavailable if any other process has it open.
    """
    try:
        with closing(sqlite3.connect(database, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except sqlite3.Error as error:
        if fault_of(error) is Fault.LOCKED:
            raise StoreUnavailable(Fault.LOCKED, f"another program has {database} open; stop it first") from error
        log.warning("The database being replaced is damaged: %s", error)
        return False
    return True
