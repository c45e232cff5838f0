"""What the store asks of a database: transactions to read and to write, appends, and a few things on the side."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rows import LogEntry

BUSY_SECONDS: Final = 4.0
"""How long a write waits for others that write, in this process and elsewhere, and for a server that is away."""

T = TypeVar("T")
Work = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""Statements of one transaction. It may be run again, from its beginning, if nothing of the first time was kept."""


class Backend(Protocol):
    """An open database. Nothing here may be cancelled half-way; `Database` sees to that."""

    @property
    def name(self) -> str:
        """Where it is, as it may be shown: a file's path, or an address without its password."""
        ...

    async def prepare(self) -> None:
        """Connect for the first time and bring the schema up to date. Raises StoreUnavailable."""
        ...

    async def dispose(self) -> None:
        """Close every connection; nothing is under way."""
        ...

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection that sees one state of the database."""
        ...

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection in a transaction, which any exception undoes."""
        ...

    async def read(self, work: Work[T]) -> T:
        """Do the work on such a connection as `reading` gives."""
        ...

    async def write(self, work: Work[T]) -> T:
        """Do the work in such a transaction as `writing` gives."""
        ...

    async def append(self, game_id: int, entries: Sequence[LogEntry]) -> None:
        """Continue a game's log by a few entries that follow each other, and do nothing else."""
        ...

    async def checkpoint(self) -> None:
        """Let what was deleted be gone from the disk as far as that can be done at once. Never fails."""
        ...

    async def backup(self, target: Path) -> None:
        """Write a consistent copy to a new file."""
        ...

    async def size(self) -> int | None:
        """How many bytes it takes on the disk; None if that can't be told now."""
        ...
