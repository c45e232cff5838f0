"""The steps of a bot before it disconnects: it finishes what it has begun, unless that takes more than a few
seconds."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, Protocol

from bot.platform.database.ownership import Held, Owner
from bot.platform.kit.host import Host
from bot.process.ending import at_most
from bot.process.parts import Parts
from bot.process.service import Service
from bot.tables.parts import TableParts
from bot.tournaments.parts import TournamentParts
from bot.training.live.luck import LuckOfMatches
from bot.training.parts import TrainingParts

log = logging.getLogger(__name__)

BEGUN_SECONDS = 3.0
"""The time that interactions under way have to finish when the bot is stopped."""
CLOSING_SECONDS = 2.0
"""The time that edits under way have after that."""
HANDING_SECONDS: Final = 0.5
"""The time for each step if another process is ready or already has the shards; also the limit for steps that are
instant unless the database hangs."""


SUCCESSOR_SECONDS: Final = 1.0
"""The time for finding out whether another process is ready to take the shards."""


class Stopping(Protocol):
    """The parts of the bot that may have something to finish."""

    parts: Parts
    host: Host
    luck: LuckOfMatches
    service: Service


async def finish(bot: Stopping, *, handing: bool) -> None:
    """Take no new moves, and finish interactions and edits.

    `handing`: another process is ready to take over, and interactions that come from now on are for that one. If the
    shards are lost, another process has them or may take them: nothing more is finished, and nobody is told anything.
    """
    lost = bot.parts.owner.held is Held.LOST
    handing = handing and not lost
    brief = handing or lost
    if brief:
        log.info("The shards are lost" if lost else "Another process takes over")
        bot.host.in_flight.closed = True
        await _within(HANDING_SECONDS, bot.host.in_flight.finished())
    bot.parts.manager.close()
    await _within(HANDING_SECONDS, bot.host.of(TournamentParts).tournaments.close())
    await _within(HANDING_SECONDS, bot.host.of(TrainingParts).reviews.close())
    await _within(HANDING_SECONDS, bot.luck.close())
    await _within(HANDING_SECONDS, bot.parts.thinker.close())
    if not brief:
        await _within(BEGUN_SECONDS, bot.host.in_flight.finished())
    await _within(HANDING_SECONDS if brief else CLOSING_SECONDS, _finish_edits(bot, farewell=not brief))
    bot.host.of(TableParts).presenter.give_up()
    bot.host.in_flight.closed = True
    if bot.parts.outages is not None and bot.service.begun and not lost:
        await _within(HANDING_SECONDS, bot.parts.outages.close())
    if handing:
        await _within(HANDING_SECONDS, bot.service.note_handled(bot.host.in_flight.handled()))


async def has_successor(owner: Owner) -> bool:
    """Whether another process is ready to take the shards."""
    asking = asyncio.create_task(owner.has_successor())
    await asyncio.wait([asking], timeout=SUCCESSOR_SECONDS)  # cancelling it would end the session that has the shards
    return asking.done() and asking.exception() is None and asking.result()


async def _finish_edits(bot: Stopping, *, farewell: bool) -> None:
    await bot.parts.clock.close()
    if bot.service.begun:
        await bot.host.of(TableParts).presenter.close()
        await bot.host.of(TournamentParts).boards.close()
        await bot.host.of(TrainingParts).day_boards.close()
        if farewell:
            await bot.host.of(TableParts).presenter.say_back_soon()
    bot.host.in_flight.closed = True
    await bot.host.in_flight.finished()


async def _within(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    with suppress(TimeoutError):
        await at_most(seconds, work)
