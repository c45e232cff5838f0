"""The memory that whole processes take: `python -m bench.resident bare|idle|busy DATABASE TABLES`.

A bare bot of discord.py, the bot with nothing to do, and the bot with many tables and a robot that thinks: each in a
process of its own, logged in on a server with a channel for each table. Nothing is stubbed but Discord's answers.
"""

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import discord
from discord.ext import commands

from bench import standin

ROOT: Final = Path(__file__).parents[1]
FIRST_CHANNEL: Final = 300
IMAGE: Final = {"PYTHONOPTIMIZE": "2", "MALLOC_ARENA_MAX": "1"}
"""The variables in the Dockerfile that save memory: 8 MB of docstrings, 1 MB of what several threads keep to reuse."""
_MESSAGE: Final = re.compile(r"/channels/(\d+)/messages/\d+$")


@dataclass(frozen=True, slots=True)
class Resident:
    """The resident bytes of a process, and of the processes that it has started, and its CPU seconds until then."""

    own: int
    others: int
    cpu: float


def measure(way: str, database: str, tables: int, **variables: str) -> Resident:
    """Measure one of the three in a new process, with more environment variables. The bot's database must exist.

    The process keeps what it compiles, whatever this one does: compiling takes 3 MB, and the image's modules are
    compiled.
    """
    command = [sys.executable, "-m", "bench.resident", way, database, str(tables)]
    environment = {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | variables
    ended = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return Resident(**json.loads(ended.stdout))


async def prepare(database: str, tables: int) -> None:
    """Create a database with that many tables in mid-round."""
    from bench.hall import seed
    from bot.process.stores import Stores

    store = await Stores.open(database)
    await seed(store, tables, datetime.now(UTC))
    await store.database.close()


async def _bare(channels: range) -> Resident:
    async with commands.Bot(command_prefix=(), intents=discord.Intents(guilds=True)) as bot:
        await _log_in(bot, channels)
        return _resident()


async def _escoba(database: str, channels: range, *, busy: bool) -> Resident:
    from bench.match import ClickedMatch, quiet  # not above: a bare bot has nothing of this one
    from bot.players import Level
    from bot.process.app import create_bot
    from bot.settings import Settings

    values: dict[str, Any] = {"_env_file": None}
    if busy:  # no limits and no timers: on a slow machine a robot would play for people before their panels are open
        values |= dict.fromkeys(("clicks_per_10_seconds", "requests_per_second"), 0)
        values |= dict.fromkeys(("turn_seconds", "nudge_seconds", "idle_days"), 0)
    bot = await create_bot(Settings(database=database, **values))
    async with bot:
        transport = await _log_in(bot, channels)
        if not busy:
            return _resident()
        resting = asyncio.all_tasks()
        await bot.parts.manager.bring_back()
        await quiet(resting)
        found = [(_MESSAGE.search(url), body) for _, url, body in transport.sent]
        shown = {int(message[1]): json.loads(body)["components"] for message, body in found if message and body}
        found.clear()
        transport.sent.clear()
        hard = None
        for channel_id in channels:
            match = ClickedMatch(bot, transport, channel_id)
            table = bot.parts.manager.at(channel_id)
            assert table is not None, "all tables are back"
            match.table, match.public, match.resting = table, shown.pop(channel_id), resting
            await match.open_panels()
            views = [table.seat_view(seat) for seat in (0, 1)]
            hard = next((view for view in views if view is not None and len(view.moves) > 1), hard)
        assert hard is not None, "somebody has a choice"
        await bot.parts.thinker.move(hard, Level.HARD, "a seed")
        return _resident()


async def _log_in(bot: commands.Bot | commands.AutoShardedBot, channels: range) -> standin.Within:
    transport = standin.Within()
    await standin.log_in_within(bot, transport)
    state: Any = bot._connection
    state.parsers["GUILD_CREATE"](standin.guild(channels))
    return transport


def _resident() -> Resident:
    cpu = time.process_time()
    started = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return Resident(_bytes_of("self"), sum(map(_bytes_of, started)), cpu)


def _bytes_of(process: str) -> int:
    return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    way, database, tables = sys.argv[1:]
    channels = range(FIRST_CHANNEL, FIRST_CHANNEL + int(tables))
    found = asyncio.run(_bare(channels) if way == "bare" else _escoba(database, channels, busy=way == "busy"))
    print(json.dumps(asdict(found)))
