"""Tells newcomers at a table, before its match, how to learn the game, and what they would play for."""

import logging
from typing import Any

import discord

from bot.platform.database.errors import StoreError
from bot.platform.transport.reply import private_words, reply_to
from bot.platform.transport.trouble import NETWORK
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.screens.newcomer import welcome_layout
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)


class Greeter:
    """Greets newcomers in a lobby, as nobody learns the rules with a clock running.

    A first lesson counts as offered once they have it on their screen. If that can't be stored, they see it again.
    """

    __slots__ = ("_table", "_told", "_tools")

    def __init__(self, table: Table, tools: TableTools) -> None:
        self._table = table
        self._tools = tools
        self._told: set[int] = set()
        """The people who have been told what there is to say at this table."""

    async def lesson_due(self, person_id: int) -> bool:
        """Whether to offer a first lesson to somebody; not while cards are dealt, nor if the store can't tell."""
        try:
            return self._table.phase is Phase.LOBBY and await self._tools.lesson_due(person_id)
        except StoreError as error:
            log.info("Could not find out whether a first lesson is to be offered: %s", error)
            return False

    async def lesson_drawn(self, person_id: int) -> None:
        """Note that somebody has been shown the offer."""
        try:
            await self._tools.lesson_offered(person_id)
        except StoreError as error:
            log.info("Could not note that a first lesson was offered: %s", error)

    async def greet(self, interaction: discord.Interaction[Any]) -> None:
        """Tell a newcomer who has just sat down what they should know, below the answer that they get anyway; once."""
        person_id, table = interaction.user.id, self._table
        if table.seat_of(person_id) is None or person_id in self._told or not await self._is_new(person_id):
            return
        lesson = await self.lesson_due(person_id)
        layout = welcome_layout(table.view(), private_words(interaction), lesson=lesson)
        waits = table.phase is Phase.LOBBY and self._tools.follow_ups.has_room(interaction.token)
        if layout is None or not waits:
            return
        try:
            await reply_to(interaction).send_private(layout)
        except NETWORK as error:
            log.info("Could not greet a newcomer (%s)", type(error).__name__)
            return
        self._told.add(person_id)
        if lesson:
            await self.lesson_drawn(person_id)

    async def _is_new(self, person_id: int) -> bool:
        try:
            return bool(await self._tools.newcomers.among([person_id]))
        except StoreError as error:
            log.info("Could not find out whether somebody is new: %s", error)
            return False
