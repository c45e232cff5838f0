"""The parts that the handlers of a server's and a person's settings use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.platform.operating.meter import Status
from bot.store.training.channels import DayChannel


class DayMessages(Protocol):
    """The servers' messages with the day's position."""

    def row_of(self, guild_id: int) -> DayChannel | None: ...

    def next_at(self, row: DayChannel) -> datetime: ...

    def posted_today(self, row: DayChannel) -> bool: ...

    async def choose(
        self, guild_id: int, locale: str, *, channel_id: int | None = None, hour: int | None = None
    ) -> None: ...

    async def post_now(self, guild_id: int) -> bool: ...

    async def turn_off(self, guild_id: int) -> None: ...


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The questions of settings to the rest of the bot. `status`: tells the bot's owner how it is doing."""

    status: Callable[[], Awaitable[Status]]
    day_messages: DayMessages
