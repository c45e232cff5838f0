"""Acting on a click: meanwhile nothing else edits the clicked message, and in the end it shows the newest state.

A click in the lobby with which the match begins, or before which somebody has begun it, is answered with its person's
panel instead.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final

import discord

from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import is_private, private_words
from bot.tables.boards.board import Board
from bot.tables.boards.presenter import Presenter
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.refusals import MoveRefusal, TableRefusal
from bot.tables.screens.picking import Picking
from bot.tables.screens.table import is_dealt

_KEEP_CHOICE: Final = (MoveRefusal.NOT_A_CAPTURE, MoveRefusal.NOTHING_TO_CLAIM)
"""The refusals after which a choice of cards goes on: a wrong sum costs nothing."""


class Answering:
    """Context manager for acting on a click; at its end the clicked message shows the newest state.

    A refusal becomes a note on the player's own panel, and a stale click gets the newest state wherever it was made;
    the block raises every other refusal.

    Attributes:
        note: a line for this moment only, on a private panel.
        picking: the choice of cards to show there.

    Args:
        presenter: answers the click.
        interaction: the click.
        table: the table that it is about.
        refused: the choice of cards to go back to if the table refuses just that choice.
    """

    # A class, not a generator: simulations follow what a click waits for through coroutines only.

    def __init__(
        self, presenter: Presenter, interaction: discord.Interaction[Any], table: Table, refused: Picking | None
    ) -> None:
        self.note: str | None = None
        self.picking: Picking | None = None
        self._presenter = presenter
        self._interaction = interaction
        self._table = table
        self._refused = refused
        self._begins = table.phase is Phase.LOBBY and not is_private(interaction)
        self._board: Board | None = None
        self._held = ExitStack()

    async def __aenter__(self) -> Answering:
        self._board = await self._presenter.board_for(self._interaction, self._table)
        self._held.enter_context(self._board.held(self._interaction))
        if self._begins:
            self._board.panels.forget_waiting(self._interaction.user.id)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        with self._held:
            assert self._board is not None, "it was entered"
            late = isinstance(error, Refusal) and error.code is TableRefusal.LOBBY_OVER
            if late:
                self._board.show_again()
            if (late or (error is None and self._begins)) and self._plays:
                await self._board.panels.open(self._interaction)  # the table's message is edited after it
                return True
            if self._begins:
                self._board.follow_deal(self._interaction)
            if error is not None and not self._explains(error):
                return False
            await self._board.answer(self._interaction, self.note, self.picking)
        return True

    @property
    def _plays(self) -> bool:
        """Whether the person, who has clicked on the table's message, has cards by now."""
        return not is_private(self._interaction) and self._seated and is_dealt(self._table.view())

    @property
    def _seated(self) -> bool:
        """Whether the person has a seat."""
        return self._table.seat_of(self._interaction.user.id) is not None

    def _explains(self, error: BaseException) -> bool:
        """Whether the answer says why the table refused."""
        if not isinstance(error, Refusal):
            return False
        own_panel = is_private(self._interaction) and self._seated
        if not own_panel and error.code is not CommonRefusal.STALE:
            return False
        self.note = error.reason(private_words(self._interaction))
        self.picking = self._refused if error.code in _KEEP_CHOICE else None
        return True
