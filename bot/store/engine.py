"""The one place where the database is opened: pragmas, transactions, closing, and copying the file."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import sqlite3
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Iterable
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine.interfaces import AdaptedConnection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.errors import (
    BackupExists,
    Fault,
    RowDamaged,
    RowRejected,
    StoreUnavailable,
    fault_of,
    is_bad_text,
    unavailable,
)
from bot.store.upgrade import upgrade

log = logging.getLogger(__name__)

BUSY_SECONDS: Final = 4.0
"""How long a write waits for another process that is writing, and before that for the writes of this one."""

_READERS: Final = 4
_OPEN_TRIES: Final = 20
_OPEN_PAUSE: Final = 0.1
_WRITES: Final = "store_writes"

T = TypeVar("T")
Work = Callable[[AsyncConnection], Coroutine[Any, Any, T]]


class Database:
    """An open database. Reads go on beside a write; writes of this process wait for each other in turn.

    SQLite has one writer at a time. Here they queue in an asyncio lock, which is cheap and fair; BEGIN
    IMMEDIATE takes the file's own lock at once, so that a transaction never reads first and then finds that
    another process wrote in between. They have a connection of their own, which long reads can't take from them.
    """

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._reader = _create_engine(path, busy_seconds, connections=_READERS)
        self._writer = _create_engine(path, busy_seconds, connections=1).execution_options(**{_WRITES: True})
        self._write_lock = asyncio.Lock()
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> Database:
        """Open the file, create it and its folder when missing, and bring its schema up to date.

        StoreUnavailable says, with the path, why that cannot be.
        """
        try:
            path = await asyncio.to_thread(_find_room, path)
        except OSError as error:
            raise unavailable(error, f"cannot open the database {path}") from error
        database = cls(path, busy_seconds)
        try:
            await _settled(database._prepare())
        except BaseException:
            await _settled(database._dispose())
            raise
        return database

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    async def close(self) -> None:
        """Let what is under way finish, then close every connection. Does nothing the second time."""
        self._closed = True
        await self._idle.wait()
        await _settled(self._dispose())

    async def _dispose(self) -> None:
        await self._reader.dispose()
        await self._writer.dispose()

    async def read(self, work: Work[T]) -> T:
        """Do the work on a connection that sees one state of the database."""

        async def run() -> T:
            async with self.reading() as connection:
                return await work(connection)

        return await _settled(run())

    async def write(self, work: Work[T]) -> T:
        """Do the work in a write transaction; cancelling the caller doesn't interrupt it."""

        async def run() -> T:
            async with self.writing() as connection:
                return await work(connection)

        return await _settled(run())

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """A connection that sees one state of the database. The block must not be cancelled: see `read`."""
        what = "cannot read from the database"
        with self._use(), self._errors(what):
            async with self._reader.connect() as connection:
                try:
                    yield connection
                except ValueError:  # what SQLAlchemy says of a moment that is none
                    raise RowDamaged(f"{what} {self.path}: a row holds a moment that is none") from None

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """A connection in a transaction, which any exception undoes. The block must not be cancelled either."""
        what = "cannot write to the database"
        with self._use():
            async with self._turn(what):
                with self._errors(what):
                    async with self._writer.begin() as connection:
                        yield connection

    @asynccontextmanager
    async def _turn(self, what: str) -> AsyncGenerator[None]:
        """The right to write. Who has waited for too long doesn't get it: else the writes of a queue before a locked
        file would wait out their time one after the other."""
        try:
            async with asyncio.timeout(self._busy_seconds):
                await self._write_lock.acquire()
        except TimeoutError:
            raise StoreUnavailable(Fault.LOCKED, f"{what} {self.path}: other writes take too long") from None
        try:
            yield
        finally:
            self._write_lock.release()

    async def checkpoint(self) -> None:
        """Bring what was written from the log beside the file into the file, and empty the log, if nobody reads there.

        Nothing depends on it but that what was overwritten is soon nowhere on the disk: a failure is only noted.
        """
        if self._writer.dialect.name != "sqlite":
            return
        with self._use():
            try:
                async with self._turn("cannot write to the database"):
                    await _settled(self._checkpoint())
            except (StoreUnavailable, DBAPIError, sqlite3.Error) as error:
                log.info("The database's log stays for now (%s)", type(error).__name__)

    async def _checkpoint(self) -> None:
        async with self._writer.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert isinstance(driver, aiosqlite.Connection)
            async with driver.execute("PRAGMA wal_checkpoint(TRUNCATE)") as cursor:
                await cursor.fetchall()

    async def backup(self, target: Path) -> None:
        """Write a consistent copy of the database to a new file, while it is in use."""
        with self._use():
            await _settled(asyncio.to_thread(copy_database, self.path, target))

    @contextmanager
    def _use(self) -> Generator[None]:
        if self._closed:
            raise StoreUnavailable(Fault.CLOSED, f"the database {self.path} is closed")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    @contextmanager
    def _errors(self, what: str) -> Generator[None]:
        try:
            yield
        except IntegrityError as error:
            raise RowRejected(f"{self.path}: {error.orig}") from error
        except (DBAPIError, PoolTimeout, sqlite3.Error) as error:
            if is_bad_text(error):
                raise RowDamaged(f"{what} {self.path}: a row holds a text that is none") from None
            raise unavailable(error, f"{what} {self.path}") from error

    async def _prepare(self) -> None:
        """Connect for the first time and upgrade the schema.

        Two processes that turn a new file into WAL at once can meet a lock which SQLite doesn't wait for.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._busy_seconds
        for tries_left in reversed(range(_OPEN_TRIES)):
            try:
                with self._errors("cannot open the database"):
                    await upgrade(self._writer)
                return
            except StoreUnavailable as error:
                if error.fault is not Fault.LOCKED or not tries_left or clock() >= deadline:
                    raise
                # In real time also where the loop's is simulated: it is another process that is waited for.
                await asyncio.to_thread(time.sleep, _OPEN_PAUSE)


async def _settled(work: Coroutine[Any, Any, T]) -> T:
    """Await work that is finished even when the caller is cancelled; the cancellation waits for it.

    A connection that is cancelled while its thread works would be lost to the pool in whatever state it was,
    such as in a transaction that locks the database.
    """
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    if not task.cancelled():
        task.exception()  # looked at: nobody is left to be told
    raise cancelled


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _find_room(path: Path) -> Path:
    """Make the folder and find the mistakes for which SQLite has no clear words."""
    path = _absolute(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder cannot be written to")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, "it cannot be written to")
    return path


def _create_engine(path: Path, busy_seconds: float, *, connections: int) -> AsyncEngine:
    # At DEBUG the driver logs every statement with its values, and those are cards nobody may see.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    engine = create_async_engine(
        sa.URL.create("sqlite+aiosqlite", database=str(path)),
        # The driver is to begin no transactions of its own: `begin` below does.
        connect_args={"isolation_level": None},
        pool_size=connections,
        max_overflow=0,
        pool_use_lifo=True,
        hide_parameters=True,
    )
    pragmas = (
        f"busy_timeout={int(busy_seconds * 1000)}",
        "foreign_keys=ON",
        "journal_mode=WAL",
        "synchronous=FULL",
    )

    def connect(connection: AdaptedConnection, record: object) -> None:
        connection.run_async(_setting(pragmas))

    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES)
        adapted = connection.connection.dbapi_connection
        assert isinstance(adapted, AdaptedConnection)
        adapted.run_async(_executing("BEGIN IMMEDIATE" if writes else "BEGIN"))

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", begin)
    return engine


def _setting(pragmas: Iterable[str]) -> Callable[[Any], Awaitable[None]]:
    async def execute(connection: aiosqlite.Connection) -> None:
        for pragma in pragmas:
            # Closed at once: a PRAGMA journal_mode whose row nobody has read yet lets no transaction be committed.
            async with connection.execute(f"PRAGMA {pragma}"):
                pass

    return execute


def _executing(statement: str) -> Callable[[Any], Awaitable[None]]:
    async def execute(connection: aiosqlite.Connection) -> None:
        await connection.execute(statement)

    return execute


def copy_database(source: Path, target: Path) -> None:
    """Copy a database, which may be in use, to a new file: all of one moment, compact, safely on the disk.

    Blocks while it works. Raises BackupExists, or StoreUnavailable naming the file at fault.
    """
    what = f"cannot copy the database {source} to {target}"
    if target.exists():
        raise BackupExists(f"{what}: that file exists already")
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        uri = f"{_absolute(source).as_uri()}?mode=rw"
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
    """Make sure a file, or the names in a folder, have reached the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
