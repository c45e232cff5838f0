"""What of Python, of libraries and of the bot is replaced in a simulated process, all in one place.

Import nothing of the bot before `replace` has been called: some modules keep the clock that they find.
"""

from __future__ import annotations

import asyncio
import random
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.machine import Machine, Threads, no_thread

if TYPE_CHECKING:
    from tests.simulation.world import World

SELDOM: Final = 3_600.0
"""Every how many seconds is looked for what the simulation itself brings about: see `Life.look`."""
DRAWS: Final = 4
"""With so few samples hints and reviews are quick, and as good for what is looked for here."""


def replace(machine: Machine) -> None:
    """Replace what the bot's modules and libraries take from the machine when they are imported."""
    machine.take_over()
    import aiohttp

    from tests.simulation import disk, session

    aiohttp.ClientSession = session.Session  # type: ignore[assignment,misc]
    aiohttp.TCPConnector = session.Connector  # type: ignore[assignment,misc]
    disk.use_loops()
    import discord
    import discord.backoff
    import discord.gateway

    class Quiet(discord.gateway.KeepAliveHandler):
        """Sends no heartbeats: that a connection is lost, the simulation says."""

        def start(self) -> None:
            pass

    discord.gateway.KeepAliveHandler = Quiet  # type: ignore[misc]
    discord.utils.utcnow = machine.moment
    backoff: Any = discord.backoff

    class Seeded(random.Random):
        """Has the seed of the simulation where it would have one of the operating system's."""

        def seed(self, a: Any = None, version: int = 2) -> None:
            super().seed(machine.seed if a is None else a, version)

    backoff.random = SimpleNamespace(Random=Seeded)
    threading.Thread.start = no_thread  # type: ignore[method-assign]


def replace_in_bot(world: World) -> None:
    """Replace what of the bot itself would start threads or processes, end the process, or look at the clock often."""
    from bot.platform import clock
    from bot.platform.database import sqlite_engine
    from bot.platform.database.ownership import port
    from bot.process import ending, outages, parts, serve, turns
    from bot.thinking import InlineThinker, Urgency
    from tests.simulation import session

    world.machine.tell_time(clock, sqlite_engine, turns)
    session.Session.discord = world.discord
    session.Session.life_of = world.life_of

    class Thinker(InlineThinker):
        """Thinks in the loop, at a moment that chance decides, and never for long."""

        def __init__(self, count: int, meter: object) -> None:
            super().__init__(most_draws=DRAWS)

        async def move(self, view: Any, level: Any, seed: str, character: Any = None, *, person: Any = None) -> Any:
            await _think()
            return await super().move(view, min(level, world.cleverest), seed, character)

        async def analysis(self, view: Any, seed: str, urgency: Any, **how: Any) -> Any:
            await _think()
            return await super().analysis(view, seed, urgency, **how)

        async def solve(self, work: Any, urgency: Any, person: int | None = None) -> Any:
            await _think()
            return None if urgency in (Urgency.DAY, Urgency.LUCK) else await super().solve(work, urgency, person)

    async def _think() -> None:
        await asyncio.get_running_loop().run_in_executor(None, lambda: None)

    parts.ProcessThinker = Thinker  # type: ignore[misc,assignment]
    parts.GAMES = 0  # type: ignore[misc]
    ending.threading = SimpleNamespace(Timer=Threads)  # type: ignore[attr-defined]
    create = serve.create_bot

    async def create_bot(settings: Any, *rest: Any, **how: Any) -> Any:
        bot = await create(settings, *rest, **how)
        world.life_of(asyncio.get_running_loop()).made(bot)
        return bot

    serve.create_bot = create_bot
    serve.end_within, serve.end_at_once = world.end_within, world.end_at_once  # type: ignore[assignment]
    serve.parse_catalogues = lambda: None
    clock.LOOK_SECONDS = outages.HEARTBEAT_SECONDS = SELDOM  # type: ignore[misc]
    parts.LOOK_SECONDS = SELDOM  # type: ignore[misc]
    asked = port.FileOwner.asked_to_end

    async def asked_to_end(owner: Any) -> None:
        await world.life_of(asyncio.get_running_loop()).contested.wait()
        await asked(owner)

    port.FileOwner.asked_to_end = asked_to_end  # type: ignore[method-assign]
