"""A table's public message: edited while it is young, posted afresh when it must be, tried again when Discord fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord

from bot.meter import Showing
from bot.store import Metric, RankedRow, StoreError
from bot.tables.state import Phase
from bot.tables.table import Table
from bot.tables.view import TableView
from bot.ui.delivery.channels import NOBODY
from bot.ui.delivery.mentions import invitations, mentions
from bot.ui.delivery.nudge import Nudge
from bot.ui.delivery.reply import NETWORK, Reply, is_passing
from bot.ui.delivery.surface import Surface
from bot.ui.delivery.tools import Tools
from bot.ui.delivery.whereabouts import Whereabouts, Which
from bot.ui.screens.board import moved_layout
from bot.ui.screens.layout import Layout
from bot.ui.screens.score import round_layout
from bot.ui.screens.table import counts, public_layout
from bot.ui.words.texts import Words

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
_LONGEST_WAIT: Final = 300.0
_MOST_DOUBLINGS: Final = 10
_UNKNOWN_MESSAGE: Final = 10008
_GONE: Final = (10003, 10004)
"""The channel, or the server, is unknown."""
_ARCHIVED: Final = 50083
"""The thread is archived: it takes no edits. A new message opens it again, unless it is locked."""
_LOCKED: Final = 160005
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
        "_failures",
        "_refused_at",
        "_released",
        "_retrying",
        "_tools",
        "_trying",
        "muted",
        "nudge",
        "place",
        "surface",
        "table",
    )

    def __init__(self, table: Table, tools: Tools, released: Callable[[], None]) -> None:
        self.table = table
        self.place = Whereabouts(table.id)
        self.surface = Surface(self._show)
        self.nudge = Nudge()
        self.muted = False
        self._tools = tools
        self._released = released
        self._failures = 0
        self._retrying = False
        self._refused_at: datetime | None = None
        self._trying = False

    @property
    def _t(self) -> Words:
        return self._tools.words(self.table.locale)

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
            await reply.update(round_layout(view, self._t, paused=False))
        elif which is not Which.TABLE:
            await reply.update(self._moved_layout())
        elif self.place.begins_round(view):
            await reply.update(self._left_score(view) or self._moved_layout())
        else:
            with self.surface.held():
                mark = self.surface.mark()
                self.place.shows(view)
                await reply.update(await self._layout(view), allowed_mentions=mentions(view))
                self.surface.answered(mark)
                if view.over:
                    await self.end()

    async def post(self, reply: Reply) -> None:
        """Answer a command or click with the table, in the place of an older message."""
        view = self.table.view()
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._layout(view)
            try:
                with self.place.posting():
                    message_id = await reply.public(layout, allowed_mentions=invitations(view))
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

    async def _show(self) -> None:
        """Edit the message to the newest state, or post it afresh; never raises."""
        if self.muted and not self._trying:
            return
        view = self.table.view()
        try:
            if _has_ended_quietly(view):
                await self._close(view)
            elif self.place.message_id is None:
                await self._send(view)
            elif self.place.begins_round(view):
                await self._replace(view, self._left_score(view))
            elif self.nudge.due(view):
                await self._come_down(view)
            elif self._is_to_move(view):
                await self._replace(view, None)
            else:
                await self._edit(view)
        except NETWORK as error:
            await self._failed(error)
        except Exception:
            log.exception("Table %s could not be shown", self.table.id)
        else:
            self._failures = 0
            self._unmute()
            if view.over:  # as it was shown; the table may be over by now, and that is to be shown yet
                await self.end()

    def _is_to_move(self, view: TableView) -> bool:
        """Whether a message is too old to be edited much: not if this may be its last edit, nor before a restarted bot
        has anything new to show."""
        return not (view.over or view.restored) and self.place.is_old(self._tools.clock.now())

    async def _close(self, view: TableView) -> None:
        """Say on the message that the game ended without a result: nobody needs another message for that."""
        if self.place.message_id is not None:
            await self._edit(view)

    async def _edit(self, view: TableView) -> None:
        assert self.place.message_id is not None, "there is a message to edit"
        layout = await self._layout(view)
        try:
            self.place.shows(view)
            with self._tools.meter.showing(Showing.EDIT):
                await self._tools.channels.edit(
                    self.table, self.place.message_id, layout, allowed_mentions=mentions(view)
                )
        except discord.HTTPException as error:
            if error.code == _ARCHIVED and not _has_ended_quietly(view):
                await self._replace(view, None)
            elif error.code == _UNKNOWN_MESSAGE and not view.over:
                await self._send(view)
            else:
                raise

    async def _send(self, view: TableView) -> None:
        layout = await self._layout(view)
        again, nonce = self.place.tries_again(), self.place.nonce
        told = mentions(view) if self.nudge.due(view) else NOBODY
        with self._tools.meter.showing(Showing.POST), self.place.posting():
            message_id = await self._tools.channels.post(self.table, layout, nonce=nonce, allowed_mentions=told)
        self.nudge.drop()
        self.place.shows(view)
        await self._moved(message_id, self._tools.clock.now())
        if again:
            self.surface.invalidate()  # it may be what an earlier try has made, as it was then

    async def _replace(self, view: TableView, left: Layout | None) -> None:
        older = self.place.message_id
        if left is not None:
            self.place.leaves_score()
        await self._send(view)
        if older is not None:
            # Discord may let an edit of an old message wait for long; the new one must not.
            self._tools.spawn(self._leave_behind(older, left))

    async def _come_down(self, view: TableView) -> None:
        """Post the message anew at the bottom of the channel, which tells the player at turn; the old one goes."""
        older = self.place.message_id
        await self._send(view)
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

    async def _leave_behind(self, message_id: int, layout: Layout | None = None) -> None:
        """Take the buttons off a message that another has replaced; it doesn't matter if it is gone."""
        try:
            await self._tools.channels.edit(self.table, message_id, layout or self._moved_layout())
        except NETWORK as error:
            log.debug("An old table message stays as it is (%s)", type(error).__name__)

    async def _failed(self, error: BaseException) -> None:
        """What to do about a table that could not be shown."""
        table = self.table
        if not table.phase.open and not is_passing(error) and not _is_vague(error):
            log.info("Table %s is over, and can't be shown any more (%s)", table.id, type(error).__name__)
            await self.end()
        elif isinstance(error, discord.Forbidden) or getattr(error, "code", 0) in (_ARCHIVED, _LOCKED):
            log.info("Table %s: the bot may not speak in its channel, so its game waits", table.id)
            self._mute()
        elif getattr(error, "code", 0) in _GONE:
            log.info("Table %s: its channel is gone", table.id)
            self._trying = False
            await self._tools.lose(table)
        elif is_passing(error) or _is_vague(error):
            self._failures += not self._retrying
            if self._retrying:
                return  # it was a move between two tries: the next try comes when it was to come
            doubled = min(self._failures - 1, _MOST_DOUBLINGS)
            wait = min(RETRY_SECONDS * 2**doubled, _LONGEST_WAIT)
            log.warning("Table %s could not be shown (%s); trying again", table.id, type(error).__name__)
            self._retrying = True
            self._tools.clock.after(("show", table.id), wait, self._again)
        else:
            log.error("Table %s could not be shown: Discord refused it (%s)", table.id, error)

    async def _again(self) -> None:
        self._retrying = False
        self.surface.invalidate()

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
        standings = await self._standings(view) if view.phase is Phase.FINISHED and counts(view) else []
        return public_layout(view, standings, self._t)

    async def _standings(self, view: TableView) -> list[RankedRow]:
        """Where the match's people stand on the server now; nothing if it can't be read."""
        found: list[RankedRow] = []
        try:
            for seat in view.seats:
                if seat.person_id is None:
                    continue
                row = await self._tools.store.standing(
                    view.guild_id, seat.person_id, Metric.WINS, since=None, min_matches=1
                )
                if row is not None:
                    found.append(replace(row, name=seat.name))
        except StoreError:
            return []
        return found

    def _left_score(self, view: TableView) -> Layout | None:
        """What stays of the message when that of the next round takes its place; None if its score is past."""
        match = view.match
        if match is None or len(match.scores) != self.place.round:
            return None
        return round_layout(view, self._t, paused=False)

    def _moved_layout(self) -> Layout:
        return moved_layout(self.url, self._t)


def _has_ended_quietly(view: TableView) -> bool:
    """Whether it is over without a result: no message is worth posting for that."""
    return view.over and view.phase is not Phase.FINISHED


def _is_vague(error: Any) -> bool:
    """Whether it isn't found, but nothing is said to be unknown: so says what stands before Discord on a bad day."""
    return isinstance(error, discord.NotFound) and not error.code
