"""Reading of a database file for a check: its rows as they are, including those that nothing else would accept."""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.platform.database.before_release import check_file
from bot.platform.database.database import BUSY_SECONDS
from bot.platform.database.errors import CannotCopy, unavailable
from bot.platform.database.event_logs import EventLogs
from bot.platform.database.upgrade import UNDER_WAY, unfinished

Row = tuple[Any, ...]

_VALUE: Final = "SELECT value FROM key_values WHERE key = ?"
_HAS_TABLE: Final = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry of a log."""

    version: Any
    kind: Any
    body: Any
    at: Any


class Audit:
    """An open database file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, query: str, *values: object) -> list[Row]:
        return self._connection.execute(query, values).fetchall()

    def value(self, key: str) -> str | None:
        found = self.rows(_VALUE, key)
        return str(found[0][0]) if found else None

    def entries(self, logs: EventLogs, number: int) -> list[RawEntry]:
        query = f"SELECT version, kind, body, at FROM {logs.entries.name} WHERE {logs.key} = ? ORDER BY version"  # noqa: S608 - names of ours
        return [RawEntry(*row) for row in self.rows(query, number)]

    def orphans(self, queries: Mapping[str, str]) -> list[str]:
        """Describe the rows that belong to something missing: what each query looks for, and the number it finds."""
        return [f"{what} {row[0]}" for what, query in queries.items() for row in self.rows(query)]


@contextmanager
def auditing(path: Path) -> Generator[Audit]:
    """Open a database file for the block. Raises StoreUnavailable."""
    with _reading(path) as connection:
        yield Audit(connection)


def check_complete(path: Path, name: object) -> None:
    """Raise CannotCopy if the snapshot in a file is of a database into which a copy wasn't finished."""
    with _reading(path) as connection:
        if connection.execute(_HAS_TABLE, (UNDER_WAY.name,)).fetchall():
            [(source,)] = connection.execute(f"SELECT source FROM {UNDER_WAY.name}")  # noqa: S608 - our name
            raise CannotCopy(f"{name} isn't complete: {unfinished(source)}")


def damage(path: Path) -> list[str]:
    """Run SQLite's integrity check on a file and return what it finds wrong, in its words. Raises StoreUnavailable."""
    with _reading(path) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check").fetchall()]
    return [] if found == ["ok"] else found


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


@contextmanager
def _reading(path: Path) -> Generator[sqlite3.Connection]:
    check_file(path)
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            # Invalid UTF-8 is a finding, not a reason to stop.
            connection.text_factory = _text
            yield connection
    except sqlite3.Error as error:
        raise unavailable(error, f"cannot check the database {path}") from error
