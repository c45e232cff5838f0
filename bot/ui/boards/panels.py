"""A table's private panels, one for each player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import discord

from bot.tables.table import Table
from bot.ui.boards.panel import Panel
from bot.ui.boards.table_message import TableMessage
from bot.ui.boards.tools import Tools


class Panels:
    """A table's panels, one a person; each is kept until the table is over. `message`: what they stay below."""

    __slots__ = ("_by_person", "_closed", "_message", "_table", "_tools")

    def __init__(self, table: Table, tools: Tools, message: TableMessage) -> None:
        self._table = table
        self._tools = tools
        self._message = message
        self._by_person: dict[int, Panel] = {}
        self._closed = False

    def __iter__(self) -> Iterator[Panel]:
        return iter(list(self._by_person.values()))

    def panel_for(self, interaction: discord.Interaction[Any]) -> Panel:
        """The panel of the person who asks, in their language."""
        person_id = interaction.user.id
        display = self._tools.display(interaction.locale.value, interaction.guild_id)
        if person_id not in self._by_person:
            self._by_person[person_id] = Panel(self._table, self._tools, self._message, person_id, display)
            if self._closed:
                self._by_person[person_id].close()
        panel = self._by_person[person_id]
        panel.display = display
        return panel

    def held(self, person_id: int) -> AbstractContextManager[None]:
        """While this lasts a click on somebody's panel is being answered."""
        panel = self._by_person.get(person_id)
        return nullcontext() if panel is None else panel.surface.held()

    def bring_up_to_date(self) -> None:
        """The table has changed, or is another message: show it on all of them, below that."""
        for panel in self:
            panel.surface.invalidate()

    def close(self) -> None:
        """Begin no more edits."""
        self._closed = True
        for panel in self:
            panel.close()
