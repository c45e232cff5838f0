"""Ownership of a database file: an operating system lock on a file beside it, which ends with the process."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import threading
import time
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from bot.platform.database.errors import Fault, StoreUnavailable, unavailable
from bot.platform.database.ownership.port import Held, NewsListener, Owner, Ready, never, never_ready

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 0.1
"""Pause between attempts to take a lock that another process has."""
LOOK_SECONDS: Final = 0.5
"""Pause between checks, by the process with the lock, of whether another is ready to take its place."""
SETTLED_SECONDS = 600.0
"""Time that a process that has taken over refuses to hand over.

A supervisor may start the previous process again, which must not take the file back: the two would take it from each
other forever, and use up the day's sessions.
"""


def lock_of(path: Path) -> FileLock:
    """Return a database file's lock, not taken yet. Commands that only read, such as `check` and `backup`, don't use
    it."""
    return FileLock(f"{path}.lock", thread_local=False)


def _holder(lock: FileLock) -> str:
    """Describe the process that has a lock, where the system says so."""
    try:
        own = os.stat(lock.lock_file).st_ino
        for line in Path("/proc/locks").read_text().splitlines():
            _, kind, _, _, process, file, *_ = line.split()
            if kind == "FLOCK" and int(file.rpartition(":")[2]) == own:
                return f" (process {process})"
    except (OSError, ValueError):
        pass
    return ""


class FileOwner(Owner):
    """An owner of all shards while it holds the lock, which nobody can take away.

    A process that is ready to take its place says so by holding a second lock, which also ends with the process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = lock_of(path)
        self._next = FileLock(f"{path}.next.lock", thread_local=False)
        self._looking = threading.Lock()
        self._closed = False
        self._settled_at = -math.inf
        """The time when this process begins to make way for another one that is ready."""
        self.held = Held.NO

    async def take(self, heard: NewsListener) -> bool:
        """Take the lock if it is free. Nobody else writes to the file, so there is no news."""
        if not self._got(self._lock):
            log.warning("Another bot%s uses %s: waiting until it ends", _holder(self._lock), self._path)
            self.held = Held.WAITING
            return False
        self.held = Held.YES
        return True

    async def acquire(self, heard: NewsListener, *, ready: Ready = never_ready) -> None:
        """Wait for the lock, and ask the process that has it to end once this one is ready."""
        if self.held is Held.YES or (self.held is Held.NO and await self.take(heard)):
            return
        while self._closed or not self._got(self._lock):
            if self._closed:
                await never()
            if not ready():
                self._next.release()
            elif not self._next.is_locked and self._got(self._next):
                log.info("Ready to take over from the bot that uses %s", self._path)
            await asyncio.sleep(AGAIN_SECONDS)
        self._settled_at = time.monotonic() + SETTLED_SECONDS
        self.held = Held.YES
        self._next.release()

    async def asked_to_end(self) -> None:
        """Return when a process is ready to take the place of this one; never for one that was ready too soon after the
        latest takeover."""
        declined = False
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not await self.has_successor():
                declined = False
            elif not declined and time.monotonic() >= self._settled_at:
                return
            elif not declined:
                declined = True
                log.warning(
                    "Another bot is ready to take over from this one, which has only just taken over itself: "
                    "it must wait until this one is stopped"
                )

    async def has_successor(self) -> bool:
        """Whether a process is ready to take the place of this one."""
        return self.held is Held.YES and await asyncio.to_thread(self._has_next)  # the disk may stall

    def _has_next(self) -> bool:
        with self._looking:  # of two looks at once, each would take the other for a process that waits
            try:
                if not self._got(self._next):
                    return True
            except StoreUnavailable as error:
                log.warning("Can't tell whether another bot is waiting (%s)", error)
            self._next.release()
            return False

    def _got(self, lock: FileLock) -> bool:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        except OSError as error:
            raise unavailable(error, f"cannot lock {lock.lock_file}") from error
        return True

    async def confirm(self) -> None:
        """Return at once if this process has the lock: the operating system doesn't take it away."""
        if self.held is not Held.YES:
            raise StoreUnavailable(Fault.CLOSED, f"this process doesn't have the lock of {self._path}")

    async def close(self) -> None:
        self._closed = True
        self._next.release()
        self._lock.release()
        self.held = Held.NO
