"""Notices that another program has taken a database's files away from the bot, and puts back what they held.

SQLite goes on with files that have been deleted, moved or replaced: it still has them open. So everything seems well,
and is lost when the process ends (https://www.sqlite.org/howtocorrupt.html, 4). As long as SQLite's locks hold, no
program that asks for them deletes the log; this is about all others.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.platform.database.backends.sqlite_engine import KeptConnection
from bot.platform.database.private_files import new_file, put_in_place

Aside = Callable[[datetime], Path]
"""Chooses a new name beside the database, which contains the time."""


class OwnFiles:
    """A database's file and its write-ahead log, as they were when this process opened them."""

    def __init__(self, path: Path, aside: Aside) -> None:
        self._database = Path(os.path.realpath(path))  # SQLite follows links, too
        self._paths = str(self._database), f"{self._database}-wal"
        self._aside = aside
        self.copy: Path | None = None
        """A copy of everything stored, until it is in the database's place."""
        self._known = self._present()
        self._outdated: Path | None = None
        """A file of this process's own, kept after the copy replaced it: one is enough, however often that happens."""

    def remember(self) -> None:
        """Remember the files in the folder, which have just been opened and written to."""
        self._known = self._present()

    @property
    def intact(self) -> bool:
        """Whether what is written now goes to the files in the folder. This takes a few microseconds."""
        return self._present() == self._known

    async def put_back(self, pen: KeptConnection) -> Path:
        """Put a copy of all that `pen` has in the database's place; return where that is kept which was there.

        Whatever still has the former files open harms nobody: they have other names now, or none. Raises OSError,
        sqlite3.Error.
        """
        if self.copy is None:
            copy = self._aside(datetime.now(UTC))
            with new_file(copy) as partial:
                await pen.run("VACUUM INTO ?", [str(partial)])
            self.copy = copy
        aside = self._aside(datetime.now(UTC))
        database, wal = self._present()
        if wal != self._known[1]:  # another program's, not yet moved into the database
            with suppress(OSError):
                os.link(self._paths[1], f"{aside}-wal")
        put_in_place(self._database, self.copy, aside)
        self.copy = None
        if database == self._known[0]:
            if self._outdated is not None:
                self._outdated.unlink(missing_ok=True)
            self._outdated = aside
        return aside

    def _present(self) -> list[tuple[int, int] | None]:
        return [_inode(path) for path in self._paths]


def _inode(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
