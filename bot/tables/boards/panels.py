"""A table's private panels, one for each player."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.transport.trouble import NETWORK
from bot.tables.boards.panel import Panel
from bot.tables.boards.table_message import TableMessage
from bot.tables.live.table import Table
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

HANDING_OUT: Final = timedelta(minutes=10)
"""The time for which an interaction in the lobby may bring its person's panel: its token lives for 15 minutes."""
OFFER_SECONDS: Final = 1.0
"""Seconds that somebody's first panel at a table waits to learn whether they are new. The store takes milliseconds."""


class Panels:
    """A table's panels, one per person; each is kept until the table is over. `message`: what they stay below."""

    __slots__ = ("_asked", "_by_person", "_closed", "_message", "_offered", "_table", "_tools", "_waiting")

    def __init__(self, table: Table, tools: TableTools, message: TableMessage) -> None:
        self._table = table
        self._tools = tools
        self._message = message
        self._by_person: dict[int, Panel] = {}
        self._closed = False
        self._asked: set[int] = set()
        """The people for whom the store has been asked, or is being asked, whether they are new."""
        self._offered: set[int] = set()
        """The people whose panels offer a first lesson."""
        self._waiting: dict[int, tuple[discord.Interaction[Any], datetime]] = {}
        """By person, their latest interaction in the lobby and its time: with it their panel is sent."""

    def __iter__(self) -> Iterator[Panel]:
        return iter(list(self._by_person.values()))

    def panel_for(self, interaction: discord.Interaction[Any]) -> Panel:
        """The panel of the person who asks, in their language."""
        person_id = interaction.user.id
        display = self._tools.display_for(interaction)
        if person_id not in self._by_person:
            self._by_person[person_id] = Panel(self._table, self._tools, self._message, person_id, display)
            if self._closed:
                self._by_person[person_id].close()
        panel = self._by_person[person_id]
        panel.display = replace(display, lesson=person_id in self._offered)
        return panel

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with a new panel; an older one of the same person is deleted."""
        self.forget_waiting(interaction.user.id)
        await self._offer_lesson(interaction.user.id)
        await self.panel_for(interaction).open(interaction)

    def forget_waiting(self, person_id: int) -> None:
        """Send no panel to somebody when the cards are dealt: what they have just pressed may answer with it."""
        self._waiting.pop(person_id, None)

    def await_deal(self, interaction: discord.Interaction[Any]) -> None:
        """Note an interaction with which its person's panel can be sent when the cards are dealt."""
        self._waiting[interaction.user.id] = interaction, self._tools.clock.now()

    def deal_begun(self) -> None:
        """Send their panels to those who wait for the deal, and haven't opened one."""
        waiting, self._waiting = self._waiting, {}
        for interaction, since in waiting.values():
            if self._tools.clock.now() - since < HANDING_OUT and self._tools.follow_ups.has_room(interaction.token):
                self._tools.spawn(self._hand_out(interaction))

    async def _hand_out(self, interaction: discord.Interaction[Any]) -> None:
        person_id = interaction.user.id
        if self._closed or person_id in self._by_person or self._table.seat_of(person_id) is None:
            return
        try:
            await self.open(interaction)
        except NETWORK as error:  # My hand opens one
            log.debug("Could not send a panel when the cards were dealt (%s)", type(error).__name__)

    async def _offer_lesson(self, person_id: int) -> None:
        """Offer a first lesson, once, on the panel of somebody who is new; their panel doesn't wait long for that."""
        if person_id in self._asked:
            return
        self._asked.add(person_id)
        known = asyncio.Event()
        self._tools.spawn(self._ask(person_id, known))
        with suppress(TimeoutError):
            async with asyncio.timeout(OFFER_SECONDS):
                await known.wait()

    async def _ask(self, person_id: int, known: asyncio.Event) -> None:
        try:
            if await self._tools.offer_lesson(person_id):
                self._offered.add(person_id)
                self._show_offer(person_id)
        except StoreError as error:
            log.info("Could not offer a first lesson: %s", error)
        finally:
            known.set()

    def end_offer(self, person_id: int) -> None:
        """Remove the offer of a lesson: it was taken or dismissed, or the person plays."""
        if person_id in self._offered:
            self._offered.discard(person_id)
            self._show_offer(person_id)

    def _show_offer(self, person_id: int) -> None:
        panel = self._by_person.get(person_id)
        if panel is not None:
            panel.display = replace(panel.display, lesson=person_id in self._offered)
            panel.surface.invalidate()

    def held(self, person_id: int) -> AbstractContextManager[None]:
        """Context manager for answering a click on somebody's panel: no edit of it begins meanwhile."""
        panel = self._by_person.get(person_id)
        return nullcontext() if panel is None else panel.surface.held()

    def bring_up_to_date(self) -> None:
        """Show on all of them that the table has changed, or move them below the message that it is now."""
        for panel in self:
            panel.surface.invalidate()

    def close(self) -> None:
        """Begin no more edits."""
        self._closed = True
        for panel in self:
            panel.close()
