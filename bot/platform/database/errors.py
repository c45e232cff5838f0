"""The store's errors: each carries a code; only the user interface turns codes into words."""

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class Fault(StrEnum):
    """The reason why the store can't work at the moment; the value is the error's code."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    LOCKED = "locked"
    CORRUPT = "corrupt"
    NEWER = "newer"
    CLOSED = "closed"
    OPENING = "opening"
    MIGRATING = "waiting_for_migrations"
    """Another process is changing the tables."""
    REFUSED = "refused"
    """It answers, and the answer won't change: a wrong password, another program's tables, an unfinished copy."""
    UNAVAILABLE = "unavailable"
    DETACHED = "detached"
    """Another program has deleted, moved or replaced the files, and what they held isn't back yet."""


_TRANSIENT: Final = frozenset(
    {Fault.DISK_FULL, Fault.LOCKED, Fault.CLOSED, Fault.OPENING, Fault.MIGRATING, Fault.UNAVAILABLE, Fault.DETACHED}
)


class StoreError(Exception):
    """Base of everything the store raises deliberately. `code` is stable, the message is for the log."""

    code: str = "store"
    transient: bool = False
    """Whether another try may succeed, later or in another process, with the same settings."""
    counts: bool = True
    """Whether operators count it as a failure of the store."""


class VersionConflict(StoreError):
    """The entries don't continue the log: a version exists already, or one would be skipped.

    `found` is the log's last version; None if the entries themselves are not consecutive.
    """

    code: str = "version_conflict"

    def __init__(self, number: int | None, first: int | None, found: int | None) -> None:
        if found is None:
            text = f"entries for log {number} from version {first} on are not consecutive"
        else:
            text = f"log {number} is at version {found}; an entry with version {first} doesn't follow"
        super().__init__(text)
        self.number = number
        self.first = first
        self.found = found


class RowRejected(StoreError):
    """A constraint of the database refused a row: the caller's mistake. Nothing was written."""

    code: str = "row_rejected"


class RowDamaged(StoreError):
    """A row holds an invalid value, written by another program. The other rows can be read."""

    code: str = "row_damaged"


class BackupExists(StoreError):
    """The backup's target file exists already; a backup never overwrites."""

    code: str = "backup_exists"


class CannotCopy(StoreError):
    """A database can't be copied to that location, or doesn't exist; the message says why. Nothing was copied."""

    code: str = "cannot_copy"

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient


class StoreUnavailable(StoreError):
    """The database can't be used now: disk full, not writable, locked, damaged, closed …

    `fault` (and `code`, its value) says which. Nothing of the operation was kept, unless the machine failed during the
    commit.
    """

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.code = fault.value
        self.transient = fault in _TRANSIENT


@contextmanager
def naming(name: object, copy: object) -> Generator[None]:
    """Within the block, errors about a copy name the database that it was made of."""
    try:
        yield
    except StoreUnavailable as error:
        raise StoreUnavailable(error.fault, str(error).replace(str(copy), str(name))) from error


# SQLite's primary result codes (the low byte of the extended ones), https://www.sqlite.org/rescode.html
_SQLITE_FAULTS: Final[dict[int, Fault]] = {
    1: Fault.REFUSED,  # SQLITE_ERROR: a table exists already, or is missing
    3: Fault.READ_ONLY,  # SQLITE_PERM
    5: Fault.LOCKED,  # SQLITE_BUSY
    6: Fault.LOCKED,  # SQLITE_LOCKED
    8: Fault.READ_ONLY,  # SQLITE_READONLY
    11: Fault.CORRUPT,  # SQLITE_CORRUPT
    13: Fault.DISK_FULL,  # SQLITE_FULL
    26: Fault.CORRUPT,  # SQLITE_NOTADB
}
_SQLITE_UNIQUE: Final = frozenset({1555, 2067})  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
# PostgreSQL's codes, https://www.postgresql.org/docs/current/errcodes-appendix.html. Any other means UNAVAILABLE,
# unless its class is one of those below.
_POSTGRES_FAULTS: Final[dict[str, Fault]] = {
    "25006": Fault.READ_ONLY,  # read_only_sql_transaction
    "40001": Fault.LOCKED,  # serialization_failure
    "40P01": Fault.LOCKED,  # deadlock_detected
    "42501": Fault.READ_ONLY,  # insufficient_privilege
    "53100": Fault.DISK_FULL,
    "55P03": Fault.LOCKED,  # lock_not_available: lock_timeout
    "57014": Fault.LOCKED,  # query_canceled: statement_timeout
    "XX001": Fault.CORRUPT,  # data_corrupted
    "XX002": Fault.CORRUPT,  # index_corrupted
}
_POSTGRES_REFUSALS: Final = frozenset({"28", "3D", "3F", "42"})
"""Classes of codes: no such user, database or schema; a statement that doesn't fit the tables."""
_POSTGRES_STANDBY: Final = "25006"  # a server that takes no writes may do so soon, when another fails over to it
_POSTGRES_UNIQUE: Final = "23505"
_POSTGRES_CLASHES: Final = frozenset({"40001", "40P01"})
_POSTGRES_LOST: Final = frozenset({"25P03", "57P01", "57P02", "57P03", "57P05"})  # stopped or starting; and class 08
_POSTGRES_CROWDED: Final = "53300"  # too_many_connections
_CLASS_OF_VALUES: Final = "22"  # data_exception: the server's message repeats the value
_NO_USE: Final = (
    "FATAL:",
    "no password supplied",
    "authentication",
    "does not support SSL",
    "certificate",
    "invalid connection option",
)
"""Found in the messages with which a server or its library refuses a connection; these carry no code."""
_FOR_NOW: Final = ("starting up", "shutting down", "recovery mode", "too many", "remaining connection slots", "not yet")
_OS_FAULTS: Final[dict[int, Fault]] = {
    errno.EACCES: Fault.READ_ONLY,
    errno.EPERM: Fault.READ_ONLY,
    errno.EROFS: Fault.READ_ONLY,
    errno.ENOSPC: Fault.DISK_FULL,
    errno.EDQUOT: Fault.DISK_FULL,
    errno.EEXIST: Fault.REFUSED,
    errno.EISDIR: Fault.REFUSED,
    errno.ELOOP: Fault.REFUSED,
    errno.ENAMETOOLONG: Fault.REFUSED,
    errno.ENOTDIR: Fault.REFUSED,
}


def fault_of(error: BaseException) -> Fault:
    """Return the fault that an exception from a driver, SQLAlchemy or the operating system stands for."""
    origin = _origin(error)
    if isinstance(origin, OSError):
        return _OS_FAULTS.get(origin.errno or 0, Fault.UNAVAILABLE)
    state = getattr(origin, "sqlstate", None)
    if isinstance(state, str):
        refused = state[:2] in _POSTGRES_REFUSALS
        return _POSTGRES_FAULTS.get(state, Fault.REFUSED if refused else Fault.UNAVAILABLE)
    code = getattr(origin, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _SQLITE_FAULTS.get(code & 0xFF, Fault.UNAVAILABLE)
    return Fault.REFUSED if _is_refused(origin) else Fault.UNAVAILABLE


def unavailable(error: BaseException, what: str) -> StoreUnavailable:
    """Make a StoreUnavailable for an exception; `what` is what failed, naming the file.

    The message holds only the driver's text, never the statement's values, which can be secret.
    """
    fault = fault_of(error)
    known = StoreUnavailable(fault, f"{what}: {words_of(error)} ({fault.value})")
    known.transient = known.transient or _sqlstate(error) == _POSTGRES_STANDBY
    return known


def store_error(error: Exception, what: str, name: object) -> Exception:
    """Turn a driver's or SQLAlchemy's exception into the store's own error; `what` failed. Others are returned
    unchanged.

    The original becomes the cause, unless its message holds values.
    """
    origin = _origin(error)
    if isinstance(error, IntegrityError) or isinstance(origin, sqlite3.IntegrityError):
        known: StoreError = RowRejected(f"{name}: {words_of(origin)}")
    elif isinstance(error, UnicodeEncodeError):
        return RowRejected(f"{name}: an invalid text")
    elif isinstance(error, DataError):
        return RowRejected(f"{name}: a value that its column can't hold")
    elif "Could not decode to UTF-8" in str(origin):
        return RowDamaged(f"{what} {name}: a row holds an invalid text")
    elif isinstance(error, (DBAPIError, PoolTimeout, sqlite3.Error)):
        known = unavailable(error, f"{what} {name}")
    else:
        return error
    # PostgreSQL's errors have a second line, with the row that was refused.
    known.__cause__ = None if _sqlstate(error) is not None else error
    return known


@contextmanager
def as_store_errors(what: str, name: object) -> Generator[None]:
    """Convert the drivers' errors within the block: see `store_error`."""
    try:
        yield
    except Exception as error:
        known = store_error(error, what, name)
        if known is error:
            raise
        raise known from known.__cause__


def is_database_failure(error: Exception) -> bool:
    """Whether the database itself fails, as opposed to one value that can't be written (SQLite)."""
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


def is_lost(error: Exception) -> bool:
    """Whether a connection to a server has ended or can't be made now; a statement may or may not have run."""
    if not isinstance(error, DBAPIError):
        return False
    state = _sqlstate(error)
    if state is not None:
        return is_lost_by(state)
    broken = error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError))
    return broken and not _is_refused(_origin(error))


def is_lost_by(state: str) -> bool:
    """Whether a server's error code means that the connection has ended, or can't be made now."""
    return state.startswith("08") or state in _POSTGRES_LOST


def is_clash(error: Exception) -> bool:
    """Whether a transaction failed because of concurrent ones or too many connections: it may be tried again."""
    state = _sqlstate(error)
    return state in _POSTGRES_CLASHES or state == _POSTGRES_CROWDED


def is_unique_violation(error: Exception) -> bool:
    """Whether a unique index or a primary key refused the row (rather than another constraint)."""
    return getattr(_origin(error), "sqlite_errorcode", None) in _SQLITE_UNIQUE or _sqlstate(error) == _POSTGRES_UNIQUE


def _is_refused(origin: BaseException) -> bool:
    """Whether a server, or its library, refused a connection, and not only for now."""
    words = str(origin)
    return any(known in words for known in _NO_USE) and not any(known in words for known in _FOR_NOW)


def _origin(error: BaseException) -> BaseException:
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig
    return error


def _sqlstate(error: BaseException) -> str | None:
    state = getattr(_origin(error), "sqlstate", None)
    return state if isinstance(state, str) else None


def words_of(error: BaseException) -> str:
    """Write an error's message in one line, without the values that were to be written."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    origin = _origin(error)
    state = _sqlstate(origin)
    if state is None:
        return " ".join(str(origin).split()) or type(origin).__name__
    if state.startswith(_CLASS_OF_VALUES):
        return f"SQLSTATE {state}"
    diagnosis = getattr(origin, "diag", None)
    return f"{getattr(diagnosis, 'message_primary', None) or 'SQLSTATE'} [{state}]"
