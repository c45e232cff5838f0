"""An open database: its transactions, whose turn it is to write, and closing it."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.connecting import BUSY_SECONDS, WRITES, KeptConnection, create_engine, find_room
from bot.store.copying import copy_database
from bot.store.errors import Fault, RowDamaged, RowRejected, StoreUnavailable, store_error, unavailable
from bot.store.rows import LogEntry
from bot.store.settled import settled
from bot.store.upgrade import upgrade
from bot.store.writer import Appends

log = logging.getLogger(__name__)

_READERS: Final = 4
_OPEN_TRIES: Final = 20
_OPEN_PAUSE: Final = 0.1

T = TypeVar("T")
Work = Callable[[AsyncConnection], Coroutine[Any, Any, T]]


class Database:
    """An open database. Reads go on beside a write; writes of this process wait for each other in turn.

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
            path = await asyncio.to_thread(find_room, path)
        except OSError as error:
            raise unavailable(error, f"cannot open the database {path}") from error
        database = cls(path, busy_seconds)
        try:
            await settled(database._prepare())
        except BaseException:
            await settled(database._dispose())
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
        async with self._turns:  # one closing at a time
            await settled(self._dispose())

    async def _dispose(self) -> None:
        await self._pen.close()
        await self._reader.dispose()
        await self._writer.dispose()

    async def read(self, work: Work[T]) -> T:
        """Do the work on a connection that sees one state of the database."""

        async def run() -> T:
            async with self.reading() as connection:
                return await work(connection)

        return await settled(run())

    async def write(self, work: Work[T]) -> T:
        """Do the work in a write transaction; cancelling the caller doesn't interrupt it."""

        async def run() -> T:
            async with self.writing() as connection:
                return await work(connection)

        return await settled(run())

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
                    async with self._pen.transaction() as connection:
                        yield connection

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

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        """Continue a game's log by a few entries that follow each other, and do nothing else: see `Appends`."""
        with self._use():
            await self._appends.append(game_id, entries)

    async def checkpoint(self) -> None:
        """Bring what was written from the log beside the file into the file, and empty the log, if nobody reads there.

        Nothing depends on it but that what was overwritten is soon nowhere on the disk: a failure is only noted.
        """
        if self._writer.dialect.name != "sqlite":
            return
        with self._use():
            try:
                async with self._turn("cannot write to the database"):
                    await settled(self._pen.run("PRAGMA wal_checkpoint(TRUNCATE)"))
            except (StoreUnavailable, sqlite3.Error) as error:
                log.info("The database's log stays for now (%s)", type(error).__name__)

    async def backup(self, target: Path) -> None:
        """Write a consistent copy of the database to a new file, while it is in use."""
        with self._use():
            await settled(asyncio.to_thread(copy_database, self.path, target))

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
        except Exception as error:
            known = store_error(error, what, self.path)
            if known is error:
                raise
            raise known from known.__cause__

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
                    await self._pen.open()
                return
            except RowRejected as error:
                raise StoreUnavailable(Fault.UNAVAILABLE, f"cannot open the database {error}") from error
            except StoreUnavailable as error:
                if error.fault is not Fault.LOCKED or not tries_left or clock() >= deadline:
                    raise
                # In real time also where the loop's is simulated: it is another process that is waited for.
                await asyncio.to_thread(time.sleep, _OPEN_PAUSE)
