"""A database file has one process: a lock of the operating system on a file beside it, which ends with its process."""

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
"""How often a lock that another process has is asked for."""


def lock_of(path: Path) -> FileLock:
    """The lock of a database file, not taken yet. Whoever reads beside the bot, as `check` and `backup`, needs none."""
    return FileLock(f"{path}.lock", thread_local=False)


class FileOwner:
    """Has all shards while it has the lock. Nobody can take that away."""

    waits_for_turns = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = lock_of(path)
        self._closed = False
        self.held = Held.NO

    async def acquire(self, heard: Heard) -> None:
        """Wait for the lock. Nobody else writes there: there are no news."""
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
        """The operating system doesn't take it away."""

    async def lost(self) -> None:
        """Never."""
        await never()

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Discord's library waits by itself, in this one process."""

    async def close(self) -> None:
        """Let the next one have it."""
        self._closed = True
        self._lock.release()
        self.held = Held.NO
