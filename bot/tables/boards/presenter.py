"""Shows people what happens at the tables: keeps their messages and panels up to date, and answers clicks."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.platform.kit.host import Background
from bot.platform.layout import Layout
from bot.platform.observers import Observer
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import check_may_speak, check_spoke
from bot.platform.transport.reply import is_private, reply_to
from bot.tables.boards.board import Board
from bot.tables.boards.handover import Handover, open_thread, say_back_soon
from bot.tables.boards.public_message import stakes_shown
from bot.tables.ids.game import Ref
from bot.tables.live.logbook import Restored
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tables.screens.score import rounds_layout
from bot.tables.screens.table import copy_layout, is_dealt
from bot.tables.tools import TableTools

Matches = Callable[[discord.Interaction[Any]], Awaitable[Layout]]
"""Lays out the list of somebody's matches."""


class Presenter(Observer[Table]):
    """The observer that shows tables to people."""

    def __init__(self, tools: TableTools, background: Background) -> None:
        self._tools = tools
        self._background = background
        self._handover = Handover(tools.values, tools.manager.shards)
        self._boards: dict[int, Board] = {}

    def table_changed(self, table: Table) -> None:
        board = self._boards.get(table.id)
        if board is None:
            if not table.phase.open:
                return  # its end has been shown already
            board = self.board_of(table)
        board.bring_up_to_date()

    def deadline_near(self, table: Table) -> None:
        self.board_of(table).ping(warns=True)

    def nudge_due(self, table: Table) -> None:
        self.board_of(table).ping()

    def nudged(self, table: Table) -> None:
        self.board_of(table).ping(pressed=True)

    def table_lost(self, table: Table) -> None:
        """Show nothing more in a channel that is gone: Discord would refuse everything."""
        self.board_of(table).silence()

    def table_rests(self, table: Table) -> None:
        """Forget a table that sleeps until its person comes back, or the bot to its server."""
        if (board := self._boards.pop(table.id, None)) is not None:
            board.message.surface.close()
            board.message.access.close()  # a later attempt would show what was there before
            board.stop_following()

    def boards_opened(self, tournament_id: int, round_number: int) -> None:
        """Show the results of a tournament's round, now that all of its tables have ended."""
        for board in list(self._boards.values()):
            fixture = board.table.view().fixture
            if fixture is not None and (fixture.tournament, fixture.round) == (tournament_id, round_number):
                board.table.tell(opened=True)
                board.bring_up_to_date()

    def sealed_ends(self) -> set[tuple[int, int]]:
        """The tournaments and rounds of tables that are over, and whose results aren't opened yet."""
        views = [board.table.view() for board in self._boards.values() if board.over]
        return {(view.fixture.tournament, view.fixture.round) for view in views if view.sealed and view.fixture}

    async def board_for(self, interaction: discord.Interaction[Any], table: Table, *, speaks: bool = False) -> Board:
        """The board of a table that somebody has clicked, or given a command for.

        If the bot was muted there, it tries to write again. The clicked message may be one that it has forgotten.

        `speaks`: whether that needs a message in the channel; a match goes on without.

        Raises:
            Refusal: if it is still muted, and a message is needed.
        """
        self.seen_by(interaction.user.id, table)
        board = self.board_of(table)
        board.note_newest(interaction)
        here = not table.alone and table.is_at(interaction.guild_id, interaction.channel_id)
        if board.message.access.muted and here:
            if speaks or table.phase is Phase.LOBBY:
                check_may_speak(interaction)
                check_spoke(interaction, await board.message.probe())
            else:
                board.message.access.try_now()
        clicked = interaction.message
        if clicked is not None and not clicked.flags.ephemeral and not _is_of_another(interaction, table):
            await board.message.note_clicked(clicked)
        return board

    def seen_by(self, person_id: int, table: Table) -> None:
        """Note that somebody has clicked at a table, or asked for it: if they were pinged, the ping may go."""
        table.note_heard(person_id)
        self.board_of(table).pings.seen_by(person_id)

    async def open_panel(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Answer with a new private panel; an older one of the same player is deleted.

        Raises:
            Refusal: if the person has no seat, or the match has not begun.
        """
        board = await self.board_for(interaction, table)
        if table.seat_of(interaction.user.id) is None:
            raise Refusal(TableRefusal.NOT_SEATED)
        if table.phase.open and not is_dealt(table.view()):
            raise Refusal(TableRefusal.NOT_STARTED)
        await board.panels.open(interaction)

    async def go_on(self, interaction: discord.Interaction[Any], before: Table | None, table: Table) -> None:
        """Show the panel of a table on the clicked one, which was that of another table before."""
        board = await self.board_for(interaction, table)
        if before is not None:
            await self.board_of(before).panels.panel_for(interaction).let_go()
        await board.panels.panel_for(interaction).take_over(interaction)

    async def open_end(
        self, interaction: discord.Interaction[Any], game_id: int, matches: Matches | None = None
    ) -> None:
        """Show one of its players how a match has ended, and what that has brought them.

        `matches`: the list of their matches as it is now, for a click on one on which it was still open.

        Raises:
            Refusal: if it is open, wasn't played by them, is no longer kept, or is asked for in public elsewhere.
            StoreError: if it can't be read.
        """
        board = self._boards.get(game_id)
        table = await self._past(interaction, game_id, None if board is None else board.table)
        if not any(seat.person_id == interaction.user.id for seat in table.view().seats):
            raise Refusal(TableRefusal.NOT_SEATED)
        if board is None:
            board = Board(table, self._tools, self._release)
        panel = board.panels.panel_for(interaction)
        if not is_private(interaction):
            await panel.open(interaction)
        elif matches is None:
            await panel.answer(interaction, None, None)
        else:
            await reply_to(interaction).update(await matches(interaction))
            await panel.open(interaction)

    async def show_round(self, interaction: discord.Interaction[Any], game_id: int, number: int) -> None:
        """Show one person the score of a round of a match that is over in the channel.

        Raises:
            Refusal: if there is none there, or if other tables may have the same boards.
            StoreError: if it can't be read.
        """
        view = (await self._past(interaction, game_id)).view()
        here = view.channel_id == interaction.channel_id
        if not here or view.match is None or not view.match.scores or view.boards:
            raise Refusal(TableRefusal.GAME_OVER)
        layout = rounds_layout(view, number, self._tools.display_for(interaction))
        await self._tools.answer(interaction, layout)

    async def _past(self, interaction: discord.Interaction[Any], game_id: int, known: Table | None = None) -> Table:
        """The table of a match that is over; one that isn't in this channel is for its players' eyes only."""
        table = await self._tools.manager.past(game_id) if known is None else known
        if table is None or table.phase.open:
            raise Refusal(TableRefusal.GAME_OVER)
        played = any(seat.person_id == interaction.user.id for seat in table.view().seats)
        here = (interaction.guild_id, interaction.channel_id) == (table.guild_id, table.channel_id)
        private = is_private(interaction) or interaction.guild_id is None
        if not here and not (played and private):
            raise Refusal(TableRefusal.GAME_OVER)
        return table

    async def post(self, interaction: discord.Interaction[Any], table: Table, *, inviting: bool = False) -> None:
        """Answer a command or click with the table's public message, which replaces an older one.

        A click on a private message isn't answered with it: others would read that the original message was deleted.
        """
        board = await self.board_for(interaction, table, speaks=True)
        if is_private(interaction):
            await reply_to(interaction).ignore()
            await board.message.appear(inviting=inviting)
        else:
            await board.message.post(reply_to(interaction), inviting=inviting)
        board.follow_deal(interaction)

    async def show(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Answer a command, for the asker only, with what the table's public message shows and a link to it."""
        self.seen_by(interaction.user.id, table)
        view, tools = table.view(), self._tools
        stakes = await stakes_shown(view, self._tools.ratings, tools.clock.now())
        copy = copy_layout(view, self.link(table), tools.display_for(interaction), stakes)
        await tools.send(table.spot.channel_id, copy, reply_to(interaction))

    async def greet(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Tell somebody who is new, and has just sat down, what they should know; see `Greeter.greet`."""
        await self.board_of(table).greeter.greet(interaction)

    async def open_thread(self, table: Table) -> int:
        """Open a thread on the lobby's message; see `handover.open_thread`.

        Raises:
            Refusal: if Discord opens none, or hasn't said yet which message that is.
        """
        message_id = self.board_of(table).message.posted.id
        if message_id is None:
            raise Refusal(TableRefusal.NO_THREAD)
        return await open_thread(self._tools, table, message_id)

    def link(self, table: Table) -> str | None:
        """The web address of the table's public message; None if there is none."""
        board = self._boards.get(table.id)
        return None if board is None else board.message.url

    async def recall(self, *, shown: bool = True) -> None:
        """Read what the bot before this one has left; see `Handover.read`."""
        await self._handover.read(shown=shown)

    def adopt(self, restored: Restored) -> None:
        """Take over a restored table, with its public message."""
        if restored.table.alone:
            return  # it has no message
        row = restored.row
        self._boards[restored.table.id] = board = Board(restored.table, self._tools, self._release)
        board.message.recall(restored, self._handover.take_digest(row.id))
        if (pings := self._handover.take_pings(row.id)) is not None and board.pings.recall(pings):
            restored.table.note_notified()

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        boards = list(self._boards.values())
        for board in boards:
            board.close()
        try:
            await asyncio.gather(
                *(board.settle() for board in boards), self._background.settle(), return_exceptions=True
            )
        finally:  # edits that are still under way aren't known to be shown
            open_boards = (board for board in self._boards.values() if not board.over)
            digests = {board.table.id: board.message.shown.digest for board in open_boards}
            await self._handover.write({table_id: digest for table_id, digest in digests.items() if digest is not None})

    def give_up(self) -> None:
        """Give up what `close` had no time to finish."""
        self._background.close()

    async def say_back_soon(self) -> None:
        """After `close`, tell players on their panels that the bot is stopping, if there is time."""
        await say_back_soon(panel for board in self._boards.values() for panel in board.panels)

    def board_of(self, table: Table) -> Board:
        """All that is shown of a table."""
        board = self._boards.get(table.id)
        if board is None:
            board = Board(table, self._tools, self._release)
            if not board.over:
                self._boards[table.id] = board
        return board

    def _release(self, board: Board) -> None:
        """Forget a table whose end is shown, or can't be."""
        self._boards.pop(board.table.id, None)


def _is_of_another(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Whether what somebody has pressed is of another game, such as the result with which they join its rematch."""
    kind, *parts = str((interaction.data or {}).get("custom_id", "")).split(":")
    ref = Ref.read(parts[1:]) if kind == Ref.kind else None
    return ref is not None and ref.game not in (0, table.id)
