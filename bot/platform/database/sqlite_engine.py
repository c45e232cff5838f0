"""The connections to a database file, and the files themselves.

It is noticed if another program takes the files away from the bot, and what they held is put back. SQLite goes on with
files that have been deleted, moved or replaced: it still has them open. So everything seems well, and is lost when the
process ends (https://www.sqlite.org/howtocorrupt.html, 4). As long as SQLite's locks hold, no program that asks for
them deletes the log; this is about all others.
"""

import errno
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine.interfaces import AdaptedConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.platform.database.private_files import create_folder, new_file, put_in_place

WRITES: Final = "store_writes"
"""The execution option of an engine whose transactions take the file's write lock when they begin."""


def prepare_folder(path: Path) -> Path:
    """Create a file's folder and return the absolute path; OSError for mistakes that SQLite reports unclearly."""
    path = Path(os.path.abspath(path))
    create_folder(path.parent)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder cannot be written to")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, "it cannot be written to")
    return path


def create_engine(path: Path, busy_seconds: float, *, connections: int) -> AsyncEngine:
    """Create an engine with a pool of up to this many connections to a file."""
    # At DEBUG the driver logs every statement with its values, and those can be secret.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    engine = create_async_engine(
        sa.URL.create("sqlite+aiosqlite", database=str(path)),
        # `begin` below starts the transactions, not the driver.
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
        writes = connection.get_execution_options().get(WRITES)
        adapted = connection.connection.dbapi_connection
        assert isinstance(adapted, AdaptedConnection)
        adapted.run_async(_executing("BEGIN IMMEDIATE" if writes else "BEGIN"))

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", begin)
    return engine


class KeptConnection:
    """An engine's one connection, taken from the pool once, so that no use costs a check-out. One user at a time."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: aiosqlite.Connection | None = None

    @property
    def opened(self) -> bool:
        return self._driver is not None

    async def open(self) -> None:
        self._connection = await self._engine.connect()
        self._driver = (await self._connection.get_raw_connection()).driver_connection

    async def close(self) -> None:
        """Return the connection to the pool, if there is one."""
        if self._connection is not None:
            await self._connection.close()
        self._connection = self._driver = None

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[AsyncConnection]:
        """Use the connection in a transaction, which any exception rolls back."""
        assert self._connection is not None, "it is open"
        try:
            async with self._connection.begin():
                yield self._connection
        finally:
            await self._end_transaction()

    async def run(self, statement: str, values: Sequence[object] = ()) -> Iterable[Sequence[Any]]:
        """Run and commit a single statement and fetch its rows, in one trip to the driver's thread."""
        await self._end_transaction()
        assert self._driver is not None
        return await self._driver.execute_fetchall(statement, values)

    async def _end_transaction(self) -> None:
        """End a transaction that a failed commit left open: the file would stay locked, the next statement
        uncommitted."""
        assert self._driver is not None, "it is open"
        if self._driver.in_transaction:
            await self._driver.rollback()


def _setting(pragmas: Iterable[str]) -> Callable[[Any], Awaitable[None]]:
    async def execute(connection: aiosqlite.Connection) -> None:
        for pragma in pragmas:
            # Close it at once: while the row of PRAGMA journal_mode is unread, no transaction can commit.
            async with connection.execute(f"PRAGMA {pragma}"):
                pass

    return execute


def _executing(statement: str) -> Callable[[Any], Awaitable[None]]:
    async def execute(connection: aiosqlite.Connection) -> None:
        await connection.execute(statement)

    return execute


Aside = Callable[[datetime], Path]
"""Chooses a new name beside the database, which contains the time."""


class OwnFiles:
    """A database's file and its write-ahead log, as they were when this process opened them."""

    def __init__(self, path: Path, aside: Aside) -> None:
        self._database = Path(os.path.realpath(path))  # SQLite follows links, too
        self._paths = str(self._database), f"{self._database}-wal"
        self._aside = aside
        self.copy: Path | None = None
        """A copy of everything stored, until it is in the database's place."""
        self._known = self._present()
        self._outdated: Path | None = None
        """A file of this process's own, kept after the copy replaced it: one is enough, however often that happens."""

    def remember(self) -> None:
        """Remember the files in the folder, which have just been opened and written to."""
        self._known = self._present()

    @property
    def intact(self) -> bool:
        """Whether what is written now goes to the files in the folder. This takes a few microseconds."""
        return self._present() == self._known

    async def put_back(self, pen: KeptConnection) -> Path:
        """Put a copy of all that `pen` has in the database's place; return where that is kept which was there.

        Whatever still has the former files open harms nobody: they have other names now, or none. Raises OSError,
        sqlite3.Error.
        """
        if self.copy is None:
            copy = self._aside(datetime.now(UTC))
            with new_file(copy) as partial:
                await pen.run("VACUUM INTO ?", [str(partial)])
            self.copy = copy
        aside = self._aside(datetime.now(UTC))
        database, wal = self._present()
        if wal != self._known[1]:  # another program's, not yet moved into the database
            with suppress(OSError):
                os.link(self._paths[1], f"{aside}-wal")
        put_in_place(self._database, self.copy, aside)
        self.copy = None
        if database == self._known[0]:
            if self._outdated is not None:
                self._outdated.unlink(missing_ok=True)
            self._outdated = aside
        return aside

    def _present(self) -> list[tuple[int, int] | None]:
        return [_inode(path) for path in self._paths]


def _inode(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
