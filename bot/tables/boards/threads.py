"""The thread that a lobby moves to: opened on the lobby's message, and archived by Discord after the game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.platform.kit.tools import Tools
from bot.platform.refusals import Refusal, RefusalCode
from bot.platform.transport.channels import Place
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.trouble import NETWORK, TOO_MANY_THREADS, Trouble, trouble_of
from bot.platform.transport.turns import Priority
from bot.tables.live.table import Table
from bot.tables.refusals import TableRefusal
from bot.tables.screens.lobby import LONGEST_THREAD_NAME, thread_name

log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 10.0
"""Longest wait of somebody to learn whether there is a thread."""


async def open_thread(tools: Tools, table: Table, message_id: int) -> int:
    """Open a thread on the lobby's message; returns its id. Asking twice opens one thread.

    Raises:
        Refusal: if Discord opens none.
    """
    view = table.view()
    name, slow = thread_name(view, tools.display(table.locale, table.guild_id).words), view.slow
    channels, place = tools.channels, table.spot
    return await _opening(tools, place, lambda ticket: channels.open_thread(ticket, place, message_id, name, slow=slow))


async def start_thread(tools: Tools, place: Place, name: str) -> int:
    """Open a thread for another table in a channel; returns its id.

    Raises:
        Refusal: if Discord opens none.
    """
    name = name[:LONGEST_THREAD_NAME]
    return await _opening(tools, place, lambda ticket: tools.channels.start_thread(ticket, place, name))


async def _opening(tools: Tools, place: Place, opened: Callable[[Ticket], Awaitable[int]]) -> int:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), tools.channels.turn(place, Priority.POST) as ticket:
            return await opened(ticket)
    except NETWORK as error:  # a timeout is among them
        log.info("Channel %s: could not create a table's thread (%s)", place.channel_id, type(error).__name__)
        raise Refusal(_reason(error)) from error


def _reason(error: BaseException) -> RefusalCode:
    if trouble_of(error) is Trouble.SILENCED:
        return TableRefusal.NO_THREADS
    too_many = getattr(error, "code", 0) == TOO_MANY_THREADS
    return TableRefusal.TOO_MANY_THREADS if too_many else TableRefusal.NO_THREAD


async def archive_soon(tools: Tools, table: Table) -> None:
    """Have Discord archive a finished game's thread before long. Nothing depends on whether that succeeds."""
    try:
        async with tools.channels.turn(table.spot, Priority.LEFT_BEHIND, edits=False) as ticket:
            await tools.channels.archive_thread_soon(ticket, table.spot)
    except NETWORK as error:
        log.debug("Table %s: could not archive its thread (%s)", table.id, type(error).__name__)
