"""All that is shown of one table: its public message, the reminder below it, and its players' panels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.tables.table import Table
from bot.ui.delivery.panels import Panels
from bot.ui.delivery.reminder import Reminder
from bot.ui.delivery.table_message import TableMessage
from bot.ui.delivery.tools import Tools


class Board:
    """A table as Discord shows it. `released` is called when nothing of it will be shown any more."""

    __slots__ = ("_released", "message", "panels", "reminder", "table")

    def __init__(self, table: Table, tools: Tools, released: Callable[[Board], None]) -> None:
        self.table = table
        self.message = TableMessage(table, tools, self.release)
        self.reminder = Reminder(table, tools)
        self.panels = Panels(table, tools)
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

    def lost(self) -> None:
        """Say no more: Discord would refuse every word."""
        self.message.muted = True
        for panel in self.panels:
            panel.drop()

    def speak(self) -> None:
        """The bot may speak again where it was muted: the game goes on."""
        self.message.muted = False
        self.table.resume()
        self.message.surface.invalidate()

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
