"""What the presenter keeps of a table: its public message, and the panels that follow it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from datetime import datetime

from discord.ui import LayoutView

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import Phase
from bot.tables.table import Table
from bot.tables.view import TableView
from bot.ui.notices import notice
from bot.ui.panel import panel_layout
from bot.ui.picking import Picking
from bot.ui.reply import Private
from bot.ui.surface import Surface
from bot.ui.texts import Words
from bot.ui.wording import refusal


class Panel:
    """A player's private panel: who sees it, in which language, and what can write it for now."""

    def __init__(self, board: Board, person_id: int, t: Words, push: Callable[[Panel], Awaitable[None]]) -> None:
        self.board = board
        self.person_id = person_id
        self.t = t
        self.sent: Private | None = None
        self._picking: tuple[int, Picking | None] = (0, None)
        self.surface = Surface(lambda: push(self))

    @property
    def key(self) -> tuple[str, int, int]:
        """What the clock knows it by."""
        return ("panel", self.board.table.id, self.person_id)

    def layout(self, *, note: str | None = None, picking: Picking | None = None) -> LayoutView:
        """What its player sees in answer to a click."""
        self._picking = (self.board.table.view().version, picking)
        return self._layout(note, picking)

    def refreshed(self) -> LayoutView:
        """What its player sees when something else happened: a choice under way stays, as long as the turn does."""
        version, picking = self._picking
        return self._layout(None, picking if version == self.board.table.view().version else None)

    def _layout(self, note: str | None, picking: Picking | None) -> LayoutView:
        table = self.board.table
        seat = table.seat_of(self.person_id)
        view = None if seat is None else table.seat_view(seat)
        if view is None or table.phase is not Phase.PLAYING:
            over = RefusalCode.NOT_SEATED if table.phase is Phase.PLAYING else RefusalCode.GAME_OVER
            return notice(refusal(Refusal(over), self.t))
        return panel_layout(table.view(), view, self.t, note=note, picking=picking)


class Board:
    """A table's public message and its panels.

    `round` is the round that the message belongs to, `scored_id` the message that keeps the score of the one before.
    `muted`: the bot may not speak in the channel, and the game waits. `ended`: its end was shown, or can't be.
    `failures`: how often in a row it couldn't be shown. `tried`: the nonce of a message that was sent before, and may
    be there though nobody heard of it. `in_post`: a message is being sent, which people may see before the bot does.
    """

    def __init__(self, table: Table, push: Callable[[Board], Awaitable[None]]) -> None:
        self.table = table
        self.message_id: int | None = None
        self.posted_at: datetime | None = None
        self.round = 0
        self.scored_id: int | None = None
        self.muted = False
        self.failures = 0
        self.ended = False
        self.retrying = False
        self.warning_id: int | None = None
        self.tried: str | None = None
        self.in_post = False
        self.panels: dict[int, Panel] = {}
        self.surface = Surface(lambda: push(self))

    @property
    def url(self) -> str:
        """Where the public message is."""
        table = self.table
        return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{self.message_id}"

    @property
    def over(self) -> bool:
        """Whether nothing can happen at its table any more; its end may not have been shown yet."""
        return not self.table.phase.open

    def begins_round(self, view: TableView) -> bool:
        """Whether `view` is of a later round than the message, which keeps its own score."""
        match = view.match
        return match is not None and 0 < self.round < match.round_number

    @property
    def nonce(self) -> str:
        """By this Discord knows a message that replaces the present one, however often and by whichever process it is
        sent: at most 25 characters."""
        return f"t{self.table.id}" if self.message_id is None else f"m{self.message_id}"

    @contextmanager
    def posting(self) -> Generator[None]:
        """In this block a message is sent."""
        self.in_post = True
        try:
            yield
        finally:
            self.in_post = False

    def shows(self, view: TableView) -> None:
        """The message shows `view` from now on."""
        self.round = 0 if view.match is None else view.match.round_number
