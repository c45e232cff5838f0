"""The store's errors: each says by a code what went wrong; only the user interface turns codes into words."""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum
from typing import Final

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class Fault(StrEnum):
    """Why the store cannot do its work at the moment; the value is the error's code."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    LOCKED = "locked"
    CORRUPT = "corrupt"
    NEWER = "newer"
    CLOSED = "closed"
    UNAVAILABLE = "unavailable"


class StoreError(Exception):
    """Base of everything the store raises on purpose. `code` is stable, the message is for the log."""

    code: str = "store"


class ChannelBusy(StoreError):
    """The channel has an open game already; it can have only one."""

    code: str = "channel_busy"

    def __init__(self, channel_id: int) -> None:
        super().__init__(f"channel {channel_id} has an open game already")
        self.channel_id = channel_id


class UnknownGame(StoreError):
    """There is no game with this id."""

    code: str = "unknown_game"

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


class VersionConflict(StoreError):
    """The entries don't continue the log: a version is there already, or one would be left out.

    `found` is the log's last version; None when the entries are not consecutive among themselves.
    """

    code: str = "version_conflict"

    def __init__(self, game_id: int | None, first: int | None, found: int | None) -> None:
        if found is None:
            text = f"entries for game {game_id} from version {first} on are not consecutive"
        else:
            text = f"game {game_id} is at version {found}; an entry with version {first} doesn't follow"
        super().__init__(text)
        self.game_id = game_id
        self.first = first
        self.found = found


class GameClosed(VersionConflict):
    """The game was closed: its log takes nothing more."""

    code: str = "game_closed"


class RowRejected(StoreError):
    """A constraint of the database refused a row: a mistake of the caller, nothing was written."""

    code: str = "row_rejected"


class RowDamaged(StoreError):
    """A row holds what can't be a value of its column: somebody else wrote it. The other rows can be read."""

    code: str = "row_damaged"


class BackupExists(StoreError):
    """The file a backup should go to is there already; a backup never overwrites."""

    code: str = "backup_exists"


class StoreUnavailable(StoreError):
    """The database cannot be used now: disk full, not writable, locked, damaged, closed …

    `fault` (and `code`, its value) says which. Nothing of the operation was kept, unless the machine failed
    while it was being committed.
    """

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.code = fault.value


# SQLite's primary result codes (the low byte of the extended ones), https://www.sqlite.org/rescode.html
_SQLITE_FAULTS: Final[dict[int, Fault]] = {
    3: Fault.READ_ONLY,  # SQLITE_PERM
    5: Fault.LOCKED,  # SQLITE_BUSY
    6: Fault.LOCKED,  # SQLITE_LOCKED
    8: Fault.READ_ONLY,  # SQLITE_READONLY
    11: Fault.CORRUPT,  # SQLITE_CORRUPT
    13: Fault.DISK_FULL,  # SQLITE_FULL
    26: Fault.CORRUPT,  # SQLITE_NOTADB
}
_SQLITE_UNIQUE: Final = frozenset({1555, 2067})  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
_POSTGRES_UNIQUE: Final = "23505"
_OS_FAULTS: Final[dict[int, Fault]] = {
    errno.EACCES: Fault.READ_ONLY,
    errno.EPERM: Fault.READ_ONLY,
    errno.EROFS: Fault.READ_ONLY,
    errno.ENOSPC: Fault.DISK_FULL,
    errno.EDQUOT: Fault.DISK_FULL,
}


def fault_of(error: BaseException) -> Fault:
    """What kind of trouble a driver's, SQLAlchemy's or the system's exception means."""
    origin = _origin(error)
    if isinstance(origin, OSError):
        return _OS_FAULTS.get(origin.errno or 0, Fault.UNAVAILABLE)
    code = getattr(origin, "sqlite_errorcode", None)
    return _SQLITE_FAULTS.get(code & 0xFF, Fault.UNAVAILABLE) if isinstance(code, int) else Fault.UNAVAILABLE


def unavailable(error: BaseException, what: str) -> StoreUnavailable:
    """A StoreUnavailable for an exception; `what` is what failed, naming the file.

    The message holds the driver's words only: never the statement's values, which can be hidden cards.
    """
    fault = fault_of(error)
    return StoreUnavailable(fault, f"{what}: {_origin(error)} ({fault.value})")


def store_error(error: Exception, what: str, path: object) -> Exception:
    """The store's own error for what happened at work on a file; `what` failed. Other people's errors stay as they are.

    It names the driver's as its cause, unless that one's words hold values.
    """
    origin = _origin(error)
    if isinstance(error, IntegrityError) or isinstance(origin, sqlite3.IntegrityError):
        known: StoreError = RowRejected(f"{path}: {origin}")
    elif isinstance(error, UnicodeEncodeError):
        return RowRejected(f"{path}: a text that is none")
    elif "Could not decode to UTF-8" in str(origin):
        return RowDamaged(f"{what} {path}: a row holds a text that is none")
    elif isinstance(error, (DBAPIError, PoolTimeout, sqlite3.Error)):
        known = unavailable(error, f"{what} {path}")
    else:
        return error
    known.__cause__ = error
    return known


def is_trouble(error: Exception) -> bool:
    """Whether it is the database that can't do its work, rather than a value that can't be written."""
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


def is_unique_violation(error: Exception) -> bool:
    """Whether a unique index or a primary key refused the row (rather than another constraint)."""
    origin = _origin(error)
    return (
        getattr(origin, "sqlite_errorcode", None) in _SQLITE_UNIQUE
        or getattr(origin, "sqlstate", None) == _POSTGRES_UNIQUE
    )


def _origin(error: BaseException) -> BaseException:
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig
    return error
