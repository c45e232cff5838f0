"""A server's message with the day's position: what it shows and needs, and its row in the store.

What it needs is decided in `day_step`. The row is stored right after a message is posted; the message's nonce is the
same in every attempt on that day, so a bot that stops in between posts no second one.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.channel_access import Backoff
from bot.platform.kit.host import Tools
from bot.platform.kit.live_message import LiveMessage, MessageStep, Need
from bot.platform.layout import Layout
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.channels import everybody_of
from bot.platform.transport.files import Shown
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.trouble import NETWORK, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from bot.training.boards.day_page import DayPages, DayShown, due_at, is_last, is_posted, next_look, next_step, over_at
from bot.training.screens.day_message import calling
from bot.training.store.days import DayChannel, DayChannels, Stopped

log = logging.getLogger(__name__)

AGAIN: Final = timedelta(minutes=1)
"""Wait before another attempt after a failure, doubled after each further one; also how often to check whether
the bot is back in a server."""
LONGEST_WAIT: Final = timedelta(hours=1)
TRIED: Final = timedelta(days=3)
"""How long a message is tried again in a channel that takes none, until a manager has to choose one."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A server's row, what is known of its message, and what that needs now.

    `last`: whether the message to be posted says that no more come.
    """

    row: DayChannel
    known: DayShown
    now: datetime
    step: MessageStep
    last: bool

    @property
    def day(self) -> date:
        """The day of what is shown."""
        posts = self.step in (MessageStep.POST, MessageStep.REPLACE)
        return self.now.date() if posts or self.row.day is None else self.row.day

    @property
    def over(self) -> bool:
        """Whether that day is over."""
        return self.now >= over_at(self.row, self.day)


class LiveDayMessage(LiveMessage[DayView]):
    """Keeps a server's message up to date.

    Args:
        row: the server's choices, and its latest message.
        tools: what messages are sent with.
        store: keeps the row.
        pages: what they show.
        slots: limits how many servers' messages are looked after at the same time.
        forget: called if the row turns out to have been deleted.

    Attributes:
        lock: held while the message or its row changes.
    """

    def __init__(
        self,
        row: DayChannel,
        tools: Tools,
        store: DayChannels,
        pages: DayPages,
        slots: asyncio.Semaphore,
        forget: Callable[[], object],
    ) -> None:
        backoff = Backoff(row.guild_id, AGAIN.total_seconds(), LONGEST_WAIT.total_seconds())
        super().__init__(tools, "The day's position of server", row.guild_id, backoff)
        self.row = row
        self.lock = asyncio.Lock()
        self._store = store
        self._pages = pages
        self._slots = slots
        self._forget = forget
        self._known = DayShown()
        self._stored = True
        """Whether the store has the row as it is."""
        self._absent = False
        """Whether the bot wasn't in the server when the message was last looked after."""
        self._posts_now = False
        """Whether somebody wants today's message at once."""
        self._dropped = False
        self._called: list[int] = []
        """The people whom the message being posted mentions."""

    def recall(self, not_before: datetime) -> None:
        """Look after the message from that time on, after a restart."""
        self.recalled = True
        # It is unknown what has happened since the last edit.
        self._known = DayShown(differs=True, edited_at=self._tools.clock.now())
        self.access.close_until(not_before)

    # ------------------------------------------------------------------ what people do
    async def choose(self, locale: str, channel_id: int | None, hour: int | None) -> None:
        """Choose the channel or hour; see `DayBoards.choose`."""
        async with self.lock:
            before, now = self.row, self._tools.clock.now()
            row = replace(
                before,
                channel_id=channel_id or before.channel_id,
                hour=before.hour if hour is None else hour,
                locale=locale,
                unused=0,
                stopped=None,
            )
            elsewhere = row.channel_id != before.channel_id or before.stopped is not None
            if elsewhere:
                row = replace(row, message_id=None)
            if (row.day is None or row.day < now.date()) and now >= due_at(row, now.date()):
                row = replace(row, day=now.date(), message_id=None)  # choosing doesn't post it at once
            try:
                await self._store.put(row)
            except StoreError as error:
                raise Refusal(CommonRefusal.UNAVAILABLE) from error
            if elsewhere:
                self._known, self.shown = DayShown(), Shown()
            self.row = row
            self._stored = True
            self._dropped = False
        self.access.open()
        self.surface.reopen()
        self.surface.invalidate()

    def drop(self) -> None:
        """Show nothing more, as the row is deleted."""
        self._dropped = True
        self.surface.close()

    async def post_now(self) -> bool:
        """Post today's message unless it is there already; returns whether it is there now."""
        if self.row.stopped is not None:
            return False
        self._posts_now = True
        self.access.open()
        self.surface.invalidate()
        try:
            await self.surface.settle()
        finally:
            self._posts_now = False
        return is_posted(self.row, self._tools.clock.now())

    def note_change(self, *, clicked: bool) -> None:
        """Note that the message may have to change; `clicked`: because somebody has opened or answered the position."""
        self._known = replace(self._known, differs=True)
        if clicked and self.row.unused:
            self.row, self._stored = replace(self.row, unused=0), False  # stored with the lock, by `_is_ready`
        self.surface.invalidate()

    # ------------------------------------------------------------------ what it shows and needs
    @property
    def place(self) -> DayChannel:
        return self.row

    @property
    def message_id(self) -> int | None:
        return self.row.message_id

    def view(self) -> DayView:
        now = self._tools.clock.now()
        at_once = self._posts_now and not is_posted(self.row, now)
        step = MessageStep.POST if at_once else next_step(self.row, self._known, now)
        return DayView(self.row, self._known, now, step, last=not at_once and is_last(self.row))

    def need(self, view: DayView, *, shows: bool = False) -> Need:
        if self._tools.closing():
            return Need(MessageStep.WAIT)
        if view.step is MessageStep.NOTHING:
            return Need(MessageStep.WAIT, look_at=next_look(view.row, view.known, view.now))
        if view.step is MessageStep.EDIT:
            return Need(MessageStep.NOTHING if shows else MessageStep.EDIT, Priority.LEFT_BEHIND)
        return Need(view.step, Priority.POST)

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Ticket | None]:
        async with self._slots, self.lock:
            if not await self._is_ready():
                yield None
                return
            async with super().turn() as ticket:
                yield ticket

    async def _is_ready(self) -> bool:
        """Whether the server still wants the message, and the bot is in it."""
        if self._dropped or self._tools.closing():
            return False
        if self._pages.guild_of(self.row.guild_id) is None:
            self._absent = True
            self.access.close_until(self._tools.clock.now() + AGAIN)
            return False
        if self._absent and not await self._is_back():
            return False
        if not self._stored:
            await self._keep(self.row)
        return True

    async def _is_back(self) -> bool:
        """Whether a server that the bot is back in still has its row, which may have been deleted meanwhile."""
        try:
            row = await self._store.get(self.row.guild_id)
        except StoreError as error:
            self.access.retry_after(error)
            return False
        if row is None:
            self.drop()
            self._forget()
            return False
        self.row, self._absent = row, False
        return True

    async def layout(self, view: DayView) -> Layout:
        posts = view.step is not MessageStep.EDIT
        stops = view.last and posts
        self._called = await self._pages.called(view.row, view.day) if posts and not stops else []
        if stops:
            return await self._pages.stopped(view.row)
        return calling(await self._pages.day(view.row, view.day, over=view.over), self._called)

    def mentions(self, view: DayView, *, posting: bool) -> discord.AllowedMentions:
        return everybody_of(self._called if posting else ())

    def first_nonce(self, view: DayView) -> str:
        return f"{'s' if view.last else 'd'}{view.row.channel_id}{view.day:%m%d}"

    nonce = first_nonce  # whether or not the message before it is noted

    async def _post(self, view: DayView, step: MessageStep, layout: Layout, ticket: Ticket) -> None:
        row, shown = view.row, self.shown.picture_only()
        if row.message_id is not None and row.day is not None and not row.unused and not view.known.final:
            # for the last time: after this it no longer grows
            await self.leave(row.message_id, await self._pages.day(row, row.day, over=True), shown)
        await super()._post(view, step, layout, ticket)
        if step is MessageStep.REPLACE and row.message_id is not None and (view.last or self.row.unused > 1):
            await self._delete(row.message_id)

    async def adopt(self, view: DayView, step: MessageStep, message_id: int | None) -> None:
        if view.last:
            await self._keep(replace(self.row, stopped=Stopped.UNUSED, message_id=None))
            return
        # Somebody may have clicked meanwhile.
        self._known = DayShown(differs=self._known is not view.known, posted_at=self._tools.clock.now())
        await self._keep(replace(self.row, message_id=message_id, day=view.day, unused=self.row.unused + 1))

    async def _delete(self, message_id: int) -> None:
        """Delete a message that nobody has clicked; nothing depends on whether that succeeds."""
        try:
            async with self._tools.channels.turn(self.row, Priority.LEFT_BEHIND, edits=False) as ticket:
                await self._tools.channels.delete(ticket, self.row, message_id)
        except NETWORK as error:
            log.debug("Could not delete an unused daily-position message (%s)", type(error).__name__)

    def reposts(self, view: DayView, code: int) -> bool:
        return False

    async def done(self, view: DayView) -> None:
        if view.step is MessageStep.EDIT:
            differs = self._known is not view.known  # something has happened meanwhile
            self._known = replace(self._known, differs=differs, final=view.over, edited_at=view.now)
        self.surface.invalidate()  # to learn when to look again

    async def refused(self, view: DayView, error: BaseException) -> None:
        if view.step is MessageStep.EDIT and getattr(error, "code", 0) == UNKNOWN_MESSAGE:
            await self._keep(replace(self.row, message_id=None))  # somebody has deleted it
            self.surface.invalidate()
        else:
            self.access.retry_after(error)

    async def unseen(self, view: DayView, refused_for: timedelta) -> None:
        if refused_for >= TRIED:
            await self._stop(Stopped.FORBIDDEN)

    async def lost(self, view: DayView) -> None:
        await self._stop(Stopped.GONE)

    async def _stop(self, why: Stopped) -> None:
        log.info("%s is no longer posted in channel %s (%s)", self._name, self.row.channel_id, why)
        await self._keep(replace(self.row, stopped=why, message_id=None))
        self.surface.invalidate()

    async def _keep(self, row: DayChannel) -> None:
        """Set the row, and store it; until that succeeds, it is tried again."""
        self.row = row
        try:
            await self._store.put(row)
            self._stored = self.row is row  # somebody may have clicked meanwhile
        except StoreError as error:
            self._stored = False
            self.access.retry_after(error)
