"""Tells Discord what happened: answers clicks, and keeps each table's message and panels at the newest state."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from contextlib import nullcontext
from typing import Any, Final, cast

import discord

from bot.engine.errors import RuleCode
from bot.shards import ALL, Shards
from bot.store import Store, StoreError
from bot.tables.clock import Clock
from bot.tables.data.preferences import PreferencesCache
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import Action
from bot.tables.log.events import Phase
from bot.tables.logbook import Restored
from bot.tables.manager import TableManager
from bot.tables.table import Table
from bot.ui.boards.board import Board
from bot.ui.boards.reminder import WARNING
from bot.ui.boards.tools import Tools
from bot.ui.pictures.studio import Pictures
from bot.ui.screens.picking import Picking
from bot.ui.screens.table import copy_layout
from bot.ui.transport.channels import Channels
from bot.ui.transport.gallery import ANSWER_SECONDS, Gallery
from bot.ui.transport.pacer import Pacer
from bot.ui.transport.permissions import check_may_speak, check_spoke
from bot.ui.transport.reply import Reply, Speaker, is_private, private_words
from bot.ui.words.refusals import refusal

log = logging.getLogger(__name__)

_SHOWN: Final = "shown"
"""The key under which a bot that stops notes what its tables' messages show."""
_KEEPS_CHOICE: Final = (RuleCode.NOT_A_CAPTURE, RuleCode.NOTHING_TO_CLAIM)


class Presenter:
    """The observer of all tables. `bind` it to the client before tables change."""

    def __init__(self, store: Store, clock: Clock, pacer: Pacer, pictures: Pictures | None = None) -> None:
        self._gallery = Gallery(pictures, clock.now)
        self._store = store
        self._clock = clock
        self._pacer = pacer
        self._shown: dict[int, str] = {}
        self._warnings: dict[str, str] = {}
        self._boards: dict[int, Board] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def bind(self, client: discord.Client, manager: TableManager, preferences: PreferencesCache) -> None:
        """Say through whom to speak, and whose tables."""
        self._shards = manager.shards
        self._word = f"{_SHOWN}{'' if self._shards == ALL else self._shards}"
        self._tools = Tools(
            Channels(client, self._pacer),
            self._store,
            self._gallery,
            self._clock,
            manager.meter,
            preferences,
            spawn=self._spawn,
            display=cast("Speaker", client).display,
            lose=manager.lose,
        )

    # -------------------------------------------------------------------- the tables' observer

    def table_changed(self, table: Table) -> None:
        """Bring the table's message and panels up to date."""
        board = self._boards.get(table.id)
        if board is None:
            if not table.phase.open:
                return  # it was over and shown so before
            board = self._board(table)
        board.changed()

    def deadline_near(self, table: Table) -> None:
        """Ping the player at turn."""
        self._spawn(self._board(table).warn())

    def nudge_due(self, table: Table) -> None:
        """Tell the player at turn."""
        self._board(table).nudge()

    def table_lost(self, table: Table) -> None:
        """Say no more about it: Discord would refuse every word."""
        self._board(table).lost()

    # -------------------------------------------------------------------- answers to clicks and commands

    async def act(
        self,
        interaction: discord.Interaction[Any],
        table: Table,
        action: Action,
        *,
        picking: Picking | None = None,
    ) -> None:
        """Carry out what a click asks, and answer it with the newest state.

        Raises:
            Refusal: if it can't be done, and the clicked message isn't the place to say so.
        """
        board, private, person_id = await self._heard(table, interaction), is_private(interaction), interaction.user.id
        # The answer shows what the move brought: no edit of the clicked message need do it beside that.
        with board.message.surface.held(), board.panels.held(person_id) if private else nullcontext():
            note: str | None = None
            try:
                await table.submit(action)
            except Refusal as error:
                seated = table.seat_of(person_id) is not None
                if not (private and seated) and error.code is not RefusalCode.STALE:
                    raise
                note = refusal(error, private_words(interaction))
                picking = picking if error.code in _KEEPS_CHOICE else None
            else:
                picking = None
            await self._answer(board, interaction, note, picking)

    async def answer(
        self,
        interaction: discord.Interaction[Any],
        table: Table,
        *,
        picking: Picking | None = None,
        note: str | None = None,
    ) -> None:
        """Answer a click with the newest state of the message that was clicked.

        `note` is a line for this moment only, on a private panel; public messages have none.
        """
        await self._answer(await self._heard(table, interaction), interaction, note, picking)

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
        await board.panels.of(interaction).open(interaction)

    async def post(self, interaction: discord.Interaction[Any], table: Table, *, inviting: bool = False) -> None:
        """Answer a command or click with the table's public message, which takes the place of an older one."""
        board = await self._heard(table, interaction)
        await board.message.post(Reply.of(interaction), inviting=inviting)

    def claim_call(self, table: Table) -> bool:
        """Whether the table may be posted afresh because somebody asks; if so, nobody else may ask for a while."""
        return self._board(table).claim_call(self._clock.now())

    async def show(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Answer a command with what the table's public message shows, for the asker only, and where that is."""
        display = self._tools.display(interaction.locale.value, interaction.guild_id)
        copy = copy_layout(table.view(), self.link(table), display)
        shown = await self._gallery.illustrated(copy, table.channel_id, ANSWER_SECONDS)
        await self._gallery.send(table.channel_id, shown, Reply.of(interaction).private)

    def link(self, table: Table) -> str | None:
        """Where the table's public message is."""
        board = self._boards.get(table.id)
        return None if board is None or board.message.place.message_id is None else board.message.url

    # -------------------------------------------------------------------- restart and stop

    async def recall(self, *, shown: bool = True) -> None:
        """Learn what the bot before this one has left: warnings, and what is on the messages, if it could still say so.

        The latter is said once: whatever is sent from now on, nobody may be there to note it. What a process with other
        shards has left that are some of these may be old, and goes. `shown`: whether messages are as they were left;
        those of a simulation aren't.
        """
        try:
            self._warnings = await self._store.values_of(WARNING)
        except StoreError as error:
            log.warning("Warnings that were left can't be looked up (%s)", type(error).__name__)
        if not shown:
            return
        try:
            found = await self._store.values_of(_SHOWN)
            for of in found:
                if Shards.read(of).meets(self._shards):
                    await self._store.set_value(_SHOWN + of, None)
            if (noted := found.get(self._word.removeprefix(_SHOWN))) is not None:
                self._shown = {int(table_id): str(digest) for table_id, digest in json.loads(noted).items()}
        except (StoreError, ValueError, AttributeError) as error:
            log.warning("What the messages show can't be looked up (%s)", type(error).__name__)

    async def _leave_word(self) -> None:
        """Note what the messages show, those of tables too that have not come back yet."""
        noted = dict(self._shown)
        for table_id, board in self._boards.items():
            if not board.over and board.message.shown.digest is not None:
                noted[table_id] = board.message.shown.digest
        try:
            await self._store.set_value(self._word, json.dumps(noted) if noted else None)
        except StoreError as error:
            log.warning("What the messages show could not be noted (%s)", type(error).__name__)

    def adopt(self, restored: Restored) -> None:
        """Take a restored table over, with its public message."""
        row, board = restored.row, Board(restored.table, self._tools, self._release)
        self._boards[restored.table.id] = board
        board.message.place.recall(row.message_id, row.message_at, restored.rounds_dealt)
        board.message.shown.digest = self._shown.pop(row.id, None)
        board.message.surface.invalidate()
        if warning := self._warnings.pop(str(row.id), None):
            board.reminder.recall(warning)

    async def close(self) -> None:
        """Finish the edits under way and begin no more."""
        boards = list(self._boards.values())
        for board in boards:
            board.close()
        await asyncio.gather(*(board.settle() for board in boards), *self._tasks, return_exceptions=True)
        await self._leave_word()

    # -------------------------------------------------------------------- boards

    async def _answer(
        self, board: Board, interaction: discord.Interaction[Any], note: str | None, picking: Picking | None
    ) -> None:
        if is_private(interaction):
            await board.panels.of(interaction).answer(interaction, note, picking)
        else:
            clicked = None if interaction.message is None else interaction.message.id
            await board.message.answer(Reply.of(interaction), clicked)

    async def _heard(self, table: Table, interaction: discord.Interaction[Any]) -> Board:
        """The table's board, now that somebody has clicked in its channel: where the bot may write again, it does.

        The clicked message may be one that the bot has forgotten.

        Raises:
            Refusal: if it still may not.
        """
        board = self._board(table)
        board.message.nudge.heard(interaction.user.id)
        if board.message.muted:
            check_may_speak(interaction)
            check_spoke(interaction, await board.message.speaks())
        if interaction.message is not None and not interaction.message.flags.ephemeral:
            await board.message.clicked(interaction.message)
        return board

    def _board(self, table: Table) -> Board:
        board = self._boards.get(table.id)
        if board is None:
            board = Board(table, self._tools, self._release)
            if not board.over:
                self._boards[table.id] = board
        return board

    def _release(self, board: Board) -> None:
        """A table whose end is shown, or can't be, needs no memory."""
        self._boards.pop(board.table.id, None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
