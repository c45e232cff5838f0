"""The right of a process to its shards; a database file's lock gives all of them."""

import asyncio
import logging
import math
import os
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from bot.platform.database.errors import Fault, StoreUnavailable, unavailable
from bot.platform.database.news import News

log = logging.getLogger(__name__)

NewsListener = Callable[[News, int], None]
"""A function called with what another process has changed, and the id it concerns."""

Ready = Callable[[], bool]
"""A function that tells whether a waiting process could serve the shards at once, being connected to Discord
already."""

OWNER_MARK: Final = "owner:"
"""Prefix of the keys that say which process had a shard last."""
TURN_MARK: Final = "identify:"
"""Prefix of the keys that say when the latest session of a bucket began."""


def never_ready() -> bool:
    return False


class Held(StrEnum):
    """Whether a process owns its shards."""

    NO = "not_asked_for"
    WAITING = "held_by_another_process"
    """Another process has at least one of the shards; nothing is written."""
    YES = "held"
    DOUBTFUL = "in_doubt"
    """The database doesn't answer: nothing is written while it is unknown whether the shards are still held."""
    LOST = "lost"
    """Another process has the shards, or may have: this one must exit, unless it finds that nobody else had them."""


class Owner:
    """A process's right to its shards. Call `take` or `acquire` first and `close` last.

    This one is for simulations, which have no second process: everything is owned.
    """

    held = Held.YES
    """Whether the shards are held now."""
    waits_for_turns = False
    """Whether `turn` coordinates several processes; if not, this is the only one."""
    mark: tuple[str, str] | None = None
    """A key and its value, which are stored from `take` on until another process has taken any of the shards; None
    if the shards can't be taken away."""

    async def take(self, heard: NewsListener) -> bool:
        """Take the shards if no other process has any of them; return whether they were taken.

        `heard` is called with news from then on.

        Raises:
            StoreError: if the database can't be used for this.
        """
        return True

    async def acquire(self, heard: NewsListener, *, ready: Ready = never_ready) -> None:
        """Wait until no other process has any of the shards, and take them, as `take` does.

        As soon as this process is `ready`, the process that has the shards can tell (`has_successor`). The owner of a
        file ends to make way for it (`asked_to_end`).
        """

    async def asked_to_end(self) -> None:
        """Return when this process should end, because another is ready to take its place; otherwise never."""
        await never()

    async def has_successor(self) -> bool:
        """Whether another process is ready to take the shards as soon as they are released. Takes a second at most."""
        return False

    async def confirm(self) -> None:
        """Return if the shards are certainly held; if that is in doubt, wait a little.

        Raises:
            StoreUnavailable: they aren't held, and nothing may be written.
        """

    async def lost(self) -> None:
        """Return when the shards are lost for good, otherwise never."""
        await never()

    async def turn(self, bucket: int, *, starts_now: bool = False) -> None:
        """Wait until a shard of one of Discord's buckets may begin a session, counting the sessions of all processes.

        `starts_now`: don't wait for the others; the time until the next session counts from now. A process that waits
        for its shards may call this, too, once `take` has returned.
        """

    async def take_place(self, person_id: int) -> bool:
        """Take the place of a person whom any process may serve, one at a time, unless this process has it. If another
        one has it, ask for it and wait a little.

        Returns whether this process has it now.

        Raises:
            StoreError: if the database can't be used for this.
        """
        return True

    def has_place(self, person_id: int) -> bool:
        """Whether this process has a person's place, as far as it knows: another one may just have been given it."""
        return True

    async def leave_place(self, person_id: int) -> None:
        """Let other processes have a person's place; this process may write nothing of theirs after that."""

    async def close(self) -> None:
        """Release the shards, after the last write. Safe to call twice, and without `acquire`."""


async def never() -> None:
    await asyncio.get_running_loop().create_future()


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
