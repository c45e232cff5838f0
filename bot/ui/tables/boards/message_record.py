"""Notes which message shows a table. That matters before the first deal: nothing is dealt until it is noted."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from bot.store import StoreError
from bot.tables.table import Table
from bot.ui.kit.tools import Tools

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 5.0
"""How long to wait before noting a message again, after the store has failed."""


class MessageRecord:
    """Notes a table's message in the store, so that a restarted bot knows it."""

    __slots__ = ("_latest", "_table", "_tools")

    def __init__(self, table: Table, tools: Tools) -> None:
        self._table = table
        self._tools = tools
        self._latest: tuple[int | None, datetime | None] = (None, None)

    async def note_message(self, message_id: int | None, posted_at: datetime | None) -> None:
        """Note the table's message; if the store fails, try again for as long as the table is open."""
        self._latest = (message_id, posted_at)
        if not await self._note("its message could not be noted"):
            self._tools.clock.after(("note", self._table.id), AGAIN_SECONDS, self._again)

    async def mark_end_shown(self) -> None:
        """Note that the table's end is shown, so that it isn't shown again after a restart."""
        self._latest = (None, None)
        await self._note("its end could not be noted as shown")

    async def _again(self) -> None:
        if self._table.phase.open:
            await self.note_message(*self._latest)

    async def _note(self, failure: str) -> bool:
        try:
            posted = await self._tools.store.set_message(self._table.id, *self._latest)
        except StoreError as error:
            log.warning("Table %s: %s: %s", self._table.id, failure, error)
            return False
        self._table.note_posted(posted)
        return True
