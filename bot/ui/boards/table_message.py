"""A table's public message: edited while it is young, posted afresh when it must be, tried again when Discord fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import Final, TypeVar

import discord

from bot.operating.meter import Showing
from bot.store import StoreError
from bot.tables.log.events import Phase
from bot.tables.table import Table
from bot.tables.view import TableView
from bot.ui.boards.nudge import Nudge
from bot.ui.boards.shown import Frame, Shown
from bot.ui.boards.standings import standings_of
from bot.ui.boards.surface import Surface
from bot.ui.boards.tools import Tools
from bot.ui.boards.trouble import ARCHIVED, Retries, Trouble, trouble_of
from bot.ui.boards.whereabouts import Whereabouts, Which
from bot.ui.screens.board import moved_layout
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout
from bot.ui.screens.score import round_layout
from bot.ui.screens.table import public_layout
from bot.ui.transport.channels import NOBODY
from bot.ui.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.ui.transport.mentions import invitations, mentions
from bot.ui.transport.pacer import Rank
from bot.ui.transport.reply import NETWORK, Reply

log = logging.getLogger(__name__)

R = TypeVar("R")
_UNKNOWN_MESSAGE: Final = 10008
LEFT_SECONDS: Final = 30.0
"""So long a picture is waited for where nothing is in a hurry: as when a message is edited for the last time."""
TRY_SECONDS: Final = 5.0
"""For so long after a try to write was refused no other is made, however much people click."""
WAKE_SECONDS: Final = 1.5
"""So long a click waits at most to learn whether the bot may write again."""


class TableMessage:
    """Shows a table in its channel.

    `muted`: the bot may not write in the channel, and the game waits until it has done so again. `released` is called
    when the table's end was shown, or can't be.
    """

    __slots__ = (
        "_asked",
        "_refused_at",
        "_released",
        "_retries",
        "_tools",
        "_trying",
        "_turn",
        "muted",
        "nudge",
        "place",
        "shown",
        "surface",
        "table",
    )

    def __init__(self, table: Table, tools: Tools, released: Callable[[], None]) -> None:
        self.table = table
        self.place = Whereabouts(table.id)
        self.surface = Surface(self._show, self._await_turn, self._spare_turn)
        self.shown = Shown()
        self.nudge = Nudge()
        self.muted = False
        self._tools = tools
        self._released = released
        self._retries = Retries(tools.clock, table.id, self.surface.invalidate)
        self._refused_at: datetime | None = None
        self._trying = False
        self._asked: Rank | None = None
        self._turn: Rank | None = None

    @property
    def _display(self) -> Display:
        return self._tools.display(self.table.locale, self.table.guild_id)

    @property
    def _silent(self) -> bool:
        """Whether nothing is to be sent now: the bot may not, or Discord has said to come again later."""
        return (self.muted and not self._trying) or self._retries.told_to_wait

    @property
    def url(self) -> str:
        """Where the message is."""
        table = self.table
        return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{self.place.message_id}"

    # -------------------------------------------------------------------- where the bot may not write

    async def speaks(self) -> bool:
        """Try to write where the bot is muted; returns whether Discord has not refused it just now.

        Only a message of the channel's own shows that: interactions are answered also where nothing else is taken.
        """
        if self._refused_at is not None and (self._tools.clock.now() - self._refused_at).total_seconds() < TRY_SECONDS:
            return False
        self._trying = True
        self.surface.invalidate()
        with suppress(TimeoutError):
            async with asyncio.timeout(WAKE_SECONDS):
                await self.surface.settle()
        return not self.muted or self._trying  # it may come later, behind the answer to somebody else's click

    def _mute(self) -> None:
        """Let the game wait: nobody would see it."""
        if self._trying:
            self._trying, self._refused_at = False, self._tools.clock.now()
        if not self.muted:
            self.muted = True
            self.nudge.drop()
            self.table.suspend()

    def _unmute(self) -> None:
        """Something was written: the game goes on."""
        self._trying, self._refused_at = False, None
        if self.muted:
            self.muted = False
            self.table.resume()

    # -------------------------------------------------------------------- answers

    async def clicked(self, message: discord.Message) -> None:
        """Somebody clicked on a public message of the table, which may be one that the bot has forgotten."""
        if not self.table.phase.open:
            return
        match self.place.which(message.id):
            case Which.OLDER:
                self._tools.spawn(self._leave_behind(message.id))
            case Which.NEWER:
                known = self.place.message_id
                assert known is not None, "something is older than it"
                self.shown.forget()
                await self._moved(message.id, message.created_at)
                self.surface.invalidate()
                self._tools.spawn(self._leave_behind(known))
            case _:
                pass

    async def answer(self, reply: Reply, clicked_id: int | None) -> None:
        """Answer a click on a public message of the table with what that message is to show."""
        view = self.table.view()
        which = Which.UNSETTLED if clicked_id is None else self.place.which(clicked_id)
        if which is Which.SCORE:
            score = round_layout(view, self._display, paused=False)
            sent = await self._update(reply, score, Frame())
            if sent.drawing is not None and sent.picture is None and clicked_id is not None:
                self._tools.spawn(self._leave_behind(clicked_id, score))
        elif which is Which.UNSETTLED:
            # It is the one that is being posted, whose id the bot is about to hear: it is edited once more then.
            await self._update(reply, await self._layout(view), Frame(), mentions(view))
        elif which is not Which.TABLE:
            await self._update(reply, self._moved_layout(), Frame())
        elif self.place.begins_round(view):
            await self._update(reply, self._left_score(view) or self._moved_layout(), self.shown)
        else:
            with self.surface.held():
                mark = self.surface.mark()
                self.place.shows(view)
                await self._update(reply, await self._layout(view), self.shown, mentions(view))
                self.surface.answered(mark)
                if view.over:
                    await self.end()

    async def _update(
        self, reply: Reply, layout: Layout, frame: Frame, allowed_mentions: discord.AllowedMentions = NOBODY
    ) -> Layout:
        """Answer a click by a change of the clicked message; returns what it was to show."""
        layout = await self._illustrated(layout, ANSWER_SECONDS)

        async def send(each: Layout) -> None:
            with frame.writing(each) as files:
                await reply.update(each, files=files, allowed_mentions=allowed_mentions)

        await self._send_picture(layout, send)
        return layout

    async def post(self, reply: Reply, *, inviting: bool = False) -> None:
        """Answer a command or click with the table, in the place of an older message; it pings those it invites, if it
        is to, and else nobody."""
        view = self.table.view()
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._illustrated(await self._layout(view), ANSWER_SECONDS)

            async def send(each: Layout) -> int | None:
                with self.place.posting(), self.shown.writing(each):
                    return await reply.public(each, allowed_mentions=invitations(view) if inviting else NOBODY)

            try:
                message_id = await self._send_picture(layout, send)
            except NETWORK as error:
                log.info("Table %s could not be posted as an answer (%s)", self.table.id, type(error).__name__)
                self.surface.invalidate()
                return
            older = self.place.message_id
            self.place.shows(view)
            await self._moved(message_id, self._tools.clock.now())
            self.surface.answered(mark)
        if older is not None and older != message_id:
            self._tools.spawn(self._leave_behind(older))

    # -------------------------------------------------------------------- what nobody has clicked for

    def changed(self) -> None:
        """The table has changed: show it."""
        self.surface.invalidate()
        if self._asked is Rank.RESTORED and not self.table.view().restored:
            self.surface.ask_again()

    async def _await_turn(self) -> None:
        """Wait until something may be sent."""
        if self._silent:
            return  # and nothing will be
        view, place = self.table.view(), self.place
        posts = place.message_id is None or place.begins_round(view) or self.nudge.due(view) or self._is_to_move(view)
        self._asked = rank = Rank.RESTORED if view.restored else Rank.POST if posts else Rank.LIVE
        try:
            await self._tools.channels.turn(self.table, rank)
        finally:
            self._asked = None
        self._turn = rank

    def _use_turn(self, rank: Rank) -> Rank | None:
        """For a request: None if its turn has come, else its rank, because the turn was another request's."""
        turn, self._turn = self._turn, None
        return rank if turn is None else None

    def _spare_turn(self) -> None:
        """Nothing is to be sent after all."""
        turn, self._turn = self._turn, None
        if turn is not None:
            self._tools.channels.spare(self.table, turn)

    async def _show(self) -> None:
        """Edit the message to the newest state, or post it afresh; never raises."""
        if self._silent:
            return
        view = self.table.view()
        # A restarted bot has no picture at hand yet, and its messages show theirs already.
        seconds = LEFT_SECONDS if view.restored else EDIT_SECONDS
        try:
            layout = await self._layout(view)
            is_shown = self._is_shown(view, layout)
            if not is_shown:
                layout = await self._illustrated(layout, seconds)
            if is_shown:
                pass
            elif _has_ended_quietly(view):
                await self._close(view, layout)
            elif self.place.message_id is None:
                await self._send(view, layout)
            elif self.place.begins_round(view):
                await self._replace(view, layout, self._left_score(view))
            elif self.nudge.due(view):
                await self._come_down(view, layout)
            elif self.shown.is_as(layout) and not self._trying:
                pass  # so it may also grow old: nobody need be shown a game on which nothing happens
            elif self._is_to_move(view):
                await self._replace(view, layout, None)
            else:
                await self._edit(view, layout)
        except NETWORK as error:
            await self._failed(error)
        except Exception:
            log.exception("Table %s could not be shown", self.table.id)
        else:
            self._retries.shown()
            self._unmute()
            if view.over:  # as it was shown; the table may be over by now, and that is to be shown yet
                await self.end()
        finally:
            self._spare_turn()

    def _is_shown(self, view: TableView, layout: Layout) -> bool:
        """Whether the message shows this already, picture and all: after a restart most do, and nothing is drawn."""
        comes_anew = self.place.message_id is None or self.place.begins_round(view) or self.nudge.due(view)
        return self.shown.is_wholly(layout) and not (comes_anew or self._trying or _has_ended_quietly(view))

    def _is_to_move(self, view: TableView) -> bool:
        """Whether a message is too old to be edited much: not if this may be its last edit, nor before a restarted bot
        has anything new to show."""
        return not (view.over or view.restored) and self.place.is_old(self._tools.clock.now())

    async def _close(self, view: TableView, layout: Layout) -> None:
        """Say on the message that the game ended without a result: nobody needs another message for that."""
        if self.place.message_id is not None:
            await self._edit(view, layout)

    async def _edit(self, view: TableView, layout: Layout) -> None:
        assert self.place.message_id is not None, "there is a message to edit"
        message_id, told = self.place.message_id, mentions(view)

        async def send(each: Layout) -> None:
            rank = self._use_turn(Rank.LIVE)
            with self._tools.meter.showing(Showing.EDIT), self.shown.writing(each) as files:
                await self._tools.channels.edit(
                    self.table, message_id, each, files=files, allowed_mentions=told, rank=rank
                )

        try:
            self.place.shows(view)
            await self._send_picture(layout, send)
        except discord.HTTPException as error:
            if error.code == ARCHIVED and not _has_ended_quietly(view):
                await self._replace(view, layout, None)
            elif error.code == _UNKNOWN_MESSAGE and not view.over:
                await self._send(view, layout)
            else:
                raise

    async def _send(self, view: TableView, layout: Layout) -> None:
        again, nonce = self.place.tries_again(), self.place.nonce
        told = mentions(view) if self.nudge.due(view) else NOBODY

        async def send(each: Layout) -> int:
            rank = self._use_turn(Rank.POST)
            with self._tools.meter.showing(Showing.POST), self.place.posting(), self.shown.writing(each):
                return await self._tools.channels.post(self.table, each, nonce=nonce, allowed_mentions=told, rank=rank)

        message_id = await self._send_picture(layout, send)
        self.nudge.drop()
        self.place.shows(view)
        await self._moved(message_id, self._tools.clock.now())
        if again:
            self.shown.forget()
            self.surface.invalidate()  # it may be what an earlier try has made, as it was then

    async def _replace(self, view: TableView, layout: Layout, left: Layout | None) -> None:
        older, frame = self.place.message_id, self.shown.of_older()
        if left is not None:
            self.place.leaves_score()
        await self._send(view, layout)
        if older is not None:
            # Discord may let an edit of an old message wait for long; the new one must not.
            self._tools.spawn(self._leave_behind(older, left, frame))

    async def _come_down(self, view: TableView, layout: Layout) -> None:
        """Post the message anew at the bottom of the channel, which tells the player at turn; the old one goes."""
        older = self.place.message_id
        await self._send(view, layout)
        if older is not None:
            self._tools.spawn(self._take_away(older))

    async def _take_away(self, message_id: int) -> None:
        """Delete a message that another has replaced."""
        try:
            await self._tools.channels.delete(self.table, message_id)
        except discord.NotFound:
            log.debug("An old table message is gone already")
        except NETWORK as error:
            log.debug("An old table message can't be taken away (%s)", type(error).__name__)
            await self._leave_behind(message_id)

    async def _leave_behind(self, message_id: int, layout: Layout | None = None, frame: Frame | None = None) -> None:
        """Take the buttons off a message that another has replaced; it doesn't matter if it is gone."""
        frame = frame or Frame()

        async def send(each: Layout) -> None:
            with frame.writing(each) as files:
                await self._tools.channels.edit(self.table, message_id, each, files=files)

        try:
            await self._send_picture(await self._illustrated(layout or self._moved_layout(), LEFT_SECONDS), send)
        except NETWORK as error:
            log.debug("An old table message stays as it is (%s)", type(error).__name__)

    async def _failed(self, error: BaseException) -> None:
        """What to do about a table that could not be shown."""
        table, trouble = self.table, trouble_of(error)
        if not table.phase.open and trouble is not Trouble.PASSING:
            log.info("Table %s is over, and can't be shown any more (%s)", table.id, type(error).__name__)
            await self.end()
        elif trouble is Trouble.SILENCED:
            log.info("Table %s: the bot may not speak in its channel, so its game waits", table.id)
            self._mute()
        elif trouble is Trouble.GONE:
            log.info("Table %s: its channel is gone", table.id)
            self._trying = False
            await self._tools.lose(table)
        elif trouble is Trouble.PASSING:
            self._retries.failed(error)
        else:
            log.error("Table %s could not be shown: Discord refused it (%s)", table.id, error)

    # -------------------------------------------------------------------- what is noted

    async def _moved(self, message_id: int | None, posted_at: datetime) -> None:
        """The table's public message is another one from now on."""
        self.place.moved(message_id, posted_at)
        await self._note(message_id, posted_at, "its message could not be noted")

    async def end(self) -> None:
        """The table's end was shown, or never can be: a restart need not show it."""
        await self._note(None, None, "that its end is shown could not be noted")
        self._released()

    async def _note(self, message_id: int | None, posted_at: datetime | None, failure: str) -> None:
        try:
            await self._tools.store.set_message(self.table.id, message_id, posted_at)
        except StoreError as error:
            log.warning("Table %s: %s (%s)", self.table.id, failure, type(error).__name__)

    # -------------------------------------------------------------------- what is drawn

    async def _layout(self, view: TableView) -> Layout:
        return public_layout(view, await standings_of(view, self._tools.store), self._display)

    async def _illustrated(self, layout: Layout, seconds: float) -> Layout:
        """With its picture; one that isn't there in time is shown when it is, if the message still lacks it."""
        gallery = self._tools.gallery
        return await gallery.illustrated(layout, self.table.channel_id, seconds, lambda _: self.surface.invalidate())

    async def _send_picture(self, layout: Layout, how: Callable[[Layout], Awaitable[R]]) -> R:
        return await self._tools.gallery.send(self.table.channel_id, layout, how)

    def _left_score(self, view: TableView) -> Layout | None:
        """What stays of the message when that of the next round takes its place; None if its score is past."""
        match = view.match
        if match is None or len(match.scores) != self.place.round:
            return None
        return round_layout(view, self._display, paused=False)

    def _moved_layout(self) -> Layout:
        return moved_layout(self.url, self._display.words)


def _has_ended_quietly(view: TableView) -> bool:
    """Whether it is over without a result: no message is worth posting for that."""
    return view.over and view.phase is not Phase.FINISHED
