"""Tells players on their panels that the bot is stopping, if there is time: until it is back, nothing answers there.

Where another process takes over without a pause, there is nothing to tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Protocol

FAREWELL_SECONDS: Final = 1.0
"""Seconds that all of this may take."""
AT_ONCE: Final = 20
"""Panels that are edited at the same time. These edits count against no budget of requests."""


class Notifiable(Protocol):
    """Something that can tell a player that the bot is stopping."""

    async def say_back_soon(self) -> None:
        """Say that the bot is stopping and will be back; never raises."""
        ...


async def say_back_soon(panels: Iterable[Notifiable], seconds: float = FAREWELL_SECONDS) -> None:
    """Say so on all of these panels, or on as many as there is time for."""
    left = iter(list(panels))

    async def tell() -> None:
        for panel in left:
            await panel.say_back_soon()

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(tell() for _ in range(AT_ONCE)))
