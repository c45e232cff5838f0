"""Files that only the bot's own user may read: a database holds what nobody else may see.

SQLite gives the `-wal` and `-shm` files the mode of the database. Windows controls access by other means, so nothing is
changed there.
"""

import errno
import logging
import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import Final

log = logging.getLogger(__name__)

PARTIAL: Final = ".partial"
"""The suffix of a file's name until it is complete."""
_BROKEN_OFF: Final = 86_400
"""Seconds without a change after which nobody writes to such a file any more."""
_POSIX: Final = os.name == "posix"
_FILE: Final = 0o600
_FOLDER: Final = 0o700
_OTHERS: Final = stat.S_IRWXO


def create_folder(path: Path) -> None:
    """Create a folder that only this user can enter; an existing one stays as it is."""
    path.mkdir(mode=_FOLDER, parents=True, exist_ok=True)


def create_file(path: Path) -> None:
    """Create an empty file for this user only, whatever the umask. Raises FileExistsError."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE)
    try:
        if _POSIX:
            os.fchmod(handle, _FILE)
    finally:
        os.close(handle)


@contextmanager
def new_file(target: Path) -> Generator[Path]:
    """Create an empty file for the block to fill; only then it gets the name `target`, flushed.

    Others that make the same one at the same moment do no harm: the file has a name of its own until it is complete,
    and doesn't replace one that got there first. What is left of those whose process was killed is deleted after a day.

    Raises FileExistsError if there is such a file by then, and OSError.
    """
    for left in target.parent.glob(f"{escape(target.name)}.{'[0-9a-f]' * 8}{PARTIAL}"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _BROKEN_OFF:
                left.unlink()
    partial = target.with_name(f"{target.name}.{token_hex(4)}{PARTIAL}")
    create_file(partial)
    try:
        yield partial
        _flush(partial)
        try:
            os.link(partial, target)
        except OSError:  # not every file system can do this
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
            os.replace(partial, target)
        flush_folder(target.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_folder(path: Path) -> None:
    if os.name == "nt":
        return  # Windows can't open folders
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_private(path: Path) -> None:
    """Create a database's file for this user only; if it exists, take all others' rights away, except its group's.

    The group may have been given access on purpose, for backups for example. Raises OSError.
    """
    if not path.exists():  # a file in use is not opened, not even in vain: see before_release.py
        with suppress(FileExistsError):
            create_file(path)
    if not _POSIX:
        return
    for file in (path, *(Path(f"{path}{end}") for end in ("-wal", "-shm"))):
        try:
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & _OTHERS:
                file.chmod(mode & ~_OTHERS)
                log.info("Other users of this machine can no longer read %s", file)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("Other users of this machine may read %s (%s)", file, error.strerror)


def hand_over(path: Path, like: Path) -> None:
    """Give a file the owner, the group and the mode of another one: an operator may have made it as root.

    Without the right to do so, the file stays this user's alone. Raises OSError.
    """
    if not _POSIX:
        return
    known = like.stat()
    with suppress(PermissionError):
        os.chown(path, known.st_uid, known.st_gid)
        path.chmod(stat.S_IMODE(known.st_mode) & ~_OTHERS)


def put_in_place(database: Path, new: Path, aside: Path) -> None:
    """Put a closed database in the place of another one without its log, and keep that one as `aside`, if there is one.

    It belongs to the same user. Raises OSError.
    """
    for end in ("-wal", "-shm"):  # the new database mustn't get them
        Path(f"{database}{end}").unlink(missing_ok=True)
    there = database.exists()
    if there:
        hand_over(new, database)
        try:
            os.link(database, aside)
        except OSError:  # not every file system can do this; then there is no database for a moment
            os.rename(database, aside)
    flush_folder(aside.parent)
    try:
        os.replace(new, database)
    except OSError:
        if there and not database.exists():
            os.rename(aside, database)
        raise
    flush_folder(database.parent)
