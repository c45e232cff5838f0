"""Servers' messages with the day's position: which servers have one, and what their managers choose."""

import asyncio
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Final

from bot.platform.clock import spread
from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Tools
from bot.platform.kit.live_message import finish
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.shards import Shards
from bot.training.boards.day_message import LiveDayMessage
from bot.training.boards.day_page import DayPages, is_posted, next_post
from bot.training.store.days import DayChannel, DayChannels

USUAL_HOUR: Final = 7
"""The hour (UTC) of a server's messages until it chooses another: early, as the position changes at midnight."""
AT_ONCE: Final = 8
"""Servers whose messages are looked after at the same time."""
AFTER_START: Final = timedelta(minutes=2)
"""Within this time after a start, all servers get what they missed meanwhile: while Discord still knows the nonce of a
message that the bot before this one posted but couldn't note."""


class DayBoards:
    """The messages of all servers of this process.

    Args:
        tools: what messages are sent with.
        store: keeps the rows of servers.
        pages: what they show.
    """

    def __init__(self, tools: Tools, store: DayChannels, pages: DayPages, shards: Shards) -> None:
        self._tools, self._pages, self._shards = tools, pages, shards
        self._store, self._clock = store, tools.clock
        self._messages: dict[int, LiveDayMessage] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def start(self) -> None:
        """Look after the servers of this process from now on. Raises StoreError if their rows can't be read."""
        now = self._clock.now()
        for row in await self._store.all(self._shards):
            self._messages[row.guild_id] = message = self._message(row)
            message.recall(now + AFTER_START * 4 * spread(row.guild_id))

    def _message(self, row: DayChannel) -> LiveDayMessage:
        return LiveDayMessage(
            row, self._tools, self._store, self._pages, self._slots, lambda: self._messages.pop(row.guild_id, None)
        )

    def row_of(self, guild_id: int) -> DayChannel | None:
        """A server's choices; None while its message is turned off."""
        message = self._messages.get(guild_id)
        return None if message is None else message.row

    def next_at(self, row: DayChannel) -> datetime:
        """Tell when a server's next message comes."""
        return next_post(row, self._clock.now())

    async def choose(
        self, guild_id: int, locale: str, *, channel_id: int | None = None, hour: int | None = None
    ) -> None:
        """Choose the message's channel or hour, effective the next time that hour comes.

        `locale`: the language of the person who chooses.

        Raises Refusal if the message is turned off and no channel is given, or the choice can't be stored.
        """
        message = self._messages.get(guild_id)
        if message is None:
            if channel_id is None:
                raise Refusal(CommonRefusal.STALE)
            message = self._message(DayChannel(guild_id, channel_id, USUAL_HOUR, locale))
        await message.choose(locale, channel_id, hour)
        self._messages[guild_id] = message

    async def turn_off(self, guild_id: int) -> None:
        """Send a server no more messages; the latest stays as it is. Raises Refusal if that can't be stored."""
        message = self._messages.get(guild_id)
        async with nullcontext() if message is None else message.lock:  # a post under way would store its row again
            try:
                await self._store.drop(guild_id)
            except StoreError as error:
                raise Refusal(CommonRefusal.UNAVAILABLE) from error
            if message is not None:
                message.drop()
            self._messages.pop(guild_id, None)

    def posted_today(self, row: DayChannel) -> bool:
        return is_posted(row, self._clock.now())

    async def post_now(self, guild_id: int) -> bool:
        """Post today's message unless it is there already; returns whether it is there now."""
        message = self._messages.get(guild_id)
        return message is not None and await message.post_now()

    def clicked(self, guild_id: int) -> None:
        """Note that somebody on a server has opened or answered the day's position, so its message may change."""
        message = self._messages.get(guild_id)
        if message is not None:
            message.note_change(clicked=True)

    def look_again(self) -> None:
        """Bring all messages up to date: somebody was erased who may be named in any of them."""
        for message in self._messages.values():
            message.note_change(clicked=False)

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        await finish(self._messages.values())
