"""Backups of a database file, the folder beside it with notes of who was erased since, and the way back.

A restored backup holds people who were erased after it was made. An empty file for each erasure says whom to erase
again; it is deleted after the last backup that still holds the person. Only files with names of this kind are ever
deleted.
"""

import logging
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.platform.database.before_release import VERSION_TABLE, check_file
from bot.platform.database.database import BUSY_SECONDS
from bot.platform.database.errors import BackupExists, Fault, StoreUnavailable, fault_of, unavailable
from bot.platform.database.private_files import (
    PARTIAL,
    create_file,
    create_folder,
    flush_folder,
    new_file,
    put_in_place,
)

log = logging.getLogger(__name__)

_STEPS: Final = 50_000
"""SQLite's steps between two checks of whether to stop: a few milliseconds."""


def copy_database(
    source: Path, target: Path, *, checked: bool = False, stopped: Callable[[], bool] | None = None
) -> None:
    """Copy a database file, which may be in use, to a new file: one consistent state, compact, flushed to the disk.

    Only this user may read the copy. `checked`: it only gets its name if it is sound and a database of this bot. The
    copy is abandoned as soon as `stopped` returns True.

    Blocks until it is done. Raises BackupExists, or StoreUnavailable naming the file at fault.
    """
    check_file(source)
    what = f"cannot copy the database {source} to {target}"
    if os.path.lexists(target):
        raise BackupExists(f"{what}: that file exists already")
    try:
        with new_file(target) as partial:
            uri = f"{Path(os.path.abspath(source)).as_uri()}?mode=rw"
            connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            with closing(connection):
                connection.set_progress_handler(stopped, _STEPS)
                connection.execute(
                    "SELECT * FROM sqlite_master"
                ).fetchall()  # says what is wrong; VACUUM blames the copy
                connection.execute("VACUUM INTO ?", (str(partial),))
            if checked and (problem := _problem_of(partial, stopped)) is not None:
                raise StoreUnavailable(Fault.CORRUPT, f"{what}: {problem}")
    except FileExistsError as error:
        raise BackupExists(f"{what}: that file exists by now") from error
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(fault_of(error), f"{what}: {error}") from error


def _problem_of(copy: Path, stopped: Callable[[], bool] | None) -> str | None:
    """Describe what is wrong with a complete copy."""
    uri = f"{Path(os.path.abspath(copy)).as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.set_progress_handler(stopped, _STEPS)
        [found, *_] = connection.execute("PRAGMA integrity_check").fetchone()
        if found != "ok":
            return f"the copy is damaged ({found})"
        known = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        [there] = connection.execute(known, (VERSION_TABLE,)).fetchone()
        return None if there else "it holds no database of this bot"


_ALL: Final = timedelta(days=7)
"""Age up to which every backup is kept."""
LOOK_SECONDS: Final = 3600
"""Pause between runs of `prune`, so that nothing is kept for longer than it should be."""
_WEEKLY: Final = timedelta(weeks=4) - timedelta(seconds=LOOK_SECONDS)
"""Age up to which the first backup of each week is kept."""
_TIME: Final = "%Y%m%dT%H%M%SZ"
ERASURES_DONE: Final = "erasures_done"
"""The key under which a database has the times of erasures that it contains, as their notes are named, without whom."""
_SUFFIX: Final = ".sqlite3"
_REPLACED: Final = "-replaced"
_ERASED: Final = "-erased-"
_NAME: Final = re.compile(
    rf"(?P<at>\d{{8}}T\d{{6}}Z)(?:{_ERASED}(?P<user>\d{{1,20}})|(?P<replaced>{_REPLACED})?{re.escape(_SUFFIX)}"
    rf"(?P<rest>-wal|(?:\.[0-9a-f]{{8}})?{re.escape(PARTIAL)})?)"
)
_SLACK: Final = timedelta(minutes=1)
"""Longest time between an erasure's note and the moment when it is stored."""


def with_erasure(done: Sequence[str], at: datetime) -> list[str]:
    """Add the time of an erasure to those that a database contains, without those that no backup can be older than."""
    return [each for each in done if each >= f"{at - 2 * _WEEKLY:{_TIME}}"] + [f"{at.astimezone(UTC):{_TIME}}"]


class BackupFolder:
    """The folder of one database file; it may not exist. Each method blocks and can raise OSError."""

    def __init__(self, database: Path) -> None:
        self.database = Path(os.path.abspath(database))
        self.path = Path(f"{self.database}.backups")

    def create(self) -> None:
        create_folder(self.path)

    def backups(self) -> list[tuple[datetime, Path]]:
        """List the backups and when each was made, the newest first."""
        found = ((at, path) for at, path, match in self._own() if not (match["user"] or match["replaced"]))
        return sorted(((at, path) for at, path in found if path.suffix == _SUFFIX), reverse=True)

    def back_up(self, now: datetime, stopped: Callable[[], bool] | None = None) -> Path:
        """Add a backup, which is checked. Raises StoreUnavailable."""
        check_file(self.database)
        while True:
            try:
                self.create()
                target = self._free(now)
            except OSError as error:
                raise unavailable(error, f"cannot write to {self.path}") from error
            with suppress(BackupExists):  # another process has made one in the same second
                copy_database(self.database, target, checked=True, stopped=stopped)
                return target

    def name_for_replaced(self, now: datetime) -> Path:
        """Choose the path at which to keep a database that a backup replaces."""
        self.create()
        return self._free(now, _REPLACED)

    def prune(self, now: datetime, *, newest_stays: bool = True) -> None:
        """Delete the backups that are no longer kept, and the notes that no longer concern any."""
        own = self._own()
        gone = expired([at for at, _ in self.backups()], now, newest_stays=newest_stays)
        for at, path, match in own:
            if match["user"]:
                continue
            old = now - at >= _WEEKLY
            if path.suffix == PARTIAL:
                old = now - at >= timedelta(days=1)
            elif not match["replaced"]:
                old = at in gone
            if old:
                path.unlink(missing_ok=True)
        oldest = min((at for at, path, match in own if not match["user"] and path.exists()), default=now)
        for at, path, match in own:
            if match["user"] and now - at >= _WEEKLY and at < oldest - _SLACK:
                path.unlink(missing_ok=True)

    # ------------------------------------------------------------------ erasures

    def note_erasure(self, user_id: int, now: datetime) -> None:
        """Note that a user is being erased, in place of an earlier note; not needed before the first backup.

        Raises StoreUnavailable.
        """
        if not self.path.is_dir():
            return
        note = self.path / f"{now.astimezone(UTC):{_TIME}}{_ERASED}{user_id}"
        try:
            with suppress(FileExistsError):
                create_file(note)
            flush_folder(self.path)
            for _, path, match in self._own():
                if match["user"] == str(user_id) and path.name < note.name:
                    path.unlink(missing_ok=True)
        except OSError as error:  # without the note's name: this is logged, and logs name no people
            raise unavailable(OSError(error.errno, error.strerror), f"cannot write to {self.path}") from None

    def erased_since(self, moment: datetime, done: Collection[str] = ()) -> list[tuple[int, datetime]]:
        """List who was erased after a moment, and when, but for the erasures that a backup knows to be done."""
        found = [(at, match) for at, _, match in self._own() if match["user"] and at >= moment - _SLACK]
        noted, known = Counter(match["at"] for _, match in found), Counter(done)
        return sorted((int(match["user"]), at) for at, match in found if noted[match["at"]] > known[match["at"]])

    # ------------------------------------------------------------------

    def _own(self) -> list[tuple[datetime, Path, re.Match[str]]]:
        """List the files whose names this class has made."""
        found: list[tuple[datetime, Path, re.Match[str]]] = []
        with suppress(FileNotFoundError):
            for path in self.path.iterdir():
                match = _NAME.fullmatch(path.name)
                if match is not None and path.is_file() and not path.is_symlink():
                    with suppress(ValueError):  # digits that aren't a valid time
                        found.append((datetime.strptime(match["at"], _TIME).replace(tzinfo=UTC), path, match))
        return found

    def _free(self, now: datetime, what: str = "") -> Path:
        while True:
            path = self.path / f"{now.astimezone(UTC):{_TIME}}{what}{_SUFFIX}"
            if not os.path.lexists(path):
                return path
            now += timedelta(seconds=1)


def expired(made: Collection[datetime], now: datetime, *, newest_stays: bool = True) -> set[datetime]:
    """Choose the backups to drop: each stays for a week, the first of a week for four, and perhaps the newest."""
    gone: set[datetime] = set()
    weeks: set[tuple[int, int]] = set()
    for at in sorted(made):
        week = at.isocalendar()[:2]
        age = now - at
        stays = newest_stays and at == max(made)
        if not stays and (age >= _WEEKLY or (age >= _ALL and week in weeks)):
            gone.add(at)
        if age < _WEEKLY:
            weeks.add(week)
    return gone


_PATIENCE: Final = 1.0
"""Seconds that another program may take to finish reading the database."""


def replace_database(database: Path, new: Path, aside: Path) -> bool:
    """Put a closed database in the place of one that nobody writes to, and keep that one as `aside`.

    The new one belongs to the same user as the old one. Returns whether there was an old one.

    Raises StoreUnavailable if another process has it open; OSError.
    """
    there = database.exists()
    rest = Path(f"{database}-wal")
    rest_aside = Path(f"{aside}-wal")
    with suppress(OSError):  # SQLite deletes it, even if it can't read the database
        os.link(rest, rest_aside)
    try:
        sound = there and _merge_wal(database)
    except StoreUnavailable:
        rest_aside.unlink(missing_ok=True)
        raise
    if sound:
        rest_aside.unlink(missing_ok=True)
    put_in_place(database, new, aside)
    return there


def _merge_wal(database: Path) -> bool:
    """Move a database's write-ahead log into it; return False if the database is damaged.

    Raises StoreUnavailable if any other process has it open.
    """
    try:
        with closing(sqlite3.connect(database, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except sqlite3.Error as error:
        if fault_of(error) is Fault.LOCKED:
            raise StoreUnavailable(Fault.LOCKED, f"another program has {database} open; stop it first") from error
        log.warning("The database being replaced is damaged: %s", error)
        return False
    return True
