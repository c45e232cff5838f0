"""The threads of tables, and the handover from a bot that stops to the next: its farewell, and notes of what is shown.

Players are told on their panels when the bot is stopping, but not where another process takes over without a pause.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final, Protocol

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.kit.host import Tools
from bot.platform.outside import read_json
from bot.platform.refusals import Refusal, RefusalCode
from bot.platform.shards import ALL, Shards
from bot.platform.transport.channels import QUIET_MINUTES_AFTERWARDS, Place
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.trouble import NETWORK, TOO_MANY_THREADS, Trouble, trouble_of
from bot.platform.transport.turns import Priority
from bot.tables.boards.pings import NOTED
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


async def start_thread(tools: Tools, place: Place, name: str, *, slow: bool) -> int:
    """Open a thread for another table in a channel, which may be `slow`; returns its id.

    Raises:
        Refusal: if Discord opens none.
    """
    name = name[:LONGEST_THREAD_NAME]
    return await _opening(tools, place, lambda ticket: tools.channels.start_thread(ticket, place, name, slow=slow))


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


async def archive_after(tools: Tools, table: Table, minutes: int = QUIET_MINUTES_AFTERWARDS) -> None:
    """Have Discord archive a table's thread once it has been quiet for so long, by default as after the game. Nothing
    depends on whether that succeeds."""
    try:
        async with tools.channels.turn(table.spot, Priority.LEFT_BEHIND, edits=False) as ticket:
            await tools.channels.archive_thread_after(ticket, table.spot, minutes)
    except NETWORK as error:
        log.debug("Table %s: could not say when its thread is archived (%s)", table.id, type(error).__name__)


FAREWELL_SECONDS: Final = 1.0
"""Seconds that telling all panels may take."""
AT_ONCE: Final = 20
"""Panels that are edited at the same time. These edits count against no budget of requests."""


class Notifiable(Protocol):
    """Something that can tell a player that the bot is stopping."""

    async def say_back_soon(self) -> None:
        """Say that the bot is stopping and will be back; never raises."""
        ...


async def say_back_soon(panels: Iterable[Notifiable], seconds: float = FAREWELL_SECONDS) -> None:
    """Say so on all of these panels, or on as many as there is time for."""
    left = iter(list(panels))

    async def tell() -> None:
        for panel in left:
            await panel.say_back_soon()

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(tell() for _ in range(AT_ONCE)))


_SHOWN: Final = "shown"
"""The key under which a stopping bot notes what its tables' messages show, followed by its shards if not all."""


class Handover:
    """Reads what the bot before this one left, and leaves the same for the next. What nobody asked for is left again.

    Args:
        values: where it is kept.
        shards: the servers whose tables these are.
    """

    def __init__(self, values: KeyValues, shards: Shards) -> None:
        self._values = values
        self._shards = shards
        self._key = f"{_SHOWN}{'' if shards == ALL else shards}"
        self._digests: dict[int, str] = {}
        self._pings: dict[str, str] = {}

    async def read(self, *, shown: bool = True) -> None:
        """Read the pings, and what the messages show, if the bot before this one could still note it.

        The latter is deleted, because it is out of date from now on. What a process with other shards has left, if they
        include some of these, may be out of date and is deleted, too. `shown`: whether messages are as they were left;
        in a simulation they aren't.
        """
        try:
            self._pings = await self._values.of(NOTED)
        except StoreError as error:
            log.warning("Can't look up the pings that were left: %s", error)
        if not shown:
            return
        try:
            found = await self._values.of(_SHOWN)
            for shards in found:
                if Shards.read(shards).meets(self._shards):
                    await self._values.set(_SHOWN + shards, None)
            if (noted := found.get(self._key.removeprefix(_SHOWN))) is not None:
                self._digests = {int(table_id): str(digest) for table_id, digest in read_json(noted).items()}
        except (StoreError, ValueError, TypeError, AttributeError) as error:
            log.warning("Can't look up what the messages show: %s", error)

    def take_digest(self, table_id: int) -> str | None:
        """The digest of what a table's message shows, if known; returned only once."""
        return self._digests.pop(table_id, None)

    def take_pings(self, table_id: int) -> str | None:
        """The pings that were noted for a table, if there are any; returned only once."""
        return self._pings.pop(str(table_id), None)

    async def write(self, digests: Mapping[int, str]) -> None:
        """Note what tables' messages show, and again what was left for tables that have not come back yet."""
        noted = {**self._digests, **digests}
        try:
            await self._values.set(self._key, json.dumps(noted) if noted else None)
        except StoreError as error:
            log.warning("Could not note what the messages show: %s", error)
