"""The disk with the database: its work is done in the loop, and it can fail, stall, or lose what wasn't synced."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import aiosqlite.core

from tests.simulation.loop import Loop
from tests.simulation.machine import Threads

READER: Final = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
connection.close()
"""
Job = tuple[Any, Callable[[], Any]]


class Queue:
    """Stands for the queue of a connection's thread: what is put there is done in order, each a little later."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._busy = False

    def put_nowait(self, job: Job) -> None:
        """Have something done."""
        self._jobs.append(job)
        if not self._busy:
            self._begin()

    def _begin(self) -> None:
        self._busy = True
        future, function = self._jobs.popleft()
        loop = future.get_loop()
        done = loop.create_future()
        loop.do_later(function, done)
        done.add_done_callback(lambda done: self._done(future, done))

    def _done(self, future: Any, done: Any) -> None:
        if not future.done():
            if (error := done.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())
        else:
            done.exception()
        self._busy = False
        if self._jobs:
            self._begin()


def use_loops() -> None:
    """Have the loop do the work of the driver's threads."""
    aiosqlite.core.SimpleQueue = Queue  # type: ignore[misc,assignment]
    aiosqlite.core.Thread = Threads  # type: ignore[misc,assignment]


class Disk:
    """The files of one database, and what of them would survive a loss of power."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.wal = Path(f"{database}-wal")
        self.fails: Callable[[str], Exception | None] = lambda statement: None
        """The error of the next statement, if it is to fail."""
        self.synced = 0
        """The length of the write-ahead log when a transaction last ended."""
        self._connections: dict[Loop, list[sqlite3.Connection]] = {}
        self._seen: tuple[int, ...] = ()
        self._looking: sqlite3.Connection | None = None
        """Whoever looks at what is stored has this connection, which is closed before the last of the bot's: SQLite
        tidies up a file when nobody has it open any more. It knows all connections of this process, and their locks."""

    def work_for(self, loop: Loop) -> None:
        """Do the work of a process from now on."""
        self._connections[loop], wal = [], str(self.wal)

        def work(job: Callable[[], Any]) -> Any:
            if (statement := _statement_of(job)) and (error := self.fails(statement)) is not None:
                raise error
            if _closes(job):
                self._look_away()
            result = job()
            if isinstance(result, sqlite3.Connection):
                self._connections[loop].append(result)
            with suppress(OSError):
                self.synced = os.stat(wal).st_size
            return result

        loop.disk = work

    def cut_off(self, loop: Loop, *, power: bool = False) -> None:
        """End a process at once. With `power`, what wasn't synced is lost, too."""
        self._look_away()
        mine = self._connections.pop(loop)
        alone = not any(self._connections.values())
        kept = [(path, path.read_bytes()) for path in (self.database, self.wal) if path.exists()] if alone else []
        for connection in mine:
            with suppress(sqlite3.Error):
                connection.rollback()
            with suppress(sqlite3.Error):
                connection.close()
        if not alone:
            return
        # New files: what dead tasks still hold of the old ones, such as half-read rows, would count as theirs.
        for path in (self.database, self.wal, Path(f"{self.database}-shm")):
            path.unlink(missing_ok=True)
        for path, content in kept:
            path.write_bytes(content[: self.synced] if power and path == self.wal else content)

    def ended(self, loop: Loop) -> None:
        """Note that a process has ended by itself, and closed its files."""
        self._connections.pop(loop, None)

    def look(self, query: str, *values: object) -> list[Any]:
        """Read what is stored now; nothing if no process has the file open, or it isn't made yet.

        Whoever holds a file that was deleted goes on reading it, as the bot does: what counts is in the folder.
        """
        try:
            if (there := self._there()) != self._seen:
                self._look_away()
                self._seen = there
            if self._looking is None:
                self._looking = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
            return self._looking.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            self._look_away()
            return []

    def _there(self) -> tuple[int, ...]:
        """The numbers of the files that are in the folder."""
        return tuple(os.stat(path).st_ino for path in (self.database, self.wal) if os.path.exists(path))

    def _look_away(self) -> None:
        if self._looking is not None:
            self._looking.close()
            self._looking = None

    def copy(self, target: Path) -> None:
        """Copy the files, for whoever wants to look at them, in a process of its own.

        In this one, to close a file would drop the locks that SQLite has on it.
        """
        for path in (self.database, self.wal):
            copy = Path(f"{target}{path.name.removeprefix(self.database.name)}")
            copy.unlink(missing_ok=True)
            if path.exists():
                subprocess.run(["/bin/cp", path, copy], check=True)

    def read_beside(self) -> None:
        """Have another program open, read and close the database, while the bot stands still."""
        subprocess.run([sys.executable, "-I", "-S", "-c", READER, self.database], check=True)


def _closes(job: Any) -> bool:
    """Whether a piece of work closes a connection."""
    function = getattr(job, "func", None)
    of = getattr(function, "__self__", None)
    return getattr(function, "__name__", "") == "close" and isinstance(of, sqlite3.Connection)


def _statement_of(job: Any) -> str:
    """The SQL that a piece of work runs; "" if it runs none."""
    args = getattr(job, "args", ())
    return args[0] if args and isinstance(args[0], str) else ""
