"""A database file."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from filelock import Timeout
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.append_queue import AppendQueue
from bot.platform.database.appended_logs import AppendedLogs
from bot.platform.database.base import Schema
from bot.platform.database.before_release import check_file
from bot.platform.database.database import (
    CANNOT_OPEN,
    CANNOT_READ,
    CANNOT_WRITE,
    Database,
    DiskSpace,
    T,
    Transaction,
    uninterrupted,
)
from bot.platform.database.errors import Fault, RowDamaged, RowRejected, StoreUnavailable, as_store_errors, unavailable
from bot.platform.database.ownership.port import lock_of
from bot.platform.database.private_files import make_private
from bot.platform.database.pseudonyms import OPTION
from bot.platform.database.sqlite_engine import WRITES, Aside, KeptConnection, OwnFiles, create_engine, prepare_folder
from bot.platform.database.upgrade import in_use, upgrade
from bot.platform.eventlog import LogEntry

log = logging.getLogger(__name__)

_READERS: Final = 4
_OPEN_TRIES: Final = 20
_OPEN_PAUSE: Final = 0.1


class SqliteDatabase(Database):
    """A database file. Reads run beside a write; the writes of this process take turns.

    SQLite has one writer at a time. Here writers queue for an asyncio lock, which is cheap and fair. BEGIN IMMEDIATE
    takes the file's own lock at once, so that no transaction reads first and then finds that another process wrote in
    between. Writes have a connection of their own, which long reads can't take from them; it is kept, so that it needs
    no set-up before a write.
    """

    def __init__(self, path: Path, schema: Schema, busy_seconds: float, aside: Aside) -> None:
        super().__init__(str(path), schema)
        self.path = path
        self._busy_seconds = busy_seconds
        named = {OPTION: self.pseudonyms}
        self._reader = create_engine(path, busy_seconds, connections=_READERS).execution_options(**named)
        self._writer = create_engine(path, busy_seconds, connections=1).execution_options(**{WRITES: True}, **named)
        self._turns = asyncio.Lock()
        self._pen = KeptConnection(self._writer)
        self._files = OwnFiles(path, aside)
        self._reads = 0
        """How many reads are under way."""
        self._appends: dict[AppendedLogs, AppendQueue] = {}
        """The queue of each sort of log."""

    @classmethod
    async def at(cls, path: Path, schema: Schema, busy_seconds: float, aside: Aside) -> SqliteDatabase:
        """Return a file's database, not opened yet; the file and its folder are created as needed. Raises
        StoreUnavailable.

        `aside`: chooses a new name beside the file, for what it held if another program takes it away.
        """
        await asyncio.to_thread(check_file, path)
        try:
            path = await asyncio.to_thread(prepare_folder, path)
            await asyncio.to_thread(make_private, path)
        except OSError as error:
            raise unavailable(error, f"{CANNOT_OPEN} {path}") from error
        return cls(path, schema, busy_seconds, aside)

    def disk_space(self) -> DiskSpace | None:
        try:
            disk = shutil.disk_usage(self.path.parent)
        except OSError:
            return None
        return DiskSpace(disk.free, disk.total)

    async def _prepare(self) -> None:
        # Two processes that switch a new file to WAL at once can meet a lock that SQLite doesn't wait for.
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._busy_seconds
        for tries_left in reversed(range(_OPEN_TRIES)):
            try:
                with as_store_errors(CANNOT_OPEN, self.path):
                    await upgrade(self._writer, self._schema, self.name, alone=self._alone)
                    await self._pen.open()
                self._files.remember()
                return
            except RowRejected as error:
                raise StoreUnavailable(Fault.REFUSED, f"{CANNOT_OPEN} {error}") from error
            except StoreUnavailable as error:
                if error.fault is not Fault.LOCKED or not tries_left or clock() >= deadline:
                    raise
                # Real time even where the loop's is simulated: another process is being waited for.
                await asyncio.to_thread(time.sleep, _OPEN_PAUSE)

    @asynccontextmanager
    async def _alone(self, connection: AsyncConnection, present: str, oldest: str) -> AsyncGenerator[None]:
        """Make sure that no bot uses the file, or begins to. A bot that does is assumed to be as new as its schema."""
        if present >= oldest:
            yield
            return
        try:
            with lock_of(self.path).acquire(blocking=False):
                yield
        except Timeout:
            raise in_use(self._schema, self.name) from None

    async def check_version(self) -> None:
        async with self._turn():
            if not self._files.intact:  # while another process had the right to write: it has what is newest
                await uninterrupted(self._reopen())
        await super().check_version()

    async def _dispose(self) -> None:
        async with self._turns:  # one closing at a time
            await self._disconnect()

    async def _disconnect(self) -> None:
        await self._pen.close()
        await self._reader.dispose()
        await self._writer.dispose()

    async def _read(self, work: Transaction[T]) -> T:
        self._check_attached()
        self._reads += 1
        try:
            with as_store_errors(CANNOT_READ, self.path):
                async with self._reader.connect() as connection:
                    try:
                        return await work(connection)
                    except ValueError:  # SQLAlchemy raises it for an invalid timestamp
                        raise RowDamaged(f"{CANNOT_READ} {self.path}: a row holds an invalid timestamp") from None
        finally:
            self._reads -= 1

    async def _write(self, work: Transaction[T]) -> T:
        async with self._turn():
            self._check_attached()
            with as_store_errors(CANNOT_WRITE, self.path):
                async with self._pen.transaction() as connection:
                    result = await work(connection)
                await self._keep()
                return result

    async def _run(self, statement: str, values: Sequence[object]) -> Iterable[Sequence[Any]]:
        """Run and commit a statement, in a turn to write."""
        self._check_attached()
        rows = await self._pen.run(statement, values)
        await self._keep()
        return rows

    def _check_attached(self) -> None:
        if self.detached:
            raise StoreUnavailable(Fault.DETACHED, f"the database {self.path} was taken away from the bot")

    async def _keep(self) -> None:
        """Make sure, in a turn to write, that what was committed is in the folder's files, before anybody is shown it.

        Raises StoreUnavailable if it isn't and can't be brought there.
        """
        if self._files.intact and not self.detached:
            return
        if not self.detached:
            log.error(
                "Another program has deleted, moved or replaced %s or its -wal file while the bot was using them."
                " Nothing can be stored until the bot has put back what they held, which it tries now",
                self.path,
            )
        try:
            await self._reopen(put_back=True)
            log.warning("The database %s is complete again", self.path)
        except (OSError, sqlite3.Error, StoreUnavailable) as error:
            kept = self._files.copy or "no copy yet"
            log.error("What %s held (%s) isn't back yet; it is tried again: %s", self.path, kept, error)
        self._check_attached()

    async def _reopen(self, *, put_back: bool = False) -> None:
        """Go on with the files in the folder; if `put_back`, what this process has stored comes there first."""
        self.detached = True
        clock = asyncio.get_running_loop().time
        until = clock() + self._busy_seconds
        while self._reads and clock() < until:  # noqa: ASYNC110 - no read should have to tell that it is over
            await asyncio.sleep(_OPEN_PAUSE)
        if self._reads:
            raise StoreUnavailable(Fault.LOCKED, "the bot is still reading it")
        if put_back and self._pen.opened:  # else it is there since the latest attempt
            aside = await self._files.put_back(self._pen)
            log.warning(
                "A copy of all that was stored takes the place of %s; what was there is kept as %s", self.path, aside
            )
        await self._disconnect()
        await self._prepare()
        self.detached = False

    async def obstacle(self) -> Fault | None:
        if self._unusable is None and (self.detached or not self._files.intact):
            with self._in_use(), suppress(StoreUnavailable):  # it is logged, or another process has the right to write
                await self._pass_fence()
                await uninterrupted(self._mend())
        return Fault.DETACHED if self.detached else await super().obstacle()

    async def _mend(self) -> None:
        async with self._turn():
            await self._keep()

    async def _append(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> None:
        await self._queue(logs).append(number, entries)

    def _queue(self, logs: AppendedLogs) -> AppendQueue:
        if logs not in self._appends:
            dialect = self._writer.dialect
            self._appends[logs] = AppendQueue(self.path, logs, self._turns, self._busy_seconds, dialect, self._run)
        return self._appends[logs]

    async def _checkpoint(self) -> None:
        """Move the write-ahead log into the file and empty it, unless somebody is reading it.

        Its only purpose is to get overwritten data off the disk soon, so a failure is only logged.
        """
        try:
            async with self._turn():
                self._check_attached()
                await uninterrupted(self._pen.run("PRAGMA wal_checkpoint(TRUNCATE)"))
        except (StoreUnavailable, sqlite3.Error) as error:
            log.info("Could not empty the database's write-ahead log: %s", error)

    async def _size(self) -> int | None:
        return await asyncio.to_thread(_size, self.path)

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Hold the right to write. A writer that has waited too long gives up: otherwise the writes queued behind a
        locked file would time out one after the other."""
        try:
            async with asyncio.timeout(self._busy_seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise StoreUnavailable(Fault.LOCKED, f"{CANNOT_WRITE} {self.path}: other writes take too long") from None
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
