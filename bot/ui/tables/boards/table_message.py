"""A table's public message: carries out what `next_step` decides, and answers the clicks on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime
from typing import Final

import discord

from bot.operating.meter import Showing
from bot.tables.table import Table
from bot.tables.view import TableView
from bot.ui.kit.display import Display
from bot.ui.kit.replaced import PATIENT_SECONDS, leave_behind
from bot.ui.kit.surface import Surface
from bot.ui.kit.tools import Tools
from bot.ui.layout import Layout
from bot.ui.tables.boards.channel_access import ChannelAccess
from bot.ui.tables.boards.message_record import MessageRecord
from bot.ui.tables.boards.next_step import Step, next_step, priority_of, step_instead
from bot.ui.tables.boards.public_message import PublicMessage, Role
from bot.ui.tables.boards.table_layouts import arrival_mentions, newest_layout, pointer_to, score_left_on, url_of
from bot.ui.tables.screens.score import round_layout
from bot.ui.transport.channels import NOBODY
from bot.ui.transport.files import Files, Sent
from bot.ui.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.ui.transport.mentions import mentions
from bot.ui.transport.pacer import Ticket
from bot.ui.transport.reply import Reply
from bot.ui.transport.shown import Shown
from bot.ui.transport.trouble import NETWORK, Trouble, trouble_of
from bot.ui.transport.turns import Priority

log = logging.getLogger(__name__)

_Ended = Callable[[], Awaitable[None]]
PROBE_WAIT_SECONDS: Final = 1.5
"""How long a click waits at most to learn whether the bot may write again."""


class TableMessage:
    """Shows a table in its channel. `moved`: called when it is another message; `ended`: when its end is, or can't be,
    shown."""

    __slots__ = (
        "_asked",
        "_ended",
        "_moved",
        "_posting",
        "_tools",
        "access",
        "posted",
        "record",
        "shown",
        "surface",
        "table",
    )

    def __init__(self, table: Table, tools: Tools, moved: Callable[[], None], ended: _Ended) -> None:
        self.table = table
        self.posted = PublicMessage()
        self.shown = Shown()
        self.surface: Surface[Ticket | None] = Surface(self._turn, self._show)
        self.record = MessageRecord(table, tools)
        self.access = ChannelAccess(tools.clock, table.id, self.surface.invalidate)
        self._tools = tools
        self._moved = moved
        self._ended = ended
        self._posting = False
        """Whether a message is being posted whose id isn't known yet."""
        self._asked: Priority | None = None
        """The priority with which the latest turn was asked for."""

    @property
    def url(self) -> str | None:
        """Its web address; None if there is no message."""
        return None if self.posted.id is None else url_of(self.table, self.posted)

    @property
    def _display(self) -> Display:
        return self._tools.display(self.table.locale, self.table.guild_id)

    # -------------------------------------------------------------------- answers to clicks and commands

    async def note_clicked(self, message: discord.Message) -> None:
        """Note a click on a public message of the table, which may be one that the bot has forgotten."""
        if not self.table.phase.open or message.channel.id != self.table.channel_id:
            return
        role = self.posted.role_of(message.id, posting=self._posting)
        if role is Role.OLDER:
            self._leave_behind(message.id)
        elif role is Role.NEWER:
            known = self.posted.id
            self.shown.forget()
            await self._adopt_message(message.id, message.created_at)
            self.surface.invalidate()
            self._leave_behind(known)

    async def answer(self, reply: Reply, clicked_id: int | None) -> None:
        """Answer a click on a public message of the table with what that message is to show."""
        view, role = self.table.view(), Role.UNSETTLED
        if clicked_id is not None:
            role = self.posted.role_of(clicked_id, posting=self._posting)
        if role is Role.SCORE:
            score = round_layout(view, self._display, paused=False)
            sent = await self._update(reply, score, Shown())
            if sent.drawing is not None and sent.picture is None and clicked_id is not None:
                self._leave_behind(clicked_id, score)
        elif role is Role.UNSETTLED:
            # It is the message being posted, whose id is about to come: it is edited once more then.
            await self._update(reply, await self._layout(view), Shown(), mentions(view))
        elif role is not Role.TABLE:
            await self._update(reply, self._pointer(), Shown())
        elif self.posted.is_before_page_of(view):
            score = score_left_on(self.posted, view, self._display)
            await self._update(reply, score or self._pointer(), self.shown)
        else:
            with self.surface.held():
                mark = self.surface.mark()
                self.posted = self.posted.showing(view)
                await self._update(reply, await self._layout(view), self.shown, mentions(view))
                self.surface.answer_shown(mark)
                if view.over and not view.sealed:
                    await self._ended()

    async def _update(
        self, reply: Reply, layout: Layout, shown: Shown, allowed_mentions: discord.AllowedMentions = NOBODY
    ) -> Layout:
        """Answer a click by changing the clicked message; returns what that was to show."""
        layout = await self._illustrated(layout, ANSWER_SECONDS, editing=True)

        async def send(each: Layout, files: Files) -> Sent:
            return await reply.update(each, files, allowed_mentions=allowed_mentions)

        await self._tools.gallery.edit(self.table.channel_id, layout, shown, send)
        return layout

    async def post(self, reply: Reply, *, inviting: bool = False) -> None:
        """Answer a command or click with the table, in place of an older message; `inviting` pings those invited."""
        view = self.table.view()
        invited = self._tools.willing(person.id for person in view.missing if inviting)
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._illustrated(await self._layout(view), ANSWER_SECONDS, editing=False)

            async def send(each: Layout) -> Sent:
                with self._being_posted():
                    return await reply.send_public(each, allowed_mentions=invited)

            try:
                sent = await self._tools.gallery.post(self.table.channel_id, layout, self.shown, send)
            except NETWORK as error:
                log.info("Table %s could not be posted as an answer (%s)", self.table.id, type(error).__name__)
                self.surface.invalidate()
                return
            older, message_id = self.posted.id, sent.message_id
            self.posted = self.posted.showing(view)
            await self._adopt_message(message_id, self._tools.clock.now())
            self.surface.answer_shown(mark)
        if older is not None and older != message_id:
            self._leave_behind(older)

    # -------------------------------------------------------------------- where the bot may not write

    async def probe(self) -> bool:
        """Try to write where the bot is muted; returns False if Discord has just refused that.

        Answers to interactions don't show that: Discord takes them even where it takes no messages.
        """
        if not self.access.probe():
            return False
        self.surface.invalidate()
        with suppress(TimeoutError):
            async with asyncio.timeout(PROBE_WAIT_SECONDS):
                await self.surface.settle()
        return not self.access.muted or self.access.probing  # the attempt may come after the answer to another click

    async def _failed(self, error: BaseException) -> None:
        """Do what is needed for a table that could not be shown."""
        table, trouble = self.table, trouble_of(error)
        if not table.phase.open and trouble is not Trouble.PASSING:
            log.info("Table %s is over, and can't be shown any more (%s)", table.id, type(error).__name__)
            await self._ended()
        elif trouble is Trouble.SILENCED:
            log.info("Table %s: the bot may not write in its channel, so its game waits", table.id)
            if self.access.mute():
                table.suspend()
        elif trouble is Trouble.GONE:
            log.info("Table %s: its channel is gone", table.id)
            self.access.probing = False
            await self._tools.manager.lose(table)
        elif trouble is Trouble.PASSING:
            self.access.retry_after(error)
        else:
            log.error("Table %s could not be shown: Discord refused it (%s)", table.id, error)

    # -------------------------------------------------------------------- what happened without a click here

    def bring_up_to_date(self) -> None:
        """Show the changed table, and no longer with the priority of one that was restored."""
        self.surface.invalidate()
        if self._asked is Priority.RESTORED and not self.table.view().restored:
            self.surface.ask_again()

    def _step(self, view: TableView, digest: str | None = None) -> Step:
        """What the message needs to show a view; `digest`: of the layout that shows it, once there is one."""
        return next_step(
            view,
            self.posted,
            self._tools.clock.now(),
            shows=digest is not None and self.shown.shows(digest),
            access=self.access.now,
        )

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[Ticket | None]:
        """Wait until something may be sent; yields None if nothing will be."""
        view = self.table.view()
        step = self._step(view)
        if step is Step.WAIT:
            yield None
            return
        self._asked = priority_of(step, view)
        async with self._tools.channels.turn(self.table, self._asked) as ticket:
            yield ticket

    async def _show(self, ticket: Ticket | None) -> None:
        """Bring the message to the newest state; never raises."""
        view = self.table.view()
        if ticket is None or self._step(view) is Step.WAIT:
            return
        try:
            await self._take_step(view, ticket)
        except NETWORK as error:
            await self._failed(error)
        except Exception:
            log.exception("Table %s could not be shown", self.table.id)
        else:
            if self.access.open():
                self.table.resume()
            # Judged by the view that was shown: the table's end may be yet to be shown, as is what was sealed.
            if view.over and not view.sealed:
                await self._ended()

    async def _take_step(self, view: TableView, ticket: Ticket) -> None:
        layout = await self._layout(view)
        step = self._step(view, layout.whole_digest)
        if step is not Step.NOTHING:  # after a restart most tables are shown already, and no picture need be drawn
            # A restarted bot has no pictures ready yet, and its messages show theirs already.
            seconds = PATIENT_SECONDS if view.restored else EDIT_SECONDS
            layout = await self._illustrated(layout, seconds, editing=step is Step.EDIT)
            step = self._step(view, layout.digest)
        if step is not Step.EDIT:
            await self._post_for(step, view, layout, ticket)
            return
        try:
            await self._edit(view, layout, ticket)
        except discord.HTTPException as error:
            instead = step_instead(view, error.code)
            if instead is None:
                raise
            async with self._tools.channels.turn(self.table, Priority.POST) as another:
                await self._post_for(instead, view, layout, another)

    async def _edit(self, view: TableView, layout: Layout, ticket: Ticket) -> None:
        message_id, allowed_mentions = self.posted.id, mentions(view)
        assert message_id is not None, "there is a message to edit"
        edit, showing = self._tools.channels.edit, self._tools.manager.meter.showing

        async def send(each: Layout, files: Files) -> Sent:
            with showing(Showing.EDIT):
                return await edit(ticket, self.table, message_id, each, files, allowed_mentions=allowed_mentions)

        self.posted = self.posted.showing(view)
        await self._tools.gallery.edit(self.table.channel_id, layout, self.shown, send)

    async def _post_for(self, step: Step, view: TableView, layout: Layout, ticket: Ticket) -> None:
        """Post a message if the step asks for one, and treat the older one as the step says."""
        if step in (Step.WAIT, Step.NOTHING):
            return
        older, shown, score = self.posted.id, self.shown.picture_only(), None
        if step is Step.TURN_PAGE and (score := score_left_on(self.posted, view, self._display)) is not None:
            self.posted = self.posted.keeping_score()  # before the next is posted: somebody may click on this one
        await self._post(view, layout, ticket)
        if step in (Step.TURN_PAGE, Step.REPLACE):
            self._leave_behind(older, score, shown)

    async def _post(self, view: TableView, layout: Layout, ticket: Ticket) -> None:
        again, nonce = self.posted.replacement_sent, self.posted.nonce(self.table.thread_id or self.table.id)
        allowed_mentions = arrival_mentions(self.table, self.posted, self._tools)
        self.posted = self.posted.being_replaced()
        channels, showing = self._tools.channels, self._tools.manager.meter.showing

        async def send(each: Layout) -> Sent:
            with showing(Showing.POST), self._being_posted():
                return await channels.post(ticket, self.table, each, nonce=nonce, allowed_mentions=allowed_mentions)

        sent = await self._tools.gallery.post(self.table.channel_id, layout, self.shown, send)
        self.posted = self.posted.showing(view)
        await self._adopt_message(sent.message_id, self._tools.clock.now())
        if again:
            self.shown.forget()
            self.surface.invalidate()  # Discord may have returned the message of an earlier attempt, as it was then

    @contextmanager
    def _being_posted(self) -> Generator[None]:
        """Context manager for posting a message: until it ends, the message's id isn't known."""
        self._posting = True
        try:
            yield
        finally:
            self._posting = False

    def _leave_behind(self, message_id: int | None, layout: Layout | None = None, shown: Shown | None = None) -> None:
        """Make a message that another has replaced show a layout, or where the table is; nothing waits for that.

        Discord may delay an edit of an old message for a long time.
        """
        if message_id is not None:
            left = layout or self._pointer()
            self._tools.spawn(leave_behind(self._tools, self.table, message_id, left, shown))

    # -------------------------------------------------------------------- what is noted

    async def _adopt_message(self, message_id: int | None, posted_at: datetime) -> None:
        """Make another message the table's public one, and note it."""
        self.posted = self.posted.moved(message_id, posted_at)
        self._moved()
        await self.record.note_message(message_id, posted_at)

    # -------------------------------------------------------------------- what is drawn

    async def _layout(self, view: TableView) -> Layout:
        return await newest_layout(view, self.table, self.posted, self._tools)

    async def _illustrated(self, layout: Layout, seconds: float, *, editing: bool) -> Layout:
        """The layout with its picture; one that comes late is shown later, if the message still lacks it."""
        return await self._tools.gallery.illustrated(
            layout, self.table.channel_id, seconds, lambda _: self.surface.invalidate(), editing=editing
        )

    def _pointer(self) -> Layout:
        return pointer_to(self.table, self.posted, self._display.words)
