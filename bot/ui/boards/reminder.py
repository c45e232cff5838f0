"""The message that pings the player at turn before the deadline, and is deleted when the turn is over."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from discord.utils import format_dt

from bot.store import StoreError
from bot.tables.table import Table
from bot.tables.turn import TurnNotice
from bot.ui.boards.tools import Tools
from bot.ui.screens.layout import notice
from bot.ui.transport.channels import NOBODY
from bot.ui.transport.mentions import mentions
from bot.ui.transport.reply import NETWORK
from bot.ui.transport.turns import Priority
from bot.ui.words.texts import words

log = logging.getLogger(__name__)

WARNING: Final = "warning:"
"""Before a table's id: the key under which its warning is noted, by the message's id and the deadline."""
_SAME_SECONDS: Final = 1.0
"""Two deadlines that are no further apart are the same: after a restart it is computed from what was stored."""


class Reminder:
    """A table's warning. Its id is noted, so that the one that a stopped bot has left is found again."""

    __slots__ = ("_deadline", "_message_id", "_table", "_tools")

    def __init__(self, table: Table, tools: Tools) -> None:
        self._table = table
        self._tools = tools
        self._message_id: int | None = None
        self._deadline = 0.0

    async def warn(self) -> None:
        """Say that the deadline is near, and ping the player at turn unless they never want that."""
        table = self._table
        view = table.view()
        turn = None if view.match is None else view.match.turn
        if turn is None or view.deadline is None or self._has_warned_of(view.deadline):
            return
        await self.delete()
        t = words(table.locale)
        person = f"<@{view.seats[turn].person_id}>"
        time = format_dt(view.deadline, "R")
        text = t("⏰ {person}, it's your turn! A computer steps in {time}.", person=person, time=time)
        silent = self._tools.preferences.turn_notice(view.seats[turn].person_id) is TurnNotice.NEVER
        # Another deadline is another warning: Discord would give back the one before, which may be deleted.
        self._deadline = view.deadline.timestamp()
        nonce = f"w{table.id}-{self._deadline:.0f}"
        try:
            async with self._tools.channels.turn(table, Priority.POST) as ticket:
                self._message_id = await self._tools.channels.post(
                    ticket, table, notice(text), nonce=nonce, allowed_mentions=NOBODY if silent else mentions(view)
                )
        except NETWORK as error:
            log.info("Table %s: a warning could not be sent (%s)", table.id, type(error).__name__)
            return
        await self._note()
        if table.view().version != view.version:
            await self.delete()

    def expire(self) -> None:
        """The turn may be over: delete the warning."""
        if self._message_id is not None:
            self._tools.spawn(self.delete())

    async def delete(self) -> None:
        message_id, self._message_id = self._message_id, None
        if message_id is None:
            return
        try:
            await self._tools.channels.delete(self._table, message_id)
        except NETWORK as error:
            log.debug("A warning stays (%s)", type(error).__name__)
        await self._note()

    def recall(self, noted: str) -> None:
        """Take over the warning that a stopped bot has left; it is deleted unless it is for the present deadline."""
        message_id, _, before = noted.partition(" ")
        self._message_id, self._deadline = int(message_id), float(before or 0)
        if not self._has_warned_of(self._table.view().deadline):
            self._tools.spawn(self.delete())

    def _has_warned_of(self, deadline: datetime | None) -> bool:
        same = deadline is not None and abs(deadline.timestamp() - self._deadline) <= _SAME_SECONDS
        return same and self._message_id is not None

    async def _note(self) -> None:
        value = None if self._message_id is None else f"{self._message_id} {self._deadline:.3f}"
        try:
            await self._tools.store.set_value(self._key, value)
        except StoreError as error:
            log.warning("Table %s: its warning could not be noted (%s)", self._table.id, type(error).__name__)

    @property
    def _key(self) -> str:
        return f"{WARNING}{self._table.id}"
