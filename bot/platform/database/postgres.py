"""A PostgreSQL database."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.appended_logs import AppendedLogs
from bot.platform.database.base import Schema, as_utc
from bot.platform.database.database import (
    CANNOT_OPEN,
    CANNOT_READ,
    CANNOT_WRITE,
    Database,
    T,
    Transaction,
    uninterrupted,
)
from bot.platform.database.errors import (
    Fault,
    RowDamaged,
    RowRejected,
    StoreError,
    StoreUnavailable,
    is_clash,
    is_lost,
    is_unique_violation,
    store_error,
)
from bot.platform.database.locations import without_password
from bot.platform.database.ownership.session import GATE, USERS, lock_class
from bot.platform.database.postgres_engine import create_engine, create_schema
from bot.platform.database.postgres_server import POOLED, lift_timeouts
from bot.platform.database.pseudonyms import OPTION
from bot.platform.database.upgrade import in_use, upgrade
from bot.platform.eventlog import LogEntry

log = logging.getLogger(__name__)

_READERS: Final = 4
_WRITERS: Final = 10
_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.4)
_CLASHES: Final = 5
_MIGRATIONS_LOCK: Final = 0x65736301
"""The number of the advisory lock held while the schema is changed."""
_HOLDER: Final = sa.text("""
SELECT application_name, coalesce(host(client_addr), 'this machine'), pid
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND CAST(classid AS bigint) = 0
  AND CAST(objid AS bigint) = :lock AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""")

# A transaction gets an id when it first writes. The server can later tell by that id whether it was committed.
_TRANSACTION_ID: Final = sa.text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")
# The same, but only if a row is there, which nobody can then change or delete until the transaction has ended.
_MARKED_ID: Final = sa.text("""
SELECT CAST(pg_current_xact_id_if_assigned() AS text) FROM key_values WHERE key = :key AND value = :value FOR SHARE""")
_STATUS: Final = sa.text("SELECT pg_xact_status(CAST(CAST(:transaction AS text) AS xid8))")
_SIZE: Final = sa.select(sa.func.pg_database_size(sa.func.current_database()))
_PROCESS: Final = sa.text("SELECT pg_backend_pid()")
_GATE: Final = sa.text("SELECT pg_advisory_xact_lock(:gate, 0)")
_OLDER: Final = sa.text("""
SELECT min(CAST(objid AS bigint)) FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND CAST(classid AS bigint) = :users AND CAST(objid AS bigint) < :oldest""")


class PostgresDatabase(Database):
    """A database on a server. Writes of this and other processes run at the same time; if two conflict, the primary key
    of the log and the unique indexes let only one through.

    A server that restarts ends every connection. Work in progress then starts again when the server is back, for as
    long as a write would wait for others. Nothing is done twice: a transaction whose commit wasn't answered is looked
    up by its id, an append by its entries.
    """

    def __init__(self, url: sa.URL, schema: Schema, busy_seconds: float) -> None:
        super().__init__(without_password(url), schema)
        self._busy_seconds = busy_seconds
        named = {OPTION: self.pseudonyms}
        self._reader = create_engine(url, busy_seconds, connections=_READERS, read_only=True).execution_options(**named)
        self._writer = create_engine(url, busy_seconds, connections=_WRITERS).execution_options(**named)
        self._autocommit = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._inserts: dict[tuple[AppendedLogs, int], str] = {}
        self._turns: WeakValueDictionary[tuple[AppendedLogs, int], asyncio.Lock] = WeakValueDictionary()
        """A lock for each log, so that its appends keep their order."""

    async def _prepare(self) -> None:
        try:
            await self._patiently(CANNOT_OPEN, self._bring_up_to_date)
        except RowRejected as error:
            raise StoreUnavailable(Fault.REFUSED, f"{CANNOT_OPEN} {error}") from None

    async def _bring_up_to_date(self) -> None:
        if await self._is_pooled():
            raise StoreUnavailable(Fault.REFUSED, f"{CANNOT_OPEN} {self.name}: {POOLED}")
        await upgrade(self._writer, self._schema, self.name, lock=self._lock_schema, alone=self._alone)

    async def _is_pooled(self) -> bool:
        """Whether a pooler gives each transaction another of the server's connections.

        Then two of our connections reach the same process of the server, or one of them reaches several.
        """
        async with self._autocommit.connect() as one, self._writer.connect() as other:
            processes = [await one.scalar(_PROCESS), await one.scalar(_PROCESS)]
            processes.append(await other.scalar(_PROCESS))  # in a transaction, which keeps its process
            if processes[0] != processes[1] or processes[1] == processes[2]:
                return True
            return await one.scalar(_PROCESS) != processes[0]

    @asynccontextmanager
    async def _alone(self, connection: AsyncConnection, present: str, oldest: str) -> AsyncGenerator[None]:
        """Make sure that no bot older than `oldest` uses the database, or begins to before the transaction ends."""
        schema = await connection.scalar(sa.select(sa.func.current_schema()))
        await connection.execute(_GATE, {"gate": lock_class(schema, GATE)})
        found = await connection.scalar(_OLDER, {"users": lock_class(schema, USERS), "oldest": int(oldest)})
        if found is not None:
            raise in_use(self._schema, self.name, f"{found:04}")
        yield

    async def _dispose(self) -> None:
        await self._reader.dispose()
        await self._writer.dispose()

    async def _read(self, work: Transaction[T]) -> T:
        async def attempt() -> T:
            async with self._reader.connect() as connection:
                return await work(connection)

        try:
            return await self._patiently(CANNOT_READ, attempt)
        except RowRejected as error:  # when reading, it means a value that Python can't hold
            raise RowDamaged(str(error)) from None

    async def _write(self, work: Transaction[T]) -> T:
        return await self._patiently(CANNOT_WRITE, lambda: self._transact(work))

    async def _append(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> None:
        await uninterrupted(self._append_in_turn(logs, number, entries))

    async def _checkpoint(self) -> None:
        """Do nothing: the server overwrites deleted data itself, in its own time."""

    async def _size(self) -> int | None:
        try:
            return await self._read(lambda connection: connection.scalar(_SIZE))
        except StoreError:
            return None

    async def _lock_schema(self, connection: AsyncConnection) -> None:
        """Keep other processes from changing the schema; create it if its name is new.

        Raises:
            StoreUnavailable: if another process is changing it now.
        """
        await lift_timeouts(connection, locks=True)  # a process that is stopped meanwhile keeps no other waiting
        if not await connection.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(_MIGRATIONS_LOCK))):
            holder = (await connection.execute(_HOLDER, {"lock": _MIGRATIONS_LOCK})).one_or_none()
            who = "" if holder is None else f" (“{holder[0]}” from {holder[1]}, server process {holder[2]})"
            text = f"{CANNOT_OPEN} {self.name} yet: another process{who} is changing its tables"
            raise StoreUnavailable(Fault.MIGRATING, text)
        # While this waits to change a table that other processes use, they must not queue behind it for ever.
        await connection.execute(sa.text(f"SET LOCAL lock_timeout = {max(1, round(self._busy_seconds * 1000))}"))
        await create_schema(connection)

    async def _transact(self, work: Transaction[T]) -> T:
        done: list[tuple[T, str | None]] = []
        try:
            async with self._writer.begin() as connection:
                result = await work(connection)
                done.append((result, await self._pass_mark(connection)))
            return result
        except Exception as error:
            if not done or not is_lost(error):
                raise
            [(result, transaction)] = done
            if transaction is not None and not await self._was_committed(transaction):
                raise
            log.info("A commit whose answer was lost had succeeded")
            return result

    async def _pass_mark(self, connection: AsyncConnection) -> str | None:
        """Return the id of a transaction that may be committed now: this process keeps its shards until that is done.

        The check costs nothing, so no kind of transaction is exempt. Appends don't come here: if another process has
        continued the log, the entry's version is taken.
        """
        if self.mark is None:
            return await connection.scalar(_TRANSACTION_ID)
        key, value = self.mark
        found = (await connection.execute(_MARKED_ID, {"key": key, "value": value})).one_or_none()
        if found is None:
            raise StoreUnavailable(Fault.CLOSED, f"{CANNOT_WRITE} {self.name}: another process has taken over")
        return found[0]

    async def _was_committed(self, transaction: str) -> bool:
        async def ask() -> str:
            async with self._autocommit.connect() as connection:
                return str(await connection.scalar(_STATUS, {"transaction": transaction}))

        while (status := await self._patiently(CANNOT_WRITE, ask)) == "in progress":
            await _wait(_PAUSES[0])
        return status == "committed"

    async def _append_in_turn(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> None:
        """Continue a log by one statement, which is a transaction of its own, or say why that can't be done."""
        unanswered = False

        async def attempt() -> None:
            nonlocal unanswered
            while True:
                try:
                    if await self._insert(logs, number, entries):
                        return
                except Exception as error:
                    if not is_unique_violation(error):
                        unanswered = unanswered or is_lost(error)
                        raise
                async with self._autocommit.connect() as connection:
                    if unanswered and await self._holds(connection, logs, number, entries):
                        log.info("An append whose answer was lost had succeeded")
                        return
                    state = (await connection.execute(logs.state, {"owner": number})).one_or_none()
                if state is None or tuple(state) != (entries[0].version - 1, False):
                    raise logs.conflict(number, entries[0].version, state)
                # otherwise another process has just extended the log, and these entries come after it

        async with self._turns.setdefault((logs, number), asyncio.Lock()):
            await self._patiently(CANNOT_WRITE, attempt)

    async def _insert(self, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]) -> bool:
        """Write the entries if they follow the log; return whether they did."""
        count = len(entries)
        if (logs, count) not in self._inserts:  # compiled once: SQLAlchemy doesn't cache a statement with VALUES
            self._inserts[logs, count] = str(logs.continuing(count).compile(dialect=self._writer.dialect))
        follows = entries[0].version - 1
        values: dict[str, object] = {}
        for n, entry in enumerate(entries):
            row = (number, follows, entry.version, entry.kind, entry.body, as_utc(entry.at))
            values.update((f"{column.name}_{n}", value) for column, value in zip(logs.new_columns, row, strict=True))
        async with self._autocommit.connect() as connection:
            return (await connection.exec_driver_sql(self._inserts[logs, count], values)).first() is not None

    async def _holds(
        self, connection: AsyncConnection, logs: AppendedLogs, number: int, entries: Sequence[LogEntry]
    ) -> bool:
        where = {"owner": number, "low": entries[0].version, "high": entries[-1].version}
        return [LogEntry(*row) for row in await connection.execute(logs.stored, where)] == list(entries)

    async def _patiently(self, what: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Try until it succeeds, can't succeed, or the server has been away for too long."""
        # Real time even where the loop's is simulated: another process is being waited for.
        deadline = time.monotonic() + self._busy_seconds
        tries = 0
        while True:
            try:
                return await attempt()
            except Exception as error:
                clash = is_clash(error) or is_unique_violation(error)
                waiting = is_lost(error) and time.monotonic() < deadline
                if not waiting and not (clash and tries < _CLASHES):
                    known = store_error(error, what, self.name)
                    if known is error:
                        raise
                    raise known from known.__cause__
            await _wait(_PAUSES[min(tries, len(_PAUSES) - 1)])
            tries += 1


async def _wait(seconds: float) -> None:
    await asyncio.to_thread(time.sleep, seconds)
