"""Backups of a database file while it is in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.platform.database.database import BUSY_SECONDS
from bot.platform.database.errors import BackupExists, Fault, StoreUnavailable, fault_of
from bot.platform.database.migrations.before_release import VERSION_TABLE, check_file
from bot.platform.database.private_files import new_file

_STEPS: Final = 50_000
"""SQLite's steps between two checks of whether to stop: a few milliseconds."""


def copy_database(
    source: Path, target: Path, *, checked: bool = False, stopped: Callable[[], bool] | None = None
) -> None:
    """Copy a database file, which may be in use, to a new file: one consistent state, compact, flushed to the disk.

    Only this user may read the copy. `checked`: it only gets its name if it is sound and a database of this bot. The
    copy is abandoned as soon as `stopped` returns True.

    Blocks until it is done. Raises BackupExists, or StoreUnavailable naming the file at fault.
    """
    check_file(source)
    what = f"cannot copy the database {source} to {target}"
    if target.exists():
        raise BackupExists(f"{what}: that file exists already")
    try:
        with new_file(target) as partial:
            uri = f"{Path(os.path.abspath(source)).as_uri()}?mode=rw"
            connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            with closing(connection):
                connection.set_progress_handler(stopped, _STEPS)
                connection.execute(
                    "SELECT * FROM sqlite_master"
                ).fetchall()  # says what is wrong; VACUUM blames the copy
                connection.execute("VACUUM INTO ?", (str(partial),))
            if checked and (problem := _problem_of(partial, stopped)) is not None:
                raise StoreUnavailable(Fault.CORRUPT, f"{what}: {problem}")
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(fault_of(error), f"{what}: {error}") from error


def _problem_of(copy: Path, stopped: Callable[[], bool] | None) -> str | None:
    """Describe what is wrong with a complete copy."""
    uri = f"{Path(os.path.abspath(copy)).as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.set_progress_handler(stopped, _STEPS)
        [found, *_] = connection.execute("PRAGMA integrity_check").fetchone()
        if found != "ok":
            return f"the copy is damaged ({found})"
        known = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        [there] = connection.execute(known, (VERSION_TABLE,)).fetchone()
        return None if there else "it holds no database of this bot"
