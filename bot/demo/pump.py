"""Moves the simulation's clock along with real time, so that pauses and deadlines pass as on Discord."""

from __future__ import annotations

import asyncio
import logging

from bot.demo.world import World

log = logging.getLogger(__name__)

STEP_SECONDS = 0.2


async def pump(world: World) -> None:
    """Run until cancelled. Errors of the bot are logged, and time goes on."""
    while True:
        await asyncio.sleep(STEP_SECONDS)
        try:
            await world.catch_up()
        except TimeoutError as error:
            log.warning("The bot is still busy: %s", error)
        except Exception:
            log.exception("Could not advance the simulation's clock")
