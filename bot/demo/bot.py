"""The demo's bot, and its time."""

import asyncio
import logging

from bot.demo.world import World
from bot.process.app import EscobaBot
from bot.process.belonging import adopt, application_of
from bot.process.parts import Simulation, build_parts
from bot.process.wording import sync_emojis
from bot.settings import Settings
from bot.tables.live.chance import Chance

log = logging.getLogger(__name__)


class DemoBot(EscobaBot):
    """The bot, with emojis of its own before it shows anything.

    The simulated Discord makes a new application at each start, but the games stay the same.
    """

    async def setup_hook(self) -> None:
        """Upload the emojis before anything else."""
        await adopt(self.parts.stores.values, application_of(self))
        await sync_emojis(self, self.parts.stores.values)
        await super().setup_hook()


async def create_demo_bot(settings: Settings, simulation: Simulation, *, chance: Chance | None = None) -> DemoBot:
    """Build the demo's bot; the arguments are those of `build_parts`."""
    return DemoBot(await build_parts(settings, chance=chance, simulation=simulation))


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
