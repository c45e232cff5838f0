"""SQLite as a backend: readers beside one writer, whose turn it is to write, appends that share a statement."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.backends.copying import copy_database
from bot.store.backends.files import WRITES, KeptConnection, create_engine, find_room
from bot.store.backends.port import T, Work
from bot.store.errors import Fault, RowDamaged, RowRejected, StoreUnavailable, as_store_errors, unavailable
from bot.store.rows import LogEntry
from bot.store.settled import settled
from bot.store.upgrade import upgrade
from bot.store.writer import Appends

log = logging.getLogger(__name__)

_READERS: Final = 4
_OPEN_TRIES: Final = 20
_OPEN_PAUSE: Final = 0.1


class SqliteBackend:
    """A database file. Reads go on beside a write; writes of this process wait for each other in turn.

    SQLite has one writer at a time. Here they queue in an asyncio lock, which is cheap and fair; BEGIN
    IMMEDIATE takes the file's own lock at once, so that a transaction never reads first and then finds that
    another process wrote in between. They have a connection of their own, which long reads can't take from them and
    which is kept, so that nothing needs to be said to it before a write or after.
    """

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._reader = create_engine(path, busy_seconds, connections=_READERS)
        self._writer = create_engine(path, busy_seconds, connections=1).execution_options(**{WRITES: True})
        self._turns = asyncio.Lock()
        self._pen = KeptConnection(self._writer)
        self._appends = Appends(path, self._turns, busy_seconds, self._writer.dialect, self._pen.run)

    @classmethod
    async def at(cls, path: Path, busy_seconds: float) -> SqliteBackend:
        """The backend of a file, which is created with its folder when it is missing.

        StoreUnavailable says, with the path, why that cannot be.
        """
        try:
            path = await asyncio.to_thread(find_room, path)
        except OSError as error:
            raise unavailable(error, f"cannot open the database {path}") from error
        return cls(path, busy_seconds)

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self.path)

    async def prepare(self) -> None:
        """Connect for the first time and upgrade the schema.

        Two processes that turn a new file into WAL at once can meet a lock which SQLite doesn't wait for.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._busy_seconds
        for tries_left in reversed(range(_OPEN_TRIES)):
            try:
                with as_store_errors("cannot open the database", self.path):
                    await upgrade(self._writer, self.name)
                    await self._pen.open()
                return
            except RowRejected as error:
                raise StoreUnavailable(Fault.UNAVAILABLE, f"cannot open the database {error}") from error
            except StoreUnavailable as error:
                if error.fault is not Fault.LOCKED or not tries_left or clock() >= deadline:
                    raise
                # In real time also where the loop's is simulated: it is another process that is waited for.
                await asyncio.to_thread(time.sleep, _OPEN_PAUSE)

    async def dispose(self) -> None:
        """Close every connection."""
        async with self._turns:  # one closing at a time
            await self._pen.close()
            await self._reader.dispose()
            await self._writer.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """A connection that sees one state of the database."""
        what = "cannot read from the database"
        with as_store_errors(what, self.path):
            async with self._reader.connect() as connection:
                try:
                    yield connection
                except ValueError:  # what SQLAlchemy says of a moment that is none
                    raise RowDamaged(f"{what} {self.path}: a row holds a moment that is none") from None

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """A connection in a transaction, which any exception undoes."""
        what = "cannot write to the database"
        async with self._turn(what):
            with as_store_errors(what, self.path):
                async with self._pen.transaction() as connection:
                    yield connection

    async def read(self, work: Work[T]) -> T:
        """Do the work on a connection that sees one state of the database."""
        async with self.reading() as connection:
            return await work(connection)

    async def write(self, work: Work[T]) -> T:
        """Do the work in a write transaction."""
        async with self.writing() as connection:
            return await work(connection)

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        """Continue a game's log together with whoever else waits for it: see `Appends`."""
        await self._appends.append(game_id, entries)

    async def checkpoint(self) -> None:
        """Bring what was written from the log beside the file into the file, and empty the log, if nobody reads there.

        Nothing depends on it but that what was overwritten is soon nowhere on the disk: a failure is only noted.
        """
        try:
            async with self._turn("cannot write to the database"):
                await settled(self._pen.run("PRAGMA wal_checkpoint(TRUNCATE)"))
        except (StoreUnavailable, sqlite3.Error) as error:
            log.info("The database's log stays for now (%s)", type(error).__name__)

    async def backup(self, target: Path) -> None:
        """Write a consistent copy of the file to a new one, while it is in use."""
        await asyncio.to_thread(copy_database, self.path, target)

    async def size(self) -> int | None:
        """The bytes of the file with its write-ahead log."""
        return await asyncio.to_thread(_size, self.path)

    @asynccontextmanager
    async def _turn(self, what: str) -> AsyncGenerator[None]:
        """The right to write. Who has waited for too long doesn't get it: else the writes of a queue before a locked
        file would wait out their time one after the other."""
        try:
            async with asyncio.timeout(self._busy_seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise StoreUnavailable(Fault.LOCKED, f"{what} {self.path}: other writes take too long") from None
        try:
            yield
        finally:
            self._turns.release()


def _size(database: Path) -> int:
    total = 0
    for path in (database, Path(f"{database}-wal")):
        with suppress(OSError):
            total += path.stat().st_size
    return total
