"""Tells Discord what happened: answers clicks, and keeps each table's message and panels at the newest state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.engine.errors import RuleCode
from bot.meter import Showing
from bot.store import Store
from bot.tables.actions import Action
from bot.tables.clock import Clock
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import Phase
from bot.tables.table import Table
from bot.ui.board import moved_layout
from bot.ui.messages import Board, Panel
from bot.ui.panel import stale_layout
from bot.ui.permissions import may_speak
from bot.ui.picking import Picking
from bot.ui.publisher import RETRY_SECONDS, Publisher, left_score
from bot.ui.render import mentions, public_layout
from bot.ui.reply import NETWORK, Private, Reply, is_passing
from bot.ui.score import round_layout
from bot.ui.texts import words
from bot.ui.wording import refusal

if TYPE_CHECKING:
    from bot.tables.manager import Restored, TableManager
    from bot.ui.items import Press

log = logging.getLogger(__name__)

TOKEN_LIFE: Final = timedelta(minutes=14)
"""An interaction's token lives 15 minutes; a panel says good-bye before."""
_KEEPS_CHOICE: Final = (RuleCode.NOT_A_CAPTURE, RuleCode.NOTHING_TO_CLAIM)


class Presenter:
    """The observer of all tables. `bind` it to the client before tables change."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._boards: dict[int, Board] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def bind(self, client: discord.Client, manager: TableManager) -> None:
        """Say through whom to speak, and whose tables."""
        self._manager = manager
        self._publisher = Publisher(client, self._store, self._clock, manager, self._spawn)

    # -------------------------------------------------------------------- the tables' observer

    def changed(self, table: Table) -> None:
        """Bring the table's message and panels up to date."""
        board = self._boards.get(table.id)
        if board is None:
            if not table.phase.open:
                return  # it was over and shown so before
            board = self._board(table)
        board.surface.invalidate()
        for panel in board.panels.values():
            panel.surface.invalidate()
        if board.warning_id is not None:
            self._spawn(self._publisher.unwarn(board))
        if board.over and board.muted:
            self._release(board)

    def warned(self, table: Table) -> None:
        """Ping the player at turn."""
        self._spawn(self._publisher.warn(self._board(table)))

    def lost(self, table: Table) -> None:
        """Say no more about it: Discord would refuse every word."""
        board = self._board(table)
        board.muted = True
        for panel in list(board.panels.values()):
            self._drop(panel)

    # -------------------------------------------------------------------- answers to clicks and commands

    async def act(self, press: Press, table: Table, action: Action, *, picking: Picking | None = None) -> None:
        """Carry out what a click asks, and answer it with the newest state.

        Raises:
            Refusal: if it can't be done, and the clicked message isn't the place to say so.
        """
        board = await self._heard(table, press.interaction)
        panel = board.panels.get(press.person.id) if press.private else None
        # The answer shows what the move brought: no edit of the clicked message need do it beside that.
        with board.surface.held(), nullcontext() if panel is None else panel.surface.held():
            note: str | None = None
            try:
                await table.submit(action)
            except Refusal as error:
                seated = table.seat_of(press.person.id) is not None
                if not (press.private and seated) and error.code is not RefusalCode.STALE:
                    raise
                note = refusal(error, press.t)
                picking = picking if error.code in _KEEPS_CHOICE else None
            else:
                picking = None
            await self.answer(press, table, note=note, picking=picking)

    async def answer(
        self, press: Press, table: Table, *, note: str | None = None, picking: Picking | None = None
    ) -> None:
        """Answer a click with the newest state of the message that was clicked."""
        board, interaction = await self._heard(table, press.interaction), press.interaction
        reply = Reply.of(interaction)
        if press.private:
            panel = self._panel(board, interaction)
            with panel.surface.held():
                mark = panel.surface.mark()
                await reply.update(panel.layout(note=note, picking=picking))
                self._follow(panel, Private.original(interaction))
                panel.surface.answered(mark)
            return
        view, t = table.view(), words(table.locale)
        clicked = None if interaction.message is None else interaction.message.id
        if clicked == board.scored_id:
            await reply.update(round_layout(view, t, paused=False))
        elif clicked != board.message_id:
            await reply.update(moved_layout(board.url, t))
        elif board.begins_round(view):
            await reply.update(left_score(board, view) or moved_layout(board.url, t))
        else:
            with board.surface.held():
                mark = board.surface.mark()
                board.shows(view)
                layout = await public_layout(view, self._store)
                await reply.update(layout, allowed_mentions=mentions(view))
                board.surface.answered(mark)
                if view.over:
                    await self._publisher.ended(board)
                    self._release(board)

    async def open_panel(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Answer with a new private panel; an older one of the same player is taken away.

        Raises:
            Refusal: if the person has no seat, or the match has not begun.
        """
        board = await self._heard(table, interaction)
        if table.seat_of(interaction.user.id) is None:
            raise Refusal(RefusalCode.NOT_SEATED)
        if table.phase is Phase.LOBBY:
            raise Refusal(RefusalCode.NOT_STARTED)
        panel = self._panel(board, interaction)
        older = panel.sent
        with panel.surface.held():
            mark = panel.surface.mark()
            self._follow(panel, await Reply.of(interaction).private(panel.layout()))
            panel.surface.answered(mark)
        if older is not None:
            self._spawn(self._delete(older))

    async def post(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Answer a command or click with the table's public message, which takes the place of an older one."""
        board = await self._heard(table, interaction)
        view = table.view()
        with board.surface.held():
            mark = board.surface.mark()
            layout = await public_layout(view, self._store)
            try:
                with board.posting():
                    message_id = await Reply.of(interaction).public(layout, allowed_mentions=mentions(view))
            except NETWORK as error:
                log.info("Table %s could not be posted as an answer (%s)", table.id, type(error).__name__)
                board.surface.invalidate()
                return
            older = board.message_id
            board.shows(view)
            await self._publisher.posted(board, message_id)
            board.surface.answered(mark)
        if older is not None and older != board.message_id:
            self._spawn(self._publisher.leave_behind(board, older))

    async def rematch(self, press: Press) -> None:
        """Open a lobby with the rules and the computers of a finished match, the asker seated.

        Raises:
            Refusal: if the channel has a game, or the match isn't over.
        """
        await self.post(press.interaction, await self._manager.rematch(press.ref.game, press.person))

    def link(self, table: Table) -> str | None:
        """Where the table's public message is."""
        board = self._boards.get(table.id)
        return None if board is None or board.message_id is None else board.url

    # -------------------------------------------------------------------- restart and stop

    def adopt(self, restored: Restored) -> None:
        """Take a restored table over, with its public message."""
        board = self._board(restored.table)
        board.message_id, board.posted_at = restored.row.message_id, restored.row.message_at
        board.round = restored.message_round
        board.tried = board.nonce
        self._boards[restored.table.id] = board
        board.surface.invalidate()
        self._spawn(self._publisher.recall_warning(board))

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        surfaces = [
            surface
            for board in self._boards.values()
            for surface in (board.surface, *(panel.surface for panel in board.panels.values()))
        ]
        for surface in surfaces:
            surface.close()
        await asyncio.gather(*(surface.settle() for surface in surfaces), *self._tasks, return_exceptions=True)

    # -------------------------------------------------------------------- boards

    async def _heard(self, table: Table, interaction: discord.Interaction[Any]) -> Board:
        """The table's board, now that somebody has clicked in its channel: where the bot may speak again, it does.

        The clicked message may be one that the bot has forgotten.

        Raises:
            Refusal: if it still may not.
        """
        board = self._board(table)
        if board.muted:
            if not may_speak(interaction):
                raise Refusal(RefusalCode.MUTED)
            board.muted = False
            table.resume()
            board.surface.invalidate()
        if interaction.message is not None and not interaction.message.flags.ephemeral:
            await self._publisher.found(board, interaction.message)
        return board

    def _board(self, table: Table) -> Board:
        board = self._boards.get(table.id)
        if board is None:
            board = Board(table, self._show)
            if not board.over:
                self._boards[table.id] = board
        return board

    async def _show(self, board: Board) -> None:
        await self._publisher.show(board)
        if board.ended:
            self._release(board)

    def _release(self, board: Board) -> None:
        """A table whose end is shown, or can't be, needs no memory."""
        self._boards.pop(board.table.id, None)
        for panel in board.panels.values():
            self._clock.cancel(panel.key)

    # -------------------------------------------------------------------- panels

    def _panel(self, board: Board, interaction: discord.Interaction[Any]) -> Panel:
        person_id = interaction.user.id
        if person_id not in board.panels:
            board.panels[person_id] = Panel(board, person_id, words(interaction.locale.value), self._refresh)
        panel = board.panels[person_id]
        panel.t = words(interaction.locale.value)
        return panel

    def _follow(self, panel: Panel, sent: Private) -> None:
        """Write the panel through a fresh token from now on, also if an older one has just failed it."""
        panel.sent = sent
        if not self._manager.closing and panel.board.panels.setdefault(panel.person_id, panel) is panel:
            panel.surface.reopen()
        self._clock.schedule(panel.key, self._clock.now() + TOKEN_LIFE, lambda: self._say_goodbye(panel))

    async def _refresh(self, panel: Panel) -> None:
        sent = panel.sent
        if sent is None:
            return
        try:
            with self._manager.meter.showing(Showing.PANEL):
                await sent.edit(panel.refreshed())
        except NETWORK as error:
            log.debug("A panel could not be brought up to date (%s)", type(error).__name__)
            if panel.sent is not sent:
                return
            if is_passing(error):
                self._clock.after(("again", *panel.key), RETRY_SECONDS, self._again(panel))
            else:
                # Dismissed or expired: its player opens another when they want one.
                self._drop(panel)

    def _again(self, panel: Panel) -> Callable[[], Awaitable[None]]:
        async def again() -> None:
            panel.surface.invalidate()

        return again

    def _drop(self, panel: Panel) -> None:
        panel.sent = None
        panel.surface.close()
        self._clock.cancel(panel.key)
        if panel.board.panels.get(panel.person_id) is panel:
            del panel.board.panels[panel.person_id]

    async def _say_goodbye(self, panel: Panel) -> None:
        """Leave a panel that can be followed no longer with nothing but the button that brings it back."""
        sent, table = panel.sent, panel.board.table
        self._drop(panel)
        await panel.surface.settle()
        if sent is None:
            return
        try:
            await sent.edit(stale_layout(table.id, table.view().version, panel.t))
        except NETWORK as error:
            log.debug("A panel stays as it is (%s)", type(error).__name__)

    async def _delete(self, sent: Private) -> None:
        try:
            await sent.delete()
        except NETWORK as error:
            log.debug("An older panel stays (%s)", type(error).__name__)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
