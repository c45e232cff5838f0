"""Appends that wait for one another and are written together."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

import sqlalchemy as sa

from bot.platform.database.appended_logs import AppendedLogs
from bot.platform.database.database import CANNOT_WRITE, MOST_ENTRIES, completed
from bot.platform.database.errors import Fault, StoreUnavailable, is_database_failure, is_unique_violation, store_error
from bot.platform.eventlog import LogEntry

_SHORT_SECONDS: Final = 0.002
"""After a shorter turn of the event loop twice as many callers go on in the next one; after a longer one, one or
none."""

Run = Callable[[str, Sequence[object]], Awaitable[Iterable[Sequence[Any]]]]
"""A function that makes the driver run and commit a statement, and returns its rows."""


@dataclass(slots=True, eq=False)
class Append:
    """Entries waiting to be written; `done` is resolved for the caller."""

    number: int
    first: int
    count: int
    values: list[object] = field(repr=False)
    """The entries' rows one after another, each with the logs' `new_columns`."""
    done: asyncio.Future[None]
    written: bool = False
    patience: asyncio.TimerHandle = field(init=False)


class AppendQueue:
    """A queue of appends that continue logs of one sort. Appends that arrive during a write form the next group.

    A group is one statement and so one transaction: one trip to the driver, one commit. Each append that follows its
    log is written as a whole, others are left out, so that a conflict doesn't affect the rest; a statement that fails
    has written none of them. A log's appends keep their order, and no group holds two of one log.
    """

    def __init__(
        self,
        name: object,
        logs: AppendedLogs,
        turns: asyncio.Lock,
        busy_seconds: float,
        dialect: sa.Dialect,
        run: Run,
    ) -> None:
        self._name = name
        self._logs = logs
        self._turns = turns
        self._busy_seconds = busy_seconds
        self._dialect = dialect
        self._run = run
        self._waiting: deque[Append] = deque()
        self._group: Sequence[Append] = ()
        self._worker: asyncio.Task[None] | None = None
        self._stored: deque[Append] = deque()
        """Appends that are written, and whose callers have yet to go on."""
        # Statements are compiled once; their values are put in order here, row by row as the statement expects them.
        self._moment = logs.entries.c.at.type.dialect_impl(dialect).bind_processor(dialect) or (lambda at: at)
        self._state = self._compiled(logs.state)
        self._inserts: dict[int, str] = {}

    async def append(self, number: int, entries: Sequence[LogEntry]) -> None:
        """Continue a log by consecutive entries; cancelling the caller doesn't interrupt it.

        Raises VersionConflict, the logs' own errors, RowRejected; StoreUnavailable, also if it waits too long.
        """
        loop = asyncio.get_running_loop()
        first = entries[0].version
        values: list[object] = [
            value
            for entry in entries
            for value in (number, first - 1, entry.version, entry.kind, entry.body, self._moment(entry.at))
        ]
        append = Append(number, first, len(entries), values, loop.create_future())
        append.patience = loop.call_later(self._busy_seconds, self._give_up, append)
        self._waiting.append(append)
        if self._worker is None:
            self._worker = loop.create_task(self._write_all())
            self._worker.add_done_callback(self._ended)
        await completed(append.done)

    def _give_up(self, append: Append) -> None:
        """Fail an append that has waited too long; otherwise those queued behind a locked file would all time out in
        turn."""
        self._waiting.remove(append)
        text = f"{CANNOT_WRITE} {self._name}: other writes take too long"
        append.done.set_exception(StoreUnavailable(Fault.LOCKED, text))

    async def _write_all(self) -> None:
        while self._waiting:
            async with self._turns:  # behind other writes that are already waiting
                self._group = self._next_group()
                if self._group:
                    await self._write(self._group)
                    self._group = ()
        self._worker = None

    def _ended(self, worker: asyncio.Task[None]) -> None:
        """Release the callers if the worker was cancelled, as all tasks are when their event loop ends."""
        error = None if worker.cancelled() else worker.exception()
        if error is None and not worker.cancelled():
            return
        self._worker = None
        for append in (*self._group, *self._waiting):
            append.patience.cancel()
            if append.written:
                continue
            if error is None or append.done.done():
                append.done.cancel()
            else:
                append.done.set_exception(error)
        self._waiting.clear()

    def _next_group(self) -> list[Append]:
        group: list[Append] = []
        later: deque[Append] = deque()
        seen: set[int] = set()
        room = MOST_ENTRIES
        for append in self._waiting:
            if append.number in seen or (group and append.count > room):
                later.append(append)
            else:
                append.patience.cancel()
                group.append(append)
                room -= append.count
            seen.add(append.number)
        self._waiting = later
        return group

    async def _write(self, group: Sequence[Append]) -> None:
        """Write the appends, and resolve each caller's future."""
        try:
            continued = await self._insert(group)
        except Exception as error:
            if len(group) > 1 and not (is_database_failure(error) or isinstance(error, StoreUnavailable)):
                for append in group:  # one of them can't be written
                    await self._write([append])
            elif is_unique_violation(error):
                await self._refuse(group)
            else:
                for append in group:
                    append.done.set_exception(store_error(error, CANNOT_WRITE, self._name))
            return
        for append in group:
            append.written = append.number in continued
        stored = [append for append in group if append.written]
        self._stored.extend(stored)
        if stored and len(self._stored) == len(stored):
            self._release(1)
        await self._refuse([append for append in group if not append.written])

    def _release(self, count: int) -> None:
        """Let callers go on, the fewer in a turn of the event loop the more follows, so that clicks have their turns in
        between."""
        for _ in range(min(count, len(self._stored))):
            self._stored.popleft().done.set_result(None)
        if self._stored:
            asyncio.get_running_loop().call_soon(self._release_more, count, perf_counter())

    def _release_more(self, before: int, since: float) -> None:
        short = perf_counter() - since < _SHORT_SECONDS
        self._release(2 * before or 1 if short else int(not before))

    async def _insert(self, group: Sequence[Append]) -> set[int]:
        """Run one statement for a group and return the numbers of the logs that were continued."""
        # Sizes are powers of two, so that few statements are compiled; rows of no log, which are skipped, pad them.
        size = 1 << (sum(append.count for append in group) - 1).bit_length()
        if size not in self._inserts:
            self._inserts[size] = self._compiled(self._logs.continuing(size))
        values = [value for append in group for value in append.values]
        values += [None] * (size * len(self._logs.new_columns) - len(values))
        return {row[0] for row in await self._run(self._inserts[size], values)}

    async def _refuse(self, group: Sequence[Append]) -> None:
        """Tell each caller why its append doesn't follow its log."""
        for append in group:
            try:
                state = next(iter(await self._run(self._state, [append.number])), None)
            except Exception as error:
                append.done.set_exception(store_error(error, CANNOT_WRITE, self._name))
                continue
            if state is not None and tuple(state) == (append.first - 1, False):
                await self._write([append])  # another process has just extended the log, and this append comes after it
            else:
                append.done.set_exception(self._logs.conflict(append.number, append.first, state))

    def _compiled(self, statement: sa.ClauseElement) -> str:
        return str(statement.compile(dialect=self._dialect))
