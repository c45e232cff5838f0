"""An open database: what may not be cancelled half-way, what is under way, and closing it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.backends.port import BUSY_SECONDS, Backend, T, Work
from bot.store.backends.postgres import PostgresBackend
from bot.store.backends.sqlite import SqliteBackend
from bot.store.errors import Fault, StoreUnavailable
from bot.store.places import Place, place_of
from bot.store.rows import LogEntry
from bot.store.settled import settled


class Database:
    """An open database, whichever it is. It can be closed, which waits for what is under way."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    @classmethod
    async def open(cls, place: str | Place, *, busy_seconds: float = BUSY_SECONDS) -> Database:
        """Open a database and bring its schema up to date. A file is created, with its folder, when it is missing.

        StoreUnavailable says, with its name, why that cannot be; NotAPlace that a text is no path and no address.
        """
        place = place_of(place)
        backend: Backend
        if isinstance(place, Path):
            backend = await SqliteBackend.at(place, busy_seconds)
        else:
            backend = PostgresBackend(place, busy_seconds)
        try:
            await settled(backend.prepare())
        except BaseException:
            await settled(backend.dispose())
            raise
        return cls(backend)

    @property
    def name(self) -> str:
        """Where it is, as it may be shown."""
        return self.backend.name

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    async def close(self) -> None:
        """Let what is under way finish, then close every connection. Does nothing the second time."""
        self._closed = True
        await self._idle.wait()
        await settled(self.backend.dispose())

    async def read(self, work: Work[T]) -> T:
        """Do the work on a connection that sees one state of the database."""
        with self._use():
            return await settled(self.backend.read(work))

    async def write(self, work: Work[T]) -> T:
        """Do the work in a write transaction; cancelling the caller doesn't interrupt it."""
        with self._use():
            return await settled(self.backend.write(work))

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """A connection that sees one state of the database. The block must not be cancelled: see `read`."""
        with self._use():
            async with self.backend.reading() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """A connection in a transaction, which any exception undoes. The block must not be cancelled either."""
        with self._use():
            async with self.backend.writing() as connection:
                yield connection

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        """Continue a game's log by a few entries that follow each other, and do nothing else."""
        with self._use():
            await self.backend.append(game_id, entries)

    async def checkpoint(self) -> None:
        """Let what was overwritten soon be nowhere on the disk, as far as this process can see to it."""
        with self._use():
            await self.backend.checkpoint()

    async def backup(self, target: Path) -> None:
        """Write a consistent copy of the database to a new file, while it is in use."""
        with self._use():
            await settled(self.backend.backup(target))

    async def size(self) -> int | None:
        """How many bytes it takes on the disk; None if that can't be told now."""
        with self._use():
            return await settled(self.backend.size())

    @contextmanager
    def _use(self) -> Generator[None]:
        if self._closed:
            raise StoreUnavailable(Fault.CLOSED, f"the database {self.name} is closed")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()
