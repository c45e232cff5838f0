"""The public messages of tournaments: each is kept up to date, and gives way to a new one for each round.

A tournament changes often, when people sign up or tables end; its message is edited every few seconds at most. A click
on it is answered at once with what it should show.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Final

import discord
from discord.utils import snowflake_time

from bot.club.tournaments.tournament import Stage
from bot.store import StoreError
from bot.tables.errors import Refusal
from bot.tournaments.director import Tournaments
from bot.tournaments.live import LiveTournament, TournamentObserver
from bot.tournaments.view import TournamentView
from bot.ui.kit.links import channel_url
from bot.ui.kit.replaced import PATIENT_SECONDS, leave_behind
from bot.ui.kit.surface import Surface
from bot.ui.kit.tools import Tools
from bot.ui.layout import Layout
from bot.ui.tournaments.screens.end import end_layout
from bot.ui.tournaments.screens.tournament import Page, left_layout, tournament_layout
from bot.ui.transport.channels import NOBODY
from bot.ui.transport.files import Files, Sent
from bot.ui.transport.gallery import ANSWER_SECONDS
from bot.ui.transport.pacer import Ticket
from bot.ui.transport.reply import Reply
from bot.ui.transport.shown import Shown
from bot.ui.transport.trouble import NETWORK, OLD_MESSAGE, UNKNOWN_MESSAGE, Trouble, trouble_of
from bot.ui.transport.turns import Priority
from bot.ui.words.texts import Words

log = logging.getLogger(__name__)

GAP: Final = timedelta(seconds=3)
"""The shortest time between two edits of a message."""
FRESH: Final = timedelta(minutes=50)
"""Discord throttles edits of messages over an hour old: an older one is replaced by a new message."""
BETWEEN_REPOSTS: Final = timedelta(minutes=1)
"""The shortest time between two postings of a message because somebody asks for it."""
AGAIN: Final = timedelta(seconds=10)
"""How long to wait before trying again after a failure, doubled after each further one."""
_KEPT: Final = 16
"""How many tournaments that are over are kept, to show corrections to them."""
_MOST_DOUBLINGS: Final = 5


class TournamentBoard:
    """Shows a tournament in its channel. Calls `ended` when its end is shown, or never can be."""

    def __init__(self, live: LiveTournament, tools: Tools, ended: Callable[[LiveTournament], None]) -> None:
        view = live.view()
        self.live = live
        self.message_id = view.message_id
        self.surface: Surface[Ticket | None] = Surface(self._turn, self._push)
        self._tools = tools
        self._ended = ended
        self._shown = Shown()
        # After a restart the message is taken to show the current page; an end always gets a message of its own.
        self._page = Page.of(view) if view.state.stage.open else Page.last_round(view)
        self._reposted_at: datetime | None = None
        self._wants_new = False
        self._not_before: datetime | None = None
        self._failures = 0
        self._silenced = False
        self._posts = 0

    @property
    def url(self) -> str | None:
        """The web address of its message; None if there is none."""
        if self.message_id is None:
            return None
        return channel_url(self.live.guild_id, self.live.channel_id, self.message_id)

    # -------------------------------------------------------------------- what people do

    async def answer(self, reply: Reply, clicked_id: int | None) -> None:
        """Answer a click on a public message of the tournament with what that is to show."""
        view, self._silenced = self.live.view(), False
        if self.message_id is not None and clicked_id != self.message_id:
            await reply.update(left_layout(view, Page.blank(), self.url, self._words(view)))
            return
        if self._page != self._page_of(view):
            await reply.ignore()  # the message is about to be replaced
            return
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._layout(view, ANSWER_SECONDS, editing=True)

            async def send(each: Layout, files: Files) -> Sent:
                return await reply.update(each, files)

            await self._tools.gallery.edit(self.live.channel_id, layout, self._shown, send)
            self.surface.answer_shown(mark)

    def repost(self) -> bool:
        """Post the message again, below what has been said since; False if that was done a moment ago."""
        now = self._tools.clock.now()
        if self._reposted_at is not None and now < self._reposted_at + BETWEEN_REPOSTS:
            return False
        self._reposted_at, self._wants_new, self._silenced = now, True, False
        self.surface.invalidate()
        return True

    async def settled(self, seconds: float) -> None:
        """Wait until what is under way is shown, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.surface.settle()

    # -------------------------------------------------------------------- what happened without a click

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[Ticket | None]:
        now = self._tools.clock.now()
        if self._silenced:
            yield None
        elif self._not_before is not None and now < self._not_before and not self._posts_next(self.live.view(), now):
            self._look_at(self._not_before)
            yield None
        else:
            priority = Priority.POST if self._posts_next(self.live.view(), now) else Priority.LIVE
            async with self._tools.channels.turn(self.live, priority) as ticket:
                yield ticket

    def _look_at(self, when: datetime) -> None:
        self._tools.clock.schedule(("tournament shown", self.live.id), when, self._look)

    async def _look(self) -> None:
        self.surface.invalidate()

    def _page_of(self, view: TournamentView) -> Page:
        """What the message should be about; a cancelled tournament ends on the page where it was."""
        return self._page if view.state.stage is Stage.CANCELLED else Page.of(view)

    def _posts_next(self, view: TournamentView, now: datetime) -> bool:
        """Whether a new message comes next, rather than an edit."""
        if self.message_id is None:
            return view.state.stage is not Stage.CANCELLED
        if self._wants_new or self._page != self._page_of(view):
            return True
        return view.state.stage.open and now - snowflake_time(self.message_id) > FRESH

    async def _push(self, ticket: Ticket | None) -> None:
        """Bring the message up to date; never raises."""
        if ticket is None:
            return
        view, now = self.live.view(), self._tools.clock.now()
        try:
            if self._posts_next(view, now):
                await self._post(view, ticket)
            elif self.message_id is not None:
                await self._edit(view, self.message_id, ticket)
        except NETWORK as error:
            await self._failed(view, error)
        except Exception:
            log.exception("Tournament %s could not be shown", self.live.id)
        else:
            self._failures, self._not_before = 0, self._tools.clock.now() + GAP
            if not view.state.stage.open:
                await self._end()

    async def _end(self) -> None:
        """Release the board: the tournament's end is shown, or never can be."""
        await self._note(None)
        self._ended(self.live)

    async def _post(self, view: TournamentView, ticket: Ticket) -> None:
        older, page, shown = self.message_id, self._page, self._shown
        new = self._page_of(view)
        layout = await self._layout(view, PATIENT_SECONDS, editing=False)
        self._shown = Shown()
        nonce = f"t{self.live.id}v{view.state.version}n{self._posts}"

        async def send(each: Layout) -> Sent:
            return await self._tools.channels.post(ticket, self.live, each, nonce=nonce, allowed_mentions=NOBODY)

        sent = await self._tools.gallery.post(self.live.channel_id, layout, self._shown, send)
        self._posts += 1
        self._wants_new, self._page, self.message_id = False, new, sent.message_id
        if view.state.stage.open:
            await self._note(sent.message_id)
        if older is not None:
            left = left_layout(view, Page.blank() if page == new else page, self.url, self._words(view))
            self._tools.spawn(leave_behind(self._tools, self.live, older, left, shown.picture_only()))

    async def _edit(self, view: TournamentView, message_id: int, ticket: Ticket) -> None:
        layout = await self._layout(view, PATIENT_SECONDS, editing=True)
        if self._shown.shows(layout.digest):
            return

        async def send(each: Layout, files: Files) -> Sent:
            return await self._tools.channels.edit(ticket, self.live, message_id, each, files)

        try:
            await self._tools.gallery.edit(self.live.channel_id, layout, self._shown, send)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, OLD_MESSAGE):
                raise
            if error.code == UNKNOWN_MESSAGE:
                self.message_id = None  # somebody has deleted it
            self._wants_new = view.state.stage is not Stage.CANCELLED
            self._shown.forget()
            self.surface.invalidate()

    async def _failed(self, view: TournamentView, error: BaseException) -> None:
        trouble = trouble_of(error)
        if trouble in (Trouble.SILENCED, Trouble.GONE):
            log.info("Tournament %s can't be shown in its channel (%s)", self.live.id, type(error).__name__)
            self._silenced = True
            if trouble is Trouble.GONE and not view.state.stage.open:
                await self._end()
            return
        if trouble is Trouble.REFUSED:
            log.error("Tournament %s could not be shown: Discord refused it (%s)", self.live.id, error)
            return
        wait = AGAIN * 2 ** min(self._failures, _MOST_DOUBLINGS)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, timedelta(seconds=error.retry_after))
        self._failures += 1
        self._not_before = when = self._tools.clock.now() + wait
        log.warning("Tournament %s could not be shown (%s); trying again", self.live.id, type(error).__name__)
        self._look_at(when)

    async def _note(self, message_id: int | None) -> None:
        try:
            await self.live.set_message(message_id)
        except (StoreError, Refusal) as error:
            log.warning("Tournament %s: its message could not be noted: %s", self.live.id, error)

    # -------------------------------------------------------------------- what is drawn

    def _words(self, view: TournamentView) -> Words:
        return self._tools.display(view.locale, view.guild_id).words

    async def _layout(self, view: TournamentView, seconds: float, *, editing: bool) -> Layout:
        display = self._tools.display(view.locale, view.guild_id)
        if view.state.stage.open:
            return tournament_layout(view, display.words)
        layout = end_layout(view, display)
        return await self._tools.gallery.illustrated(layout, view.channel_id, seconds, editing=editing)


class TournamentBoards(TournamentObserver):
    """The messages of all tournaments of this process, which it observes."""

    def __init__(self, tools: Tools, tournaments: Tournaments) -> None:
        self._tools = tools
        self._tournaments = tournaments
        tournaments.observe(self)
        self._boards: dict[int, TournamentBoard] = {}

    def tournament_changed(self, tournament: LiveTournament) -> None:
        board = self._boards.get(tournament.id)
        if board is None and not tournament.open and tournament.view().message_id is None:
            return  # its end was shown before
        self.of(tournament).surface.invalidate()

    def tournament_lost(self, tournament: LiveTournament) -> None:
        """Show nothing more of a tournament whose channel is gone: Discord would refuse everything."""
        board = self._boards.pop(tournament.id, None)
        if board is not None:
            board.surface.close()

    def of(self, tournament: LiveTournament) -> TournamentBoard:
        board = self._boards.get(tournament.id)
        if board is None:
            board = TournamentBoard(tournament, self._tools, self._release)
            self._boards[tournament.id] = board
        board.live = tournament  # one that was over may have been forgotten, and read again since
        return board

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        for board in self._boards.values():
            board.surface.close()
        await asyncio.gather(*(board.surface.settle() for board in self._boards.values()), return_exceptions=True)

    def _release(self, tournament: LiveTournament) -> None:
        """Forget the oldest of the tournaments that are over; the others may still be corrected."""
        self._tournaments.release(tournament)
        over = [key for key, board in self._boards.items() if not board.live.open]
        for key in over[:-_KEPT]:
            if key != tournament.id:
                del self._boards[key]
