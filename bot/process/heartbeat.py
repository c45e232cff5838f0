"""The heartbeat file, by which `python -m bot health` knows that the bot is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.platform.clock import Clock

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS: Final = 30


class Heartbeat:
    """Touches a file at intervals while the gateway is connected."""

    def __init__(self, path: Path, clock: Clock, reachable: Callable[[], bool]) -> None:
        self._path = path
        self._clock = clock
        self._reachable = reachable

    async def beat(self) -> None:
        """Touch the file if the bot is connected, and schedule the next beat."""
        connected = self._reachable()
        try:
            if connected:
                await asyncio.to_thread(Path.touch, self._path)
        except OSError as error:
            log.warning("Can't write the heartbeat file: %s", error)
        finally:
            self._clock.after("heartbeat", HEARTBEAT_SECONDS if connected else 1, self.beat)

    def remove(self) -> None:
        """Delete the file, now that the bot has stopped."""
        with suppress(OSError):  # a disk that can't be written has been reported already
            self._path.unlink(missing_ok=True)
