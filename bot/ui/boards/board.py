"""All that is shown of one table: its public message, the reminder below it, and its players' panels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.tables.table import Table
from bot.ui.boards.panels import Panels
from bot.ui.boards.reminder import Reminder
from bot.ui.boards.table_message import TableMessage
from bot.ui.boards.tools import Tools

BETWEEN_CALLS: Final = timedelta(seconds=30)


class Board:
    """A table as Discord shows it. `released` is called when nothing of it will be shown any more."""

    __slots__ = ("_called_at", "_released", "message", "panels", "reminder", "table")

    def __init__(self, table: Table, tools: Tools, released: Callable[[Board], None]) -> None:
        self.table = table
        self.message = TableMessage(table, tools, self.release)
        self.reminder = Reminder(table, tools)
        self.panels = Panels(table, tools)
        self._called_at: datetime | None = None
        """When somebody last had it posted at the bottom of the channel."""
        self._released = released

    @property
    def over(self) -> bool:
        """Whether nothing can happen at its table any more; its end may not have been shown yet."""
        return not self.table.phase.open

    def changed(self) -> None:
        """Bring everything up to date."""
        self.message.changed()
        self.panels.changed()
        self.reminder.over()
        if self.over and self.message.muted:
            self.release()

    async def warn(self) -> None:
        """Ping the player at turn: the deadline is near."""
        if not self.message.muted:
            await self.reminder.warn()

    def nudge(self) -> None:
        """Tell the player at turn, where the table is: at the bottom of the channel from now on."""
        if not self.message.muted:
            self.message.nudge.ask(self.table.view())
            self.message.surface.invalidate()

    def claim_call(self, now: datetime) -> bool:
        """Whether it may be posted afresh because somebody asks, which counts as done: once in `BETWEEN_CALLS`.

        Otherwise a few people could fill the channel with tables.
        """
        if self._called_at is not None and now - self._called_at < BETWEEN_CALLS:
            return False
        self._called_at = now
        return True

    def lost(self) -> None:
        """Say no more: Discord would refuse every word."""
        self.message.muted = True
        for panel in self.panels:
            panel.drop()

    def release(self) -> None:
        """Its end is shown, or can't be: forget it."""
        self._released(self)
        for panel in self.panels:
            panel.forget()

    def close(self) -> None:
        """Begin no more edits."""
        self.message.surface.close()
        self.panels.close()

    async def settle(self) -> None:
        """Wait until the edits under way are done."""
        surfaces = [self.message.surface, *(panel.surface for panel in self.panels)]
        await asyncio.gather(*(surface.settle() for surface in surfaces), return_exceptions=True)
