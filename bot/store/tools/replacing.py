"""A look into a database file that is to be restored, and its move to the place of another one."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.store.errors import Fault, StoreUnavailable, as_store_errors, fault_of
from bot.store.private_files import put_in_place

log = logging.getLogger(__name__)

_PATIENCE: Final = 1.0
"""Seconds that another program may take to finish reading the database."""
_TIMES: Final = (
    "SELECT max(at) FROM (SELECT max(at) AS at FROM events UNION ALL SELECT max(ended_at) FROM results"
    " UNION ALL SELECT max(opened_at) FROM games UNION ALL SELECT max(closed_at) FROM games)"
)
_GAMES: Final = "SELECT count(*), count(*) - count(closed_at) FROM games"


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a database: the number of games, and the latest time in its rows, None if there is none."""

    games: int
    open_games: int
    newest: datetime | None


def contents_of(database: Path) -> Contents:
    """Count a database's games and find the latest time in it. Raises StoreUnavailable."""
    with as_store_errors("cannot read", database), closing(sqlite3.connect(database)) as connection:
        games, open_games = connection.execute(_GAMES).fetchone()
        [stored] = connection.execute(_TIMES).fetchone()
    newest = None
    with suppress(ValueError):
        newest = datetime.fromisoformat(str(stored)).replace(tzinfo=UTC)
    return Contents(games, open_games, newest)


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
