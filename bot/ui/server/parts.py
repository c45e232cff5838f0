"""The parts that the handlers of a server's and a person's settings use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.platform.operating.meter import Status
from bot.store.training.channels import DayChannel
from bot.tables.server.erasure import DataRequests
from bot.tournaments.director import TournamentDirector


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
    """The questions of settings and privacy to the rest of the bot.

    Attributes:
        status: tells the bot's owner how it is doing.
        data_requests: the people whose data is being collected or erased.
        tournaments: those that an erased person leaves.
        erased: told the id of a person whose stored data is gone, so that nothing of it stays in memory.
    """

    status: Callable[[], Awaitable[Status]]
    data_requests: DataRequests
    day_messages: DayMessages
    tournaments: TournamentDirector
    erased: Callable[[int], None]
