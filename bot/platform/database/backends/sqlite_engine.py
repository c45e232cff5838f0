"""Connections to a SQLite file: its location, its pragmas, and the way a transaction begins."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine.interfaces import AdaptedConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.platform.database.private_files import create_folder

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
