"""The demo's bot: it uploads the cards' emojis at each start, since the simulated Discord forgets them."""

from __future__ import annotations

from bot.process.app import EscobaBot
from bot.process.belonging import adopt, application_of
from bot.process.emojis import sync_emojis
from bot.process.parts import Simulation, build_parts
from bot.settings import Settings
from bot.tables.live.chance import Chance


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
