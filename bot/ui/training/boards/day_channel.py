"""Servers' messages with the day's position: posted at their hour, brought up to date, replaced where nobody clicks.

What a message needs is decided in `day_step`. A row is stored right after its message is posted; the message's nonce is
the same in every attempt on that day, so a bot that stops in between posts no second one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.store import DayChannel, Stopped, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.pace import spread
from bot.ui.kit.replaced import PATIENT_SECONDS
from bot.ui.kit.tools import Tools
from bot.ui.layout import Layout
from bot.ui.training.boards.day_message_state import DayMessageState
from bot.ui.training.boards.day_page import DayPages
from bot.ui.training.boards.day_step import DayShown, Step, due_at, next_look, next_post, next_step, over_at
from bot.ui.transport.channels import NOBODY
from bot.ui.transport.files import Files, Sent
from bot.ui.transport.pacer import Ticket
from bot.ui.transport.shown import Shown
from bot.ui.transport.trouble import NETWORK, UNKNOWN_MESSAGE, Trouble, trouble_of
from bot.ui.transport.turns import Priority

log = logging.getLogger(__name__)

USUAL_HOUR: Final = 7
"""The hour (UTC) of a server's messages until it chooses another: early, as the position changes at midnight."""
AT_ONCE: Final = 8
"""How many servers' messages are looked after at the same time."""
AGAIN: Final = timedelta(minutes=1)
"""How long to wait before trying again after a failure, doubled after each further one; also how often to check whether
the bot is back in a server."""
LONGEST_WAIT: Final = timedelta(hours=1)
AFTER_START: Final = timedelta(minutes=2)
"""Within this time after a start, all servers get what they missed meanwhile: while Discord still knows the nonce of a
message that the bot before this one posted but couldn't note."""
_MOST_DOUBLINGS: Final = 6


class DayBoards:
    """The messages of all servers of this process.

    Args:
        tools: what messages are sent with.
        pages: what they show.
    """

    def __init__(self, tools: Tools, pages: DayPages) -> None:
        self._tools, self._pages = tools, pages
        self._store, self._clock = tools.store.day_channels, tools.clock
        self._states: dict[int, DayMessageState] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def start(self) -> None:
        """Look after the servers of this process from now on.

        Raises:
            StoreError: if their rows can't be read.
        """
        now = self._clock.now()
        for row in await self._store.all(self._tools.manager.shards):
            known = DayShown(differs=True, edited_at=now)  # nobody knows what has happened since the last edit
            not_before = now + AFTER_START * 4 * spread(row.guild_id)
            self._states[row.guild_id] = DayMessageState(row, known, not_before=not_before)
        self._schedule()

    # ------------------------------------------------------------------ what people do
    def row_of(self, guild_id: int) -> DayChannel | None:
        """A server's choices; None while its message is turned off."""
        state = self._states.get(guild_id)
        return None if state is None else state.row

    def next_at(self, row: DayChannel) -> datetime:
        """When a server's next message comes."""
        return next_post(row, self._clock.now())

    async def choose(
        self, guild_id: int, locale: str, *, channel_id: int | None = None, hour: int | None = None
    ) -> None:
        """Choose the message's channel or hour, effective the next time that hour comes.

        `locale`: the language of the person who chooses.

        Raises:
            Refusal: if the message is turned off and no channel is given, or the choice can't be stored.
        """
        state = self._states.get(guild_id)
        if state is None:
            if channel_id is None:
                raise Refusal(RefusalCode.STALE)
            state = DayMessageState(DayChannel(guild_id, channel_id, USUAL_HOUR, locale))
        async with state.lock:
            row = replace(
                state.row,
                channel_id=channel_id or state.row.channel_id,
                hour=state.row.hour if hour is None else hour,
                locale=locale,
                unused=0,
                stopped=None,
            )
            now = self._clock.now()
            today = now.date()
            if row.channel_id != state.row.channel_id or state.row.stopped is not None:
                row, state.known, state.shown = replace(row, message_id=None), DayShown(), Shown()
            if (row.day is None or row.day < today) and now >= due_at(row, today):
                row = replace(row, day=today, message_id=None)  # choosing doesn't post it at once
            try:
                await self._store.put(row)
            except StoreError as error:
                raise Refusal(RefusalCode.UNAVAILABLE) from error
            state.row, state.stored, state.not_before, state.failures = row, True, None, 0
            self._states[guild_id] = state
        self._schedule()

    async def turn_off(self, guild_id: int) -> None:
        """Send a server no more messages; the latest stays as it is.

        Raises:
            Refusal: if that can't be stored.
        """
        state = self._states.get(guild_id)
        async with nullcontext() if state is None else state.lock:  # a post under way would store its row again
            try:
                await self._store.drop(guild_id)
            except StoreError as error:
                raise Refusal(RefusalCode.UNAVAILABLE) from error
            self._states.pop(guild_id, None)

    def posted_today(self, row: DayChannel) -> bool:
        return row.day == self._clock.now().date() and row.message_id is not None

    async def post_now(self, guild_id: int) -> bool:
        """Post today's message unless it is there already; returns whether it is there now."""
        state = self._states.get(guild_id)
        if state is None or state.row.stopped is not None:
            return False
        async with state.lock:
            if self._states.get(guild_id) is state and not self.posted_today(state.row):
                await self._try(state, Step.POST)
            posted = self.posted_today(state.row)
        self._schedule()
        return posted

    def clicked(self, guild_id: int) -> None:
        """Note that somebody on a server has opened or answered the day's position, so its message may change."""
        state = self._states.get(guild_id)
        if state is None:
            return
        state.known = replace(state.known, differs=True)
        if state.row.unused:
            state.row, state.stored = replace(state.row, unused=0), False  # stored with the lock, by `_attend`
        self._schedule()

    def look_again(self) -> None:
        """Bring all messages up to date: somebody was erased who may be named in any of them."""
        for state in self._states.values():
            state.known = replace(state.known, differs=True)
        self._schedule()

    # ------------------------------------------------------------------ looking after the messages
    def _schedule(self) -> None:
        times = [at for state in self._states.values() if (at := self._look_at(state)) is not None]
        if times and not self._tools.manager.closing:
            self._clock.schedule("day channels", min(times), self._look)

    def _look_at(self, state: DayMessageState) -> datetime | None:
        if state.queued or state.lock.locked():
            return None  # it is being looked after; the next time is set afterwards
        now = self._clock.now()
        at = next_look(state.row, state.known, now) if state.stored else now
        return at if at is None or state.not_before is None else max(at, state.not_before)

    async def _look(self) -> None:
        now = self._clock.now()
        due = [state for state in self._states.values() if (at := self._look_at(state)) is not None and at <= now]
        for state in due:
            state.queued = True
        await asyncio.gather(*(self._attend(state) for state in due))
        self._schedule()

    async def _attend(self, state: DayMessageState) -> None:
        async with self._slots, state.lock:
            state.queued = False
            guild_id = state.row.guild_id
            if self._states.get(guild_id) is not state or self._tools.manager.closing:
                return
            if self._pages.guild_of(guild_id) is None:
                state.absent, state.not_before = True, self._clock.now() + AGAIN
                return
            if state.absent and not await self._is_back(state):
                return
            if not state.stored:
                await self._keep(state, state.row)
            await self._try(state, next_step(state.row, state.known, self._clock.now()))

    async def _is_back(self, state: DayMessageState) -> bool:
        """Whether a server that the bot is back in still has its row, which may have been deleted meanwhile."""
        try:
            row = await self._store.get(state.row.guild_id)
        except StoreError as error:
            self._wait(state, error)
            return False
        if row is None:
            del self._states[state.row.guild_id]
            return False
        state.row, state.absent = row, False
        return True

    async def _try(self, state: DayMessageState, step: Step) -> None:
        """Do what is due in a server's channel; what fails is tried again later, unless the channel is closed to us."""
        differs = state.known.differs
        try:
            match step:
                case Step.POST | Step.REPLACE:
                    await self._post(state, replaces=step is Step.REPLACE)
                case Step.EDIT:
                    await self._edit(state)
                case Step.STOP:
                    await self._say_stopped(state)
                case Step.NOTHING:
                    return
        except StoreError as error:
            self._wait(state, error)
        except NETWORK as error:
            await self._refused(state, step, error)
        except Exception as error:  # whatever it is, the other servers must get their messages
            log.exception("Channel %s: the day's position could not be shown", state.row.channel_id)
            self._wait(state, error)
        else:
            state.failures, state.not_before = 0, None
            return
        if step is Step.EDIT:
            state.known = replace(state.known, differs=differs)

    async def _post(self, state: DayMessageState, *, replaces: bool) -> None:
        today, before = self._clock.now().date(), state.row
        if before.message_id is not None and not before.unused and not state.known.final:
            try:
                await self._edit(state)  # for the last time: after this it no longer grows
            except NETWORK as error:
                log.debug("A message with a day's position stays as it is (%s)", type(error).__name__)
        layout = await self._pages.day(state.row, today, over=False)
        shown = Shown()
        sent = await self._send(state, layout, shown, nonce=f"d{before.channel_id}{today:%m%d}")
        state.known, state.shown = DayShown(posted_at=self._clock.now()), shown
        unused = state.row.unused  # somebody may have clicked meanwhile
        await self._keep(state, replace(state.row, message_id=sent.message_id, day=today, unused=unused + 1))
        if replaces and unused:
            await self._delete(before)

    async def _say_stopped(self, state: DayMessageState) -> None:
        before = state.row
        layout = await self._pages.stopped(before)
        await self._send(state, layout, Shown(), nonce=f"s{before.channel_id}{before.day:%m%d}")
        await self._keep(state, replace(state.row, stopped=Stopped.UNUSED, message_id=None))
        await self._delete(before)

    async def _send(self, state: DayMessageState, layout: Layout, shown: Shown, *, nonce: str) -> Sent:
        row, tools = state.row, self._tools
        layout = await tools.gallery.illustrated(layout, row.channel_id, PATIENT_SECONDS, editing=False)
        async with tools.channels.turn(row, Priority.POST) as ticket:

            async def send(each: Layout) -> Sent:
                return await tools.channels.post(ticket, row, each, nonce=nonce, allowed_mentions=NOBODY)

            return await tools.gallery.post(row.channel_id, layout, shown, send)

    async def _edit(self, state: DayMessageState) -> None:
        """Bring the latest message up to date, unless it shows everything."""
        row, now, tools = state.row, self._clock.now(), self._tools
        assert row.message_id is not None, "there is a message to edit"
        assert row.day is not None, "a message is about a day"
        message_id, final = row.message_id, now >= over_at(row, row.day)
        state.known = replace(state.known, differs=False)
        layout = await self._pages.day(row, row.day, over=final)
        layout = await tools.gallery.illustrated(layout, row.channel_id, PATIENT_SECONDS, editing=True)
        if not state.shown.shows(layout.digest):
            async with tools.channels.turn(row, Priority.LEFT_BEHIND) as ticket:
                await tools.gallery.edit(row.channel_id, layout, state.shown, self._editing(ticket, row, message_id))
        state.known = replace(state.known, final=final, edited_at=now)

    def _editing(self, ticket: Ticket, row: DayChannel, message_id: int) -> Callable[[Layout, Files], Awaitable[Sent]]:
        return lambda each, files: self._tools.channels.edit(ticket, row, message_id, each, files)

    async def _delete(self, row: DayChannel) -> None:
        """Delete a message that nobody has clicked; nothing depends on whether that succeeds."""
        if row.message_id is None:
            return
        try:
            async with self._tools.channels.turn(row, Priority.LEFT_BEHIND, edits=False) as ticket:
                await self._tools.channels.delete(ticket, row, row.message_id)
        except NETWORK as error:
            log.debug("An unused message with a day's position stays (%s)", type(error).__name__)

    # ------------------------------------------------------------------ when something fails
    async def _refused(self, state: DayMessageState, step: Step, error: BaseException) -> None:
        if step is Step.EDIT and getattr(error, "code", 0) == UNKNOWN_MESSAGE:
            await self._keep(state, replace(state.row, message_id=None))  # somebody has deleted it
            return
        trouble = trouble_of(error)
        if trouble in (Trouble.SILENCED, Trouble.GONE):
            why = Stopped.GONE if trouble is Trouble.GONE else Stopped.FORBIDDEN
            log.info("Channel %s: the day's position is no longer posted there (%s)", state.row.channel_id, why)
            await self._keep(state, replace(state.row, stopped=why, message_id=None))
            return
        self._wait(state, error)

    def _wait(self, state: DayMessageState, error: BaseException) -> None:
        wait = min(AGAIN * 2 ** min(state.failures, _MOST_DOUBLINGS), LONGEST_WAIT)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, timedelta(seconds=error.retry_after))
        state.failures += 1
        state.not_before = self._clock.now() + wait * (1 + spread(state.row.guild_id))
        log.warning(
            "Channel %s: the day's position could not be shown (%s); trying again in %.0f s",
            state.row.channel_id,
            type(error).__name__,
            wait.total_seconds(),
        )

    async def _keep(self, state: DayMessageState, row: DayChannel) -> None:
        """Set a server's row, and store it; until that succeeds, it is tried again."""
        if self._states.get(row.guild_id) is not state:
            return  # it has been turned off
        state.row = row
        try:
            await self._store.put(row)
            state.stored = True
        except StoreError as error:
            state.stored = False
            self._wait(state, error)
