"""Notices that somebody has taken a database's files away from the bot, and saves what is in them.

SQLite goes on with files that have been deleted, moved or replaced: it still has them open. So everything seems well,
and is lost when the process ends (https://www.sqlite.org/howtocorrupt.html, 4).
"""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.backends.sqlite_engine import KeptConnection
from bot.store.errors import Fault, StoreUnavailable, words_of
from bot.store.private_files import new_file
from bot.store.schema import key_values

log = logging.getLogger(__name__)

_KEY: Final = "reattached"
"""A key that only stays in the database for as long as it takes to bring back its files."""
_MARK: Final = f"INSERT OR REPLACE INTO {key_values.name} VALUES (?, ?)"  # noqa: S608 - a name of ours
_UNMARK: Final = f"DELETE FROM {key_values.name} WHERE key = ?"  # noqa: S608 - likewise

Inode = tuple[int, int]
Aside = Callable[[datetime], Path]
"""Chooses a new name beside the database, which contains the time."""


class OwnFiles:
    """A database's file and its write-ahead log, as they were when this process opened them.

    As long as SQLite's locks hold, no program that asks for them deletes the log; this is about all others. Coroutines
    are for whoever has the right to write.
    """

    def __init__(self, path: Path, pen: KeptConnection, readers: AsyncEngine, aside: Aside) -> None:
        self._database = os.path.realpath(path)  # SQLite follows links, too
        self._wal = f"{self._database}-wal"
        self._pen = pen
        self._readers = readers
        self._aside = aside
        self._known: tuple[Inode | None, Inode | None] = (None, None)
        self._copy: Path | None = None
        self._older: Path | None = None
        """The copy made the time before: one is enough, however often the files are taken away."""
        self._said = ""
        self.lost = False
        """Whether they were taken away, and aren't back yet."""

    def remember(self) -> None:
        """Remember the files in the folder, which have just been opened and written to."""
        self._known = _inode(self._database), _inode(self._wal)

    @property
    def intact(self) -> bool:
        """Whether what is written now goes to the files in the folder. This takes a few microseconds."""
        return not self.lost and (_inode(self._database), _inode(self._wal)) == self._known

    def check(self) -> None:
        """Raise StoreUnavailable while the files are lost."""
        if self.lost:
            raise StoreUnavailable(Fault.DETACHED, f"the database {self._database} was taken away from the bot")

    def notice(self) -> None:
        """Say, the first time, that the files are lost. From now on `check` raises."""
        if not self.lost:
            self.lost, self._older, self._copy = True, self._copy, None
            log.error(
                "Another program has deleted, moved or replaced %s or its -wal file while the bot was using them."
                " Nobody can play until the bot has brought back what they held, which it tries now",
                self._database,
            )

    async def bring_back(self, *, readers_free: bool) -> None:
        """Copy everything to a new file, and then bring it back into the database, if that is safe.

        Raises StoreUnavailable if it isn't, or not yet. `readers_free`: nobody is reading.
        """
        if self._copy is None:
            self._copy = await self._save()
        kept = "no copy could be made" if self._copy is None else f"everything that was stored is in {self._copy}"
        try:
            await self._merge(readers_free=readers_free)
        except _CannotMerge as error:
            what = "stop the bot, run the command `restore` with that file, and start the bot again"
            self._say(f"{self._database} {error}, and is left as it is. To go on, {what}: {kept}")
        except Exception as error:
            why = "close every other program that has it open, if there is any"
            self._say(f"{self._database} isn't complete yet ({words_of(error)}): {why}. It is tried again; {kept}")
        self.check()
        log.warning("The database %s is complete again; as it was before, %s", self._database, kept)
        self._said = ""

    async def _save(self) -> Path | None:
        """Copy all that was stored, as this process has it; None if that fails."""
        try:
            target = self._aside(datetime.now(UTC))
            with new_file(target) as partial:
                await self._pen.run("VACUUM INTO ?", [str(partial)])
            if self._older is not None:
                self._older.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            log.warning("Can't copy what was stored: %s", error)
            return None
        return target

    async def _merge(self, *, readers_free: bool) -> None:
        """Move the deleted log into the database while no other program has it open, and begin a new log.

        To leave the WAL mode is what takes the file's exclusive lock and asks the operating system for it.
        """
        if _inode(self._database) != self._known[0]:
            raise _CannotMerge("is another file now, or gone")
        if self._stray_bytes():
            raise _CannotMerge("was written to by another program meanwhile")
        if not readers_free:
            raise StoreUnavailable(Fault.LOCKED, "the bot is still reading it")
        await self._readers.dispose()
        mark = secrets.token_hex(8)
        await self._pen.run(_MARK, (_KEY, mark))  # this comes last, so whatever has it has everything
        await self._pen.run("PRAGMA journal_mode=DELETE")
        self._known = self._known[0], None  # there is no log of ours any more, so none is a stranger's
        await self._pen.run("PRAGMA journal_mode=WAL")
        async with self._readers.connect() as connection:
            found = await connection.scalar(sa.select(key_values.c.value).where(key_values.c.key == _KEY))
            problem = await connection.scalar(sa.text("PRAGMA quick_check(1)"))
        if (found, problem) != (mark, "ok"):
            raise _CannotMerge("is damaged or incomplete")
        await self._pen.run(_UNMARK, (_KEY,))
        self.remember()
        self.lost = False

    def set_stray_log_aside(self) -> None:
        """Keep another program's log under another name: when SQLite closes, it deletes the file with that name."""
        if self.lost and self._stray_bytes():
            with suppress(OSError):
                os.link(self._wal, f"{self._aside(datetime.now(UTC))}-wal")

    def _stray_bytes(self) -> int:
        """Count the bytes that another program has written to a log of its own."""
        own = self._known[1]
        return 0 if own is None or _inode(self._wal) in (None, own) else os.stat(self._wal).st_size

    def _say(self, what: str) -> None:
        """Log why the files aren't back, unless that was the latest thing said."""
        if what != self._said:
            self._said = what
            log.error("%s", what)


class _CannotMerge(Exception):
    """The deleted log can't be brought back into the database; the message says why."""


def _inode(path: str) -> Inode | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
