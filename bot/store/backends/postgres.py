"""PostgreSQL as a backend: several transactions at once, and each begun again if the server goes away under it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import logs
from bot.store.backends.lanes import Lane, Unheard
from bot.store.backends.port import T, Work
from bot.store.backends.servers import create_engine
from bot.store.errors import (
    Fault,
    NoFileToCopy,
    RowDamaged,
    RowRejected,
    StoreError,
    StoreUnavailable,
    as_store_errors,
    is_clash,
    is_lost,
    is_unique_violation,
    store_error,
)
from bot.store.hurry import take_time
from bot.store.places import dump_command, shown
from bot.store.rows import LogEntry
from bot.store.schema import events
from bot.store.settled import settled
from bot.store.upgrade import upgrade
from bot.store.writer import WHAT

log = logging.getLogger(__name__)

_READERS: Final = 4
_WRITERS: Final = 6
_LANES: Final = 2
"""More would have smaller groups, and more commits for as many moves; beside a single one nobody could go on."""
_LANE_PATIENCE: Final = 0.25
"""The share of its time that an append waits in a lane for locks, where others wait behind it."""
_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.4)
_CLASHES: Final = 5
_MIGRATIONS_LOCK: Final = 0x65736301
"""The number of the advisory lock that whoever changes the schema holds."""

_READING: Final = "cannot read from the database"

# A transaction has a number once it has written something. The server knows by it later whether it was committed.
_NUMBER: Final = sa.text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")
_STATUS: Final = sa.text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
_SIZE: Final = sa.select(sa.func.pg_database_size(sa.func.current_database()))
_KEPT: Final = (
    sa.select(events.c.version, events.c.kind, events.c.body, events.c.at)
    .where(
        events.c.game_id == sa.bindparam("game"), events.c.version.between(sa.bindparam("low"), sa.bindparam("high"))
    )
    .order_by(events.c.version)
)


class PostgresBackend:
    """A database of a server. Writes of this process and of others go on at once; the primary key of the log and the
    unique indexes let one of two win.

    A server that restarts ends every connection. What was under way then is begun again when it is back, for as long
    as a write would wait for others. Nothing is done twice by that: a transaction whose commit wasn't answered is
    looked up by its number, an append by its entries.
    """

    def __init__(self, url: sa.URL, busy_seconds: float) -> None:
        self.url = url
        self._name = shown(url)
        self._busy_seconds = busy_seconds
        self._reader = create_engine(url, busy_seconds, connections=_READERS, read_only=True)
        self._writer = create_engine(url, busy_seconds, connections=_WRITERS)
        self._alone = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._inserts: dict[int, sa.Insert] = {}
        self._single = create_engine(url, busy_seconds * _LANE_PATIENCE, connections=_LANES, in_lanes=True)
        self._lanes = [Lane(self._name, busy_seconds, self._single) for _ in range(_LANES)]
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """A game's appends keep their order."""

    @property
    def name(self) -> str:
        """The server's address, without a password."""
        return self._name

    async def prepare(self) -> None:
        """Connect for the first time and upgrade the schema, while no other process does."""
        what = "cannot open the database"

        async def attempt() -> None:
            await upgrade(self._writer, self._name, alone=self._become_alone)

        try:
            await self._patiently(what, attempt)
        except RowRejected as error:
            raise StoreUnavailable(Fault.UNAVAILABLE, f"cannot open the database {error}") from None

    async def dispose(self) -> None:
        """Close every connection."""
        for lane in self._lanes:
            await lane.close()
        for engine in (self._reader, self._writer, self._single):
            await engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """A connection that sees one state of the database."""
        with as_store_errors(_READING, self._name):
            async with self._reader.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """A connection in a transaction, which any exception undoes."""
        with as_store_errors(WHAT, self._name):
            async with self._writer.begin() as connection:
                yield connection

    async def read(self, work: Work[T]) -> T:
        """Do the work on a connection that sees one state of the database."""

        async def attempt() -> T:
            async with self._reader.connect() as connection:
                return await work(connection)

        try:
            return await self._patiently(_READING, attempt)
        except RowRejected as error:  # of reading it is said of a value that Python can't hold
            raise RowDamaged(str(error)) from None

    async def write(self, work: Work[T]) -> T:
        """Do the work in a write transaction, again if what others did at the same time undid it."""
        return await self._patiently(WHAT, lambda: self._transact(work))

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        """Continue a game's log, if that can be done at once together with whoever else is in its lane."""
        await settled(self._append_in_turn(game_id, entries))

    async def checkpoint(self) -> None:
        """Nothing: the server itself writes over what was deleted, in its own time."""

    async def backup(self, target: Path) -> None:
        """Refuse: what would read a server's tables and write them down consistently is its own tool."""
        raise NoFileToCopy(f"{self._name} is not a file. Back it up with {dump_command(self.url)}")

    async def size(self) -> int | None:
        """The bytes of the database with its indexes."""
        try:
            return await self.read(lambda connection: connection.scalar(_SIZE))
        except StoreError:
            return None

    # ------------------------------------------------------------------ the ways of a server

    async def _become_alone(self, connection: AsyncConnection) -> None:
        """Wait for whoever is changing the schema, however long that takes; and make it, if it is to have one of its
        own that isn't there yet."""
        await take_time(connection)
        await connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATIONS_LOCK)))
        # A table that is to change and that other processes use: they shall not queue behind this for ever.
        await connection.execute(sa.text(f"SET LOCAL lock_timeout = {max(1, round(self._busy_seconds * 1000))}"))
        if await connection.scalar(sa.select(sa.func.current_schema())) is None:
            path = str(await connection.scalar(sa.text("SHOW search_path")))
            first = path.split(",")[0].strip().strip('"')
            quoted = connection.dialect.identifier_preparer.quote_identifier(first)
            await connection.execute(sa.text(f"CREATE SCHEMA IF NOT EXISTS {quoted}"))

    async def _transact(self, work: Work[T]) -> T:
        done: list[tuple[T, str | None]] = []
        try:
            async with self._writer.begin() as connection:
                result = await work(connection)
                done.append((result, await connection.scalar(_NUMBER)))
            return result
        except Exception as error:
            if not done or not is_lost(error):
                raise
            [(result, number)] = done
            if number is not None and not await self._was_committed(number):
                raise
            log.info("A commit that nobody answered was kept")
            return result

    async def _was_committed(self, number: str) -> bool:
        """Whether a transaction was, whose end wasn't heard."""

        async def ask() -> str:
            async with self._alone.connect() as connection:
                return str(await connection.scalar(_STATUS, {"number": number}))

        while (status := await self._patiently(WHAT, ask)) == "in progress":
            await _wait(_PAUSES[0])
        return status == "committed"

    async def _append_in_turn(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        async with self._turns.setdefault(game_id, asyncio.Lock()):
            began = time.monotonic()
            unheard = False
            try:
                if await self._lanes[game_id % _LANES].append(game_id, entries):
                    return
            except Unheard:
                unheard = True
            await self._append(game_id, entries, unheard, began)

    async def _append(self, game_id: int, entries: Sequence[LogEntry], unheard: bool, began: float) -> None:
        """Continue a log by a statement that is a transaction of its own, or say why that can't be.

        `unheard`: whether one was sent of which it isn't known what became of it.
        """

        async def attempt() -> None:
            nonlocal unheard
            while True:
                try:
                    if await self._insert(game_id, entries):
                        return
                except Exception as error:
                    if not is_unique_violation(error):
                        unheard = unheard or is_lost(error)
                        raise
                async with self._alone.connect() as connection:
                    if unheard and await self._holds(connection, game_id, entries):
                        log.info("An append that nobody answered was kept")
                        return
                    state = (await connection.execute(logs.STATE, {"game": game_id})).one_or_none()
                if state is None or tuple(state) != (entries[0].version - 1, False):
                    raise logs.conflict(game_id, entries[0].version, state)
                # else another process has just brought the log to where it follows

        await self._patiently(WHAT, attempt, began)

    async def _insert(self, game_id: int, entries: Sequence[LogEntry]) -> bool:
        """Whether the entries follow the log, and are in it now."""
        count = len(entries)
        if count not in self._inserts:
            self._inserts[count] = logs.continuing(count)
        follows = entries[0].version - 1
        values: dict[str, object] = {}
        for n, entry in enumerate(entries):
            row = (game_id, follows, entry.version, entry.kind, entry.body, entry.at)
            values.update((f"{column.name}_{n}", value) for column, value in zip(logs.NEW_COLUMNS, row, strict=True))
        async with self._alone.connect() as connection:
            return (await connection.execute(self._inserts[count], values)).first() is not None

    async def _holds(self, connection: AsyncConnection, game_id: int, entries: Sequence[LogEntry]) -> bool:
        """Whether the log holds these very entries."""
        where = {"game": game_id, "low": entries[0].version, "high": entries[-1].version}
        return [LogEntry(*row) for row in await connection.execute(_KEPT, where)] == list(entries)

    async def _patiently(self, what: str, attempt: Callable[[], Awaitable[T]], began: float | None = None) -> T:
        """Try until it is done, or can't be, or it has taken too long, since it `began`, that the server is away."""
        # In real time also where the loop's is simulated: it is another process that is waited for.
        deadline = (time.monotonic() if began is None else began) + self._busy_seconds
        tries = 0
        while True:
            try:
                return await attempt()
            except Exception as error:
                clash = is_clash(error) or is_unique_violation(error)
                waiting = is_lost(error) and time.monotonic() < deadline
                if not waiting and not (clash and tries < _CLASHES):
                    known = store_error(error, what, self._name)
                    if known is error:
                        raise
                    raise known from known.__cause__
            await _wait(_PAUSES[min(tries, len(_PAUSES) - 1)])
            tries += 1


async def _wait(seconds: float) -> None:
    await asyncio.to_thread(time.sleep, seconds)
