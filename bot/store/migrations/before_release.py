"""Recognises databases from before the first release, which nothing converts: they are refused, and stay untouched."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.errors import Fault, StoreUnavailable

VERSION_TABLE: Final = "escoba_version"
"""Alembic's table in every database of a release."""
_VERSION_TABLE_BEFORE: Final = "alembic_version"
"""The table's name before. The numbers in it mean other schemas than the same numbers do now."""


def refusal(name: object) -> StoreUnavailable:
    """The error for a database from before the first release."""
    return StoreUnavailable(
        Fault.REFUSED,
        f"cannot open the database {name}: it is from before the first release of the bot (or another program's), and"
        " can't be converted; it is left as it is. Start with a new database: name another one in ESCOBA_DATABASE, or"
        " move this one away",
    )


def is_from_before(tables: Collection[str]) -> bool:
    """Whether these are the tables of a database from before the first release."""
    return _VERSION_TABLE_BEFORE in tables and VERSION_TABLE not in tables


def is_file_from_before(path: Path) -> bool:
    """Whether a file is a database from before the first release; nothing is written to it or beside it.

    Returns False if it can't be read: that is reported by whoever opens it next.
    """
    if not os.path.isfile(path):  # which, unlike `Path.is_file`, returns False for a name that is too long, say
        return False
    in_use = os.path.exists(f"{path}-wal")
    options = "mode=ro" if in_use else "mode=ro&immutable=1"  # the latter creates no -wal and -shm
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error:
        return False
    return is_from_before([name for (name,) in found])


def check_file(path: Path) -> None:
    """Raise StoreUnavailable if a file is a database from before the first release."""
    if is_file_from_before(path):
        raise refusal(path)
