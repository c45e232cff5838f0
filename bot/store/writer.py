"""Queues of appends: each is one statement, and those that wait for the writer are one statement together."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa

from bot.store import logs
from bot.store.errors import Fault, StoreUnavailable, is_trouble, is_unique_violation, store_error
from bot.store.rows import LogEntry
from bot.store.schema import events
from bot.store.settled import finished

MOST_ENTRIES: Final = 64
"""How many entries share a statement. More of one append are better written in a transaction."""

WHAT: Final = "cannot write to the database"
"""What a fault of writing begins with."""

Run = Callable[[str, Sequence[object]], Awaitable[Iterable[Sequence[Any]]]]
"""Has the driver run a statement, which is committed with that, and gives the rows it returns."""


@dataclass(slots=True, eq=False)
class Append:
    """Entries that wait to be written; `done` is for whoever waits for that."""

    game_id: int
    first: int
    count: int
    values: list[object] = field(repr=False)
    """The entries' rows, one behind the other, each as `logs.NEW_COLUMNS` has it."""
    done: asyncio.Future[bool]
    patience: asyncio.TimerHandle = field(init=False)


class Queue(ABC):
    """Continues logs. Whoever comes while somebody else writes goes with the next group, together with all others who
    have come by then. A game's appends keep their order, and no group holds two of them.
    """

    def __init__(self, name: object, turns: asyncio.Lock, busy_seconds: float, dialect: sa.Dialect) -> None:
        self._name = name
        self._turns = turns
        self._busy_seconds = busy_seconds
        self._waiting: deque[Append] = deque()
        self._group: Sequence[Append] = ()
        self._work: asyncio.Task[None] | None = None
        # Statements are compiled once: their values are put in order here, row after row as the statement has them.
        self._moment = events.c.at.type.dialect_impl(dialect).bind_processor(dialect) or (lambda at: at)

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> bool:
        """Continue a log by entries that follow each other; cancelling the caller doesn't interrupt it.

        Returns and raises what `_write` has to say of it; or StoreUnavailable if its turn doesn't come.
        """
        loop = asyncio.get_running_loop()
        first = entries[0].version
        values: list[object] = [
            value
            for entry in entries
            for value in (game_id, first - 1, entry.version, entry.kind, entry.body, self._moment(entry.at))
        ]
        append = Append(game_id, first, len(entries), values, loop.create_future())
        append.patience = loop.call_later(self._busy_seconds, self._give_up, append)
        self._waiting.append(append)
        if self._work is None:
            self._work = loop.create_task(self._write_all())
            self._work.add_done_callback(self._ended)
        return await finished(append.done)

    @abstractmethod
    async def _write(self, group: Sequence[Append]) -> None:
        """Write the appends, and tell everybody of their own."""

    def _give_up(self, append: Append) -> None:
        """Else the writes of a queue before a locked file would wait out their time one after the other."""
        self._waiting.remove(append)
        text = f"{WHAT} {self._name}: other writes take too long"
        append.done.set_exception(StoreUnavailable(Fault.LOCKED, text))

    async def _write_all(self) -> None:
        while self._waiting:
            async with self._turns:  # behind the other writes that wait for it already
                self._group = self._next_group()
                await self._write(self._group)
        self._work = None

    def _ended(self, work: asyncio.Task[None]) -> None:
        """Let nobody wait for a task that was cancelled, as all are when their event loop ends."""
        error = None if work.cancelled() else work.exception()
        if error is None and not work.cancelled():
            return
        self._work = None
        for append in (*self._group, *self._waiting):
            append.patience.cancel()
            if error is None or append.done.done():
                append.done.cancel()
            else:
                append.done.set_exception(error)
        self._waiting.clear()

    def _next_group(self) -> list[Append]:
        group: list[Append] = []
        later: deque[Append] = deque()
        games: set[int] = set()
        room = MOST_ENTRIES
        for append in self._waiting:
            if append.game_id in games or (group and append.count > room):
                later.append(append)
            else:
                append.patience.cancel()
                group.append(append)
                room -= append.count
            games.add(append.game_id)
        self._waiting = later
        return group


class Appends(Queue):
    """The queue of a file. A group's statement is a transaction of its own: the driver is spoken to once, and commits
    once. It takes an append as a whole if it follows its game's log, and else leaves it out, so that one conflict
    doesn't touch the others; a statement that fails has written none of them.

    `append` raises VersionConflict, GameClosed, UnknownGame, RowRejected, StoreUnavailable.
    """

    def __init__(self, name: object, turns: asyncio.Lock, busy_seconds: float, dialect: sa.Dialect, run: Run) -> None:
        super().__init__(name, turns, busy_seconds, dialect)
        self._dialect = dialect
        self._run = run
        self._state = self._compiled(logs.STATE)
        self._inserts: dict[int, str] = {}

    async def _write(self, group: Sequence[Append]) -> None:
        if not group:
            return
        try:
            continued = await self._insert(group)
        except Exception as error:
            if len(group) > 1 and not is_trouble(error):
                # One of them can't be written. In other databases that may be since another process was faster.
                for append in group:
                    await self._write([append])
            elif is_unique_violation(error):
                await self._refuse(group)
            else:
                for append in group:
                    append.done.set_exception(store_error(error, WHAT, self._name))
            return
        for append in group:
            if append.game_id in continued:
                append.done.set_result(True)
        await self._refuse([append for append in group if append.game_id not in continued])

    async def _insert(self, group: Sequence[Append]) -> set[int]:
        """The ids of the games that were continued."""
        # For a few sizes only, so that few statements are to be compiled: rows of no game, which are left out, fill up.
        size = 1 << (sum(append.count for append in group) - 1).bit_length()
        if size not in self._inserts:
            self._inserts[size] = self._compiled(logs.continuing(size))
        values = [value for append in group for value in append.values]
        values += [None] * (size * len(logs.NEW_COLUMNS) - len(values))
        return {row[0] for row in await self._run(self._inserts[size], values)}

    async def _refuse(self, group: Sequence[Append]) -> None:
        """Say why they don't follow their games' logs."""
        for append in group:
            try:
                state = next(iter(await self._run(self._state, [append.game_id])), None)
            except Exception as error:
                append.done.set_exception(store_error(error, WHAT, self._name))
                continue
            if state is not None and tuple(state) == (append.first - 1, False):
                await self._write([append])  # another process has just brought the log to where it follows
            else:
                append.done.set_exception(logs.conflict(append.game_id, append.first, state))

    def _compiled(self, statement: sa.ClauseElement) -> str:
        return str(statement.compile(dialect=self._dialect))
