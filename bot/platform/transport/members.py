"""Membership of servers, asked of Discord and remembered for a while: the bot itself keeps no members."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

import discord
from cachetools import TTLCache

from bot.platform.transport.trouble import NETWORK, UNKNOWN_MEMBER, UNKNOWN_USER, is_shut_out

log = logging.getLogger(__name__)

KEPT: Final = timedelta(minutes=10)
"""The time for which Discord's answer is remembered."""
_ASK_SECONDS: Final = 0.8
"""Seconds to ask Discord: a click waits for that."""
_NOBODY: Final = (UNKNOWN_MEMBER, UNKNOWN_USER)
_MOST: Final = 10_000
"""Answers that are remembered at most."""


class Members:
    """The memberships of people on servers, as Discord tells them. In doubt somebody is one: it is their own seat."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime]) -> None:
        self._client = client
        self._known: TTLCache[tuple[int, int], bool, datetime] = TTLCache(_MOST, KEPT, now)

    async def has(self, guild_id: int | None, person_id: int) -> bool:
        """Whether a person is a member; a table without a server is open to whoever sits there."""
        if guild_id is None:
            return True
        known = self._known.get((guild_id, person_id))
        if known is not None:
            return known
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                await self._client.http.get_member(guild_id, person_id)
        except NETWORK as error:
            if not (is_shut_out(error) or getattr(error, "code", 0) in _NOBODY):
                log.info("Could not ask for a member (%s)", type(error).__name__)
                return True
            belongs = False
        else:
            belongs = True
        self._known[guild_id, person_id] = belongs
        return belongs

    async def among(self, guild_ids: Iterable[int | None], person_id: int) -> set[int | None]:
        """Find out on which of some servers a person is a member."""
        each_once = list(dict.fromkeys(guild_ids))
        found = await asyncio.gather(*(self.has(guild_id, person_id) for guild_id in each_once))
        return {guild_id for guild_id, belongs in zip(each_once, found, strict=True) if belongs}
