"""A database that is read and written, and never left halfway."""

import asyncio
import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.appended_logs import AppendedLogs
from bot.platform.database.base import Schema, key_values
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.pseudonyms import Pseudonyms
from bot.platform.database.upgrade import check_version
from bot.platform.eventlog import LogEntry

log = logging.getLogger(__name__)

T = TypeVar("T")


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Await work that runs to its end even if the caller is cancelled; the cancellation is raised afterwards.

    If a connection's task were cancelled while its thread works, the pool would lose the connection in whatever state
    it was, perhaps in a transaction that locks the database.
    """
    return await completed(asyncio.create_task(work))


async def completed(work: asyncio.Future[T]) -> T:
    """Await work that has already begun, in the same way."""
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return work.result()
    if not work.cancelled():
        work.exception()  # mark it as retrieved: the caller is gone
    raise cancelled


BUSY_SECONDS: Final = 4.0
"""Seconds that a write waits for other writers, in this process and elsewhere, and for a server that is away."""
CANNOT_READ: Final = "cannot read from the database"
CANNOT_WRITE: Final = "cannot write to the database"
CANNOT_OPEN: Final = "cannot open the database"

MOST_ENTRIES: Final = 64
"""Most entries that `append` takes. More are better written in a transaction."""

LEAST_SPACE: Final = 2**20
"""With fewer free bytes a disk counts as full: one long log may need more."""
_PROBE: Final = "room"
"""A key that no transaction leaves behind."""
_OF_THE_DISK: Final = (Fault.DISK_FULL, Fault.READ_ONLY)

MIGRATIONS_SECONDS = 600.0
"""Longest wait for another process that changes the schema."""
TELL_SECONDS = 1.0
"""Seconds of that wait before it is logged: every process that starts checks whether there is something to do."""
_AGAIN_SECONDS: Final = 0.05
_WORDS: Final = {
    Fault.OPENING: "not open yet",
    Fault.MIGRATING: "being changed by another process",
    Fault.CLOSED: "closed",
}

S = TypeVar("S", bound="Store")
P = ParamSpec("P")
Transaction = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""The statements of one transaction. It may run again from the start if nothing of the first attempt was kept."""


class DiskSpace(NamedTuple):
    """The bytes of a disk that are free for this process, and all that it has."""

    free: int
    total: int


class Database(ABC):
    """An open database. Cancelling a caller doesn't interrupt its work, and closing waits for work in progress."""

    def __init__(self, name: str, schema: Schema) -> None:
        self.name = name
        """The database's location, safe to log: a file's path, or an address without its password."""
        self._schema = schema
        self.pseudonyms = Pseudonyms()
        self.fence: Callable[[], Awaitable[None]] | None = None
        """Awaited before each write; if it raises, nothing is written, and the caller gets that."""
        self._refused: Fault | None = None
        """The reason why the disk refused the latest write, if it did."""
        self.mark: tuple[str, str] | None = None
        """A key and its value, without which no transaction is committed; None if the shards can't be taken away."""
        self.detached = False
        """Whether the files were taken away from this process, and what they held isn't back yet."""
        self.searching = asyncio.Lock()
        """Held by a large read: several at once could take every connection."""
        self._in_progress = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._unusable: Fault | None = Fault.OPENING
        """The reason why the database can't be used yet, or any more."""

    async def open(self) -> None:
        """Connect for the first time and bring the schema up to date. Raises StoreUnavailable.

        If another process is changing the schema, wait until it is done, up to a limit. The wait can be cancelled.
        """
        began = time.monotonic()  # real time even if the loop's is simulated, because another process is involved
        told = False
        try:
            while (obstacle := await self._obstacle_to_opening()) is not None:
                self._unusable = Fault.MIGRATING
                waited = time.monotonic() - began
                if waited >= MIGRATIONS_SECONDS:
                    raise obstacle
                if waited >= TELL_SECONDS and not told:
                    log.info("%s; waiting until it is done, for %.0f s at most", obstacle, MIGRATIONS_SECONDS)
                    told = True
                await asyncio.to_thread(time.sleep, _AGAIN_SECONDS)
        except BaseException:
            await uninterrupted(self._dispose())
            raise
        self._unusable = None

    async def _obstacle_to_opening(self) -> StoreUnavailable | None:
        """Open the database and return None, or return the error if another process is changing the schema."""
        try:
            await uninterrupted(self._prepare())
        except StoreUnavailable as error:
            if error.fault is not Fault.MIGRATING:
                raise
            return error
        return None

    async def close(self) -> None:
        """Wait for work in progress, then close every connection. Safe to call twice."""
        self._unusable = Fault.CLOSED
        await self._idle.wait()
        await uninterrupted(self._dispose())

    async def read(
        self,
        statements: Callable[Concatenate[AsyncConnection, P], Coroutine[Any, Any, T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run statements that only read, on a connection that sees one state of the database."""
        with self._in_use():
            return await uninterrupted(self._read(lambda connection: statements(connection, *args, **kwargs)))

    async def write(
        self,
        statements: Callable[Concatenate[AsyncConnection, P], Coroutine[Any, Any, T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run statements in a transaction, which any exception rolls back."""
        with self._in_use():
            await self._pass_fence()
            with self._noting_refusals():
                return await uninterrupted(self._write(lambda connection: statements(connection, *args, **kwargs)))

    async def append(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> None:
        """Continue a log by a few consecutive entries, and do nothing else."""
        with self._in_use():
            await self._pass_fence()
            with self._noting_refusals():
                await self._append(logs, number, entries)

    async def obstacle(self) -> Fault | None:
        """Find out why the disk would refuse a write now, if that can be known without a needless write.

        If it refused the latest write, a trial write, which leaves nothing behind, shows whether it still does.
        """
        space = await asyncio.to_thread(self.disk_space)
        if space is not None and space.free < LEAST_SPACE:
            return Fault.DISK_FULL
        if self._refused is not None:
            try:
                await self.write(_probe_space)
            except StoreUnavailable as error:
                return error.fault
        return None

    def disk_space(self) -> DiskSpace | None:
        """Return the space on the disk of a database file; None for a server, whose disk can't be seen from here."""
        return None

    async def check_version(self) -> None:
        """Raise StoreUnavailable if a newer bot has meanwhile changed the schema so that this one can't go on."""
        await self.read(lambda connection: connection.run_sync(check_version, self._schema, self.name))

    async def checkpoint(self) -> None:
        """Remove as much deleted data from the disk as can be removed at once. Never fails."""
        with self._in_use():
            await self._checkpoint()

    async def size(self) -> int | None:
        """Count the bytes on the disk; None if that can't be determined now."""
        with self._in_use():
            return await uninterrupted(self._size())

    async def _pass_fence(self) -> None:
        if self.fence is not None:
            await self.fence()

    @contextmanager
    def _noting_refusals(self) -> Generator[None]:
        try:
            yield
        except StoreUnavailable as error:
            if error.fault in _OF_THE_DISK:
                self._refused = error.fault
            raise
        self._refused = None

    @contextmanager
    def _in_use(self) -> Generator[None]:
        if self._unusable is not None:
            raise StoreUnavailable(self._unusable, f"the database {self.name} is {_WORDS[self._unusable]}")
        self._in_progress += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._in_progress -= 1
            if not self._in_progress:
                self._idle.set()

    @abstractmethod
    async def _prepare(self) -> None: ...

    @abstractmethod
    async def _dispose(self) -> None: ...

    @abstractmethod
    async def _read(self, work: Transaction[T]) -> T: ...

    @abstractmethod
    async def _write(self, work: Transaction[T]) -> T: ...

    @abstractmethod
    async def _append(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> None: ...

    @abstractmethod
    async def _checkpoint(self) -> None: ...

    @abstractmethod
    async def _size(self) -> int | None: ...


class Store:
    """A part of what a database holds. Each method is one transaction and can raise StoreUnavailable.

    Cancelling a call doesn't interrupt it: the cancellation is raised when the transaction is over, and what it wrote
    stays written.
    """

    def __init__(self, database: Database) -> None:
        self.database = database


def reading(
    statements: Callable[Concatenate[S, AsyncConnection, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make statements that only read a method of a store, which is called without the connection."""

    @wraps(statements)
    async def method(store: S, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.database.read(partial(statements, store), *args, **kwargs)

    return method


def writing(
    statements: Callable[Concatenate[S, AsyncConnection, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make statements that write a method of a store, which is called without the connection."""

    @wraps(statements)
    async def method(store: S, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.database.write(partial(statements, store), *args, **kwargs)

    return method


async def _probe_space(connection: AsyncConnection) -> None:
    """Take as much space as a match needs, and give it back: this fails if the disk is full."""
    await connection.execute(sa.insert(key_values).values(key=_PROBE, value=secrets.token_hex(2**14)))
    await connection.execute(sa.delete(key_values).where(key_values.c.key == _PROBE))
