"""Recognises files that aren't a database of a release: they are refused, and stay untouched.

Nothing converts a database from before the first release; and what isn't the bot's at all was named by mistake.

A file is only read through SQLite, because this process may be using it: to close it after any other way of opening it
would drop all of SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
"""

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.platform.database.errors import Fault, StoreUnavailable

VERSION_TABLE: Final = "escoba_version"
"""Alembic's table in every database of a release."""
_VERSION_TABLE_BEFORE: Final = "alembic_version"
"""The table's name before. The numbers in it mean other schemas than the same numbers do now."""

_MISTAKEN: Final = "it is left as it is. Name another one, in the setting or the command"


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
    return is_from_before(_tables_in(path))


def check_file(path: Path) -> None:
    """Check that a file, if there is one, is the bot's; nothing of it is changed, its mode included.

    Raises:
        StoreUnavailable: if it is no database, another program's, or from before the first release.
    """
    if not _is_database(path):
        raise StoreUnavailable(Fault.CORRUPT, f"cannot open the database {path}: it is not a database; {_MISTAKEN}")
    tables = _tables_in(path)
    if is_from_before(tables):
        raise refusal(path)
    if tables and VERSION_TABLE not in tables:
        raise StoreUnavailable(Fault.REFUSED, f"cannot open the database {path}: it is another program's; {_MISTAKEN}")


def _is_database(path: Path) -> bool:
    """Whether a file is empty, or SQLite's; also if it can't be read, which is reported later."""
    try:
        _list_tables(path, immutable=True)
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_NOTADB
    return True


def _tables_in(path: Path) -> list[str]:
    """List the tables in a file, but not SQLite's own; none if it can't be read."""
    try:
        return _list_tables(path, immutable=not os.path.exists(f"{os.path.realpath(path)}-wal"))
    except sqlite3.Error:
        return []


def _list_tables(path: Path, *, immutable: bool) -> list[str]:
    """List them. `immutable`: without what is only in the -wal file, and without creating -wal and -shm."""
    if not os.path.isfile(path):  # which, unlike `Path.is_file`, returns False for a name that is too long, say
        return []
    options = "mode=ro&immutable=1" if immutable else "mode=ro"
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True)) as connection:
        return [name for (name,) in connection.execute(query)]
