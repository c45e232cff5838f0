"""Starts the unmodified bot against the wire: two addresses are changed, the rest is what `python -m bot run` does.

The variables beginning with WIRE_ say where the wire is and, if there is a seed, which decks are dealt. While there is
a file WIRE_LATE, every answer waits for as many seconds as are written in it, as if the work had taken so long.
With WIRE_ASLEEP tables come back only when somebody clicks or sends a command, as if too many others came first.
WIRE_COMMAND is the command if it isn't `run`.
WIRE_TURNS is how many seconds lie between two sessions that the processes of one database begin.
WIRE_BAN is how many refusals Discord bans for, and WIRE_PATIENCE for how many seconds discord.py sleeps by itself when
it is told to come again; both are more than a test can wait for.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import os
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

import bot.process.app
import bot.process.parts
import bot.process.serve
from bot.__main__ import main
from bot.engine.cards import DECK, Card
from bot.store.ownership import postgres as ownership
from bot.tables.manager import TableManager
from tests.wire.forking import serve_copies


class Seeded:
    """Decks and dealers that depend on nothing but a seed, the game and the round."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """The same deck each time it is asked for."""
        return tuple(random.Random(f"{self._seed}/{game_id}/{round_number}").sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seats: int) -> int:
        """The same seat each time."""
        return random.Random(f"{self._seed}/{game_id}").randrange(seats)


def answer_late(told: Path) -> None:
    """Let every answer to an interaction wait for as long as a file says, if there is one."""

    def late(answer: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(answer)
        async def answered(*args: Any, **options: Any) -> Any:
            if told.exists():
                await asyncio.sleep(float(told.read_text()))
            return await answer(*args, **options)

        return answered

    modules = [module for name, module in sys.modules.items() if name.startswith("bot.ui")]
    [reply] = {each for module in modules if isinstance(each := getattr(module, "Reply", None), type)}
    for way in ("send_private", "send_public", "update"):
        setattr(reply, way, late(getattr(reply, way)))


def patient(seconds: float) -> None:
    """Let discord.py raise what takes longer; it takes no less than 30 s as an option."""

    class Patient(bot.process.app.EscobaBot):
        def __init__(self, parts: bot.process.parts.Parts) -> None:
            super().__init__(parts)
            self.http.max_ratelimit_timeout = seconds

    bot.process.app.EscobaBot = Patient


def bring_nothing_back() -> None:
    """Leave tables asleep after a start."""

    async def nothing(self: TableManager) -> None:
        pass

    TableManager.bring_back = nothing


def banned_for(refusals: int) -> None:
    """Let so many refusals be a reason for a ban."""
    usual = bot.process.parts.budget_of
    bot.process.parts.budget_of = lambda settings: dataclasses.replace(usual(settings), ban=refusals)


def run() -> int:
    """Run the bot as the environment says."""
    Route.BASE = os.environ["WIRE_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["WIRE_GATEWAY"])
    if seed := os.environ.get("WIRE_SEED"):
        bot.process.serve.create_bot = functools.partial(bot.process.serve.create_bot, chance=Seeded(seed))
    if patience := os.environ.get("WIRE_PATIENCE"):
        patient(float(patience))
    if refusals := os.environ.get("WIRE_BAN"):
        banned_for(int(refusals))
    if turns := os.environ.get("WIRE_TURNS"):
        ownership.IDENTIFY_SECONDS = float(turns)
    if os.environ.get("WIRE_ASLEEP"):
        bring_nothing_back()
    answer_late(Path(os.environ["WIRE_LATE"]))
    return main([os.environ.get("WIRE_COMMAND", "run")])


if __name__ == "__main__":
    sys.exit(serve_copies(run) if sys.argv[1:] == ["template"] else run())
