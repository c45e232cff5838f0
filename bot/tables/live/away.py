"""The times in which the bot wasn't in a server: all clocks there stood still."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.outside import read_json

log = logging.getLogger(__name__)

_NOTED: Final = "away:"
"""The key under which a server's times are noted, followed by its id."""
KEPT: Final = timedelta(days=60)
"""The time for which one is kept: longer than anything that was begun before it waits."""


def away_key(guild_id: int) -> str:
    """The store's key for the times in which the bot wasn't in a server."""
    return f"{_NOTED}{guild_id}"


class AwayTimes:
    """The times by server, each in seconds since 1970, and noted in the store."""

    def __init__(self, values: KeyValues, now: Callable[[], datetime]) -> None:
        self._values = values
        self._now = now
        self._times: dict[int, list[tuple[float, float]]] = {}

    async def load(self) -> None:
        """Read what is noted. Raises StoreError if it can't be read."""
        for guild_id, text in (await self._values.of(_NOTED)).items():
            try:
                self._times[int(guild_id)] = [(float(left), float(back)) for left, back in read_json(text)]
            except (ValueError, TypeError):
                log.warning("The times in which the bot wasn't in server %s can't be read", guild_id)

    def of(self, guild_id: int | None) -> Sequence[tuple[float, float]]:
        return self._times.get(guild_id or 0, ())

    async def note(self, guild_id: int, left_at: datetime) -> None:
        """Note that the bot has come back to a server now."""
        now = self._now().timestamp()
        kept = [each for each in self.of(guild_id) if each[1] > now - KEPT.total_seconds()]
        self._times[guild_id] = [*kept, (left_at.timestamp(), now)]
        try:
            await self._values.set(away_key(guild_id), json.dumps(self._times[guild_id]))
        except StoreError as error:
            log.warning("How long the bot was away from a server could not be noted: %s", error)

    def drop(self, guild_id: int) -> None:
        """Forget a server, whose data is deleted."""
        self._times.pop(guild_id, None)
