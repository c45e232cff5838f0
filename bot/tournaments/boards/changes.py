"""Tells everybody in a tournament's channel what its organiser has changed: in one message of each kind, not many."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import discord
from discord.utils import snowflake_time

from bot.platform.kit.live_message import is_old
from bot.platform.kit.tools import Tools
from bot.platform.transport.channels import NOBODY, Place
from bot.platform.transport.trouble import NETWORK, UNKNOWN_MESSAGE, trouble_of
from bot.platform.transport.turns import Priority

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 60.0
"""Seconds until a change is told after Discord couldn't be reached."""


class Changed(StrEnum):
    """A kind of change."""

    SETUP = "c"
    START = "d"


@dataclass(slots=True)
class _Notice:
    """The message of a kind: what it is to say, and what it says."""

    text: str = ""
    said: str = ""
    message_id: int | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ChangeNotices:
    """The messages about a tournament's changes. One that is edited notifies nobody, and takes no room.

    Args:
        tools: sends them.
        place: the tournament's channel.
        number: the tournament's id.
    """

    def __init__(self, tools: Tools, place: Place, number: int) -> None:
        self._tools = tools
        self._place = place
        self._number = number
        self._notices = {kind: _Notice() for kind in Changed}

    def tell(self, kind: Changed, text: str) -> None:
        """Tell of a change. If an earlier one of the kind isn't told yet, this one is told instead."""
        notice = self._notices[kind]
        notice.text = text
        self._tools.spawn(self._send(kind, notice))

    async def _send(self, kind: Changed, notice: _Notice) -> None:
        key = ("change", self._number, kind)
        try:
            async with notice.lock:
                while notice.said != notice.text:
                    try:
                        await self._bring_up_to_date(kind, notice)
                    except discord.HTTPException as error:
                        if notice.message_id is None or error.code != UNKNOWN_MESSAGE:
                            raise
                        notice.message_id = None
        except NETWORK as error:
            log.info("Tournament %s: a change isn't told (%s)", self._number, type(error).__name__)
            if trouble_of(error).passes:
                self._tools.clock.after(key, AGAIN_SECONDS, lambda: self._send(kind, notice))

    async def _bring_up_to_date(self, kind: Changed, notice: _Notice) -> None:
        channels, place, now = self._tools.channels, self._place, self._tools.clock.now()
        if notice.message_id is not None and is_old(snowflake_time(notice.message_id), now):
            notice.message_id = None
        priority = Priority.POST if notice.message_id is None else Priority.LEFT_BEHIND
        async with channels.turn(place, priority) as ticket:
            text = notice.text
            if notice.message_id is None:
                nonce = f"{kind}{self._number}-{now.timestamp():.0f}"
                notice.message_id = await channels.post_text(ticket, place, text, nonce=nonce, allowed_mentions=NOBODY)
            else:
                await channels.edit_text(ticket, place, notice.message_id, text, allowed_mentions=NOBODY)
            notice.said = text
