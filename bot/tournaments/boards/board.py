"""The public messages of tournaments: each is kept up to date, and gives way to a new one for each round.

A tournament changes often, when people sign up or tables end; its message is edited every few seconds at most. A click
on it is answered at once with what it should show.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import discord
from discord.utils import snowflake_time

from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Tools
from bot.platform.kit.links import channel_url
from bot.platform.kit.live_message import LiveMessage, MessageStep, Need, finish, is_old
from bot.platform.layout import Layout
from bot.platform.refusals import Refusal
from bot.platform.transport.reply import Reply
from bot.platform.transport.turns import Priority
from bot.tournaments.boards.changes import ChangeNotices
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.tournament import TournamentStage
from bot.tournaments.screens.standings import end_layout, has_expired
from bot.tournaments.screens.tournament import MessagePage, left_layout, tournament_layout

log = logging.getLogger(__name__)

GAP: Final = timedelta(seconds=3)
"""The shortest time between two edits of a message."""
BETWEEN_REPOSTS: Final = timedelta(minutes=1)
"""The shortest time between two postings of a message because somebody asks for it."""
END_TRIED: Final = timedelta(days=1)
"""How long it is tried to show the end of a tournament in a channel that takes no message."""
_KEPT: Final = 16
"""Finished tournaments that are kept, to show corrections to them."""


class TournamentBoard(LiveMessage[TournamentView]):
    """Shows a tournament in its channel.

    `ended` is called when its end is shown, or never can be, and `lose` with its channel if that is gone.
    """

    def __init__(
        self,
        live: LiveTournament,
        tools: Tools,
        ended: Callable[[LiveTournament], None],
        lose: Callable[[int], None],
    ) -> None:
        super().__init__(tools, "Tournament", live.id)
        view = live.view()
        self.live = live
        self._message_id = view.message_id
        self.changes = ChangeNotices(tools, live, live.id)
        self._ended = ended
        self._lose = lose
        # After a restart the message is taken to show the current page; an end always gets a message of its own.
        self._page = MessagePage.of(view) if view.state.stage.open else MessagePage.last_round(view)
        self.recalled = view.message_id is not None or not view.state.stage.open
        self._reposted_at: datetime | None = None
        self._wants_new = False
        self._shown_at: datetime | None = None

    @property
    def url(self) -> str | None:
        """The web address of its message; None if there is none."""
        if self._message_id is None:
            return None
        return channel_url(self.live.guild_id, self.live.channel_id, self._message_id)

    # -------------------------------------------------------------------- what people do

    async def answer(self, reply: Reply, clicked_id: int | None) -> None:
        """Answer a click on a public message of the tournament with what that is to show."""
        view = self.live.view()
        self.access.probe()
        if self._message_id is not None and clicked_id != self._message_id:
            await reply.update(self._left(view, MessagePage.blank()))
        elif self._page != self._page_of(view):
            await reply.ignore()  # the message is about to be replaced
        else:
            await self.answer_with(reply, view)

    def repost(self) -> bool:
        """Post the message again, below what has been said since; False if that was done a moment ago."""
        now = self._tools.clock.now()
        if self._reposted_at is not None and now < self._reposted_at + BETWEEN_REPOSTS:
            return False
        self._reposted_at, self._wants_new = now, True
        self.access.probe()
        self.surface.invalidate()
        return True

    # -------------------------------------------------------------------- what it shows and needs

    @property
    def place(self) -> LiveTournament:
        return self.live

    @property
    def message_id(self) -> int | None:
        return self._message_id

    def view(self) -> TournamentView:
        return self.live.view()

    def _page_of(self, view: TournamentView) -> MessagePage:
        """Choose what the message should be about; a cancelled tournament ends on the page where it was, unless nobody
        has cancelled it: people are told by a message further down."""
        ends_here = view.state.stage is TournamentStage.CANCELLED and not has_expired(view)
        return self._page if ends_here else MessagePage.of(view)

    def need(self, view: TournamentView, *, shows: bool = False) -> Need:
        now = self._tools.clock.now()
        if self._message_id is None:
            gone = view.state.stage is TournamentStage.CANCELLED and not has_expired(view)
            return Need(MessageStep.NOTHING if gone else MessageStep.POST, Priority.POST)
        if self._page != self._page_of(view):
            return Need(MessageStep.POST, Priority.POST)
        if self._wants_new or (view.state.stage.open and is_old(snowflake_time(self._message_id), now)):
            return Need(MessageStep.REPLACE, Priority.POST)
        if shows:
            return Need(MessageStep.NOTHING)
        if self._shown_at is not None and now < self._shown_at + GAP:
            return Need(MessageStep.WAIT, look_at=self._shown_at + GAP)
        return Need(MessageStep.EDIT)

    async def layout(self, view: TournamentView) -> Layout:
        display = self._tools.display(view.locale, view.guild_id)
        if view.state.stage.open:
            return tournament_layout(view, display.words)
        return end_layout(view, display, tells=bool(self._told(view)))

    def mentions(self, view: TournamentView, *, posting: bool) -> discord.AllowedMentions:
        return self._tools.willing(self._told(view) if posting else ())

    def _told(self, view: TournamentView) -> list[int]:
        """The organiser, if they should be told that their tournament was cancelled without them."""
        organiser = view.state.organiser.id
        return self._tools.tellable([organiser] if has_expired(view) and organiser > 0 else [])

    def first_nonce(self, view: TournamentView) -> str:
        return f"tournament{self.live.id}"

    def reposts(self, view: TournamentView, code: int) -> bool:
        return view.state.stage is not TournamentStage.CANCELLED

    async def adopt(self, view: TournamentView, step: MessageStep, message_id: int | None) -> Layout | None:
        page, self._page = self._page, self._page_of(view)
        self._wants_new, self._message_id = False, message_id
        if view.state.stage.open:
            await self._note(message_id)
        turned = page != self._page
        return (
            self._left(view, page if turned else MessagePage.blank()) if turned or step is MessageStep.REPLACE else None
        )

    async def done(self, view: TournamentView) -> None:
        self._shown_at = self._tools.clock.now()
        if not view.state.stage.open:
            await self._end()

    async def refused(self, view: TournamentView, error: BaseException) -> None:
        await super().refused(view, error)
        if not view.state.stage.open:
            await self._end()

    async def unseen(self, view: TournamentView, refused_for: timedelta) -> None:
        if not view.state.stage.open and refused_for >= END_TRIED:
            await self._end()

    async def lost(self, view: TournamentView) -> None:
        if view.state.stage.open:
            self._lose(self.live.channel_id)
        else:
            await self._end()

    async def _end(self) -> None:
        """Release the board: the tournament's end is shown, or never can be."""
        await self._note(None)
        self._ended(self.live)

    async def _note(self, message_id: int | None) -> None:
        try:
            await self.live.set_message(message_id)
        except (StoreError, Refusal) as error:
            log.warning("Tournament %s: could not note its message: %s", self.live.id, error)

    def _left(self, view: TournamentView, page: MessagePage) -> Layout:
        """Reduce a page to what its message keeps once another has replaced it."""
        return left_layout(view, page, self.url, self._tools.display(view.locale, view.guild_id).words)


class TournamentBoards(TournamentObserver):
    """The messages of all tournaments of this process, which it observes."""

    def __init__(self, tools: Tools, tournaments: TournamentDirector) -> None:
        self._tools = tools
        self._tournaments = tournaments
        tournaments.observe(self)
        self._boards: dict[int, TournamentBoard] = {}

    def tournament_changed(self, tournament: LiveTournament) -> None:
        board = self._boards.get(tournament.id)
        if board is None and not tournament.open and tournament.view().message_id is None:
            return  # its end has been shown already
        self.of(tournament).surface.invalidate()

    def tournament_lost(self, tournament: LiveTournament) -> None:
        """Show nothing more of a tournament whose channel is gone: Discord would refuse everything."""
        board = self._boards.pop(tournament.id, None)
        if board is not None:
            board.surface.close()

    def corrected(self, tournament: LiveTournament) -> None:
        """Show a correction of a tournament that is over: after a restart the message with its end isn't known, so it
        is posted again."""
        if not tournament.open:
            self.of(tournament).surface.invalidate()

    def of(self, tournament: LiveTournament) -> TournamentBoard:
        board = self._boards.get(tournament.id)
        if board is None:
            board = TournamentBoard(tournament, self._tools, self._release, self._tournaments.lose)
            self._boards[tournament.id] = board
        board.live = tournament  # one that was over may have been forgotten, and read again since
        return board

    def kept(self, tournament: LiveTournament) -> TournamentBoard | None:
        """The board of a tournament; None if that is over and its board was forgotten."""
        return self.of(tournament) if tournament.open else self._boards.get(tournament.id)

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        await finish(self._boards.values())

    def _release(self, tournament: LiveTournament) -> None:
        """Forget the oldest of the tournaments that are over; the others may still be corrected."""
        self._tournaments.release(tournament)
        over = [key for key, board in self._boards.items() if not board.live.open]
        for key in over[:-_KEPT]:
            if key != tournament.id:
                del self._boards[key]
