"""Ownership of a database file: an operating system lock on a file beside it, which ends with the process."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from bot.store.errors import unavailable
from bot.store.ownership.port import Heard, Held, never

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 0.25
"""Pause between attempts to take a lock that another process has."""


def lock_of(path: Path) -> FileLock:
    """A database file's lock, not taken yet. Commands that only read, such as `check` and `backup`, need none."""
    return FileLock(f"{path}.lock", thread_local=False)


class FileOwner:
    """Owns all shards while it holds the lock, which nobody can take away."""

    waits_for_turns = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = lock_of(path)
        self._closed = False
        self.held = Held.NO

    async def acquire(self, heard: Heard) -> None:
        """Wait for the lock. Nobody else writes to the file, so there is no news."""
        while True:
            if self._closed:
                await never()
            try:
                self._lock.acquire(blocking=False)
                break
            except Timeout:
                if self.held is not Held.WAITING:
                    log.warning("Another bot uses %s: waiting until it ends", self._path)
                self.held = Held.WAITING
            except OSError as error:
                raise unavailable(error, f"cannot lock {self._lock.lock_file}") from error
            await asyncio.sleep(AGAIN_SECONDS)
        self.held = Held.YES

    async def confirm(self) -> None:
        """Return at once: the operating system doesn't take the lock away."""

    async def lost(self) -> None:
        """Never."""
        await never()

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Discord's library waits by itself, in this one process."""

    async def close(self) -> None:
        self._closed = True
        self._lock.release()
        self.held = Held.NO
