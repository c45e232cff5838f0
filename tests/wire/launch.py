"""Starts the bot against the simulated Discord, by `python -m bot run` with two addresses changed, and nobody new.

WIRE_API, WIRE_GATEWAY: the two addresses.
WIRE_SEED: determines which decks are dealt.
WIRE_LATE: a file. While it exists, every answer is delayed by the seconds written in it, as if by slow work.
WIRE_STALLED: a file. While it exists, whoever wants something of the disk with the database waits.
WIRE_ASLEEP: tables are woken only by a click or a command, as if too many others came first.
WIRE_COMMAND: the command, if it isn't `run`.
WIRE_STEPS: how many migration steps this version of the bot has that older ones can work with.
WIRE_TAKES: for how many seconds Discord takes the first answer to an interaction; on a loaded machine three may be over
before a process has started.
WIRE_TURNS: the seconds between the starts of two sessions of a bucket of shards.
WIRE_SETTLED: for how many seconds a bot that took over a file doesn't hand it over.
WIRE_STOPPING: how many seconds stopping may take.
WIRE_BAN: after how many refused requests the bot believes that Discord bans it.
WIRE_PATIENCE: for how many seconds discord.py itself waits when it is rate-limited.
WIRE_DRAWS: how many draws of the hidden cards a review judges each decision by.
WIRE_BACKUPS: the seconds from the start to the first daily backup, and between two.
WIRE_CLOCK: a file with the seconds by which the machine's clock is ahead, if it exists.

The usual values of those from WIRE_SETTLED to WIRE_BACKUPS are more than a test can wait for.
"""

import asyncio
import dataclasses
import functools
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import aiosqlite
import filelock
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

import bot.platform.clock
import bot.process.app
import bot.process.parts
import bot.process.serve
from bot.__main__ import main
from bot.engine.cards import DECK, Card
from bot.engine.rules import Seating
from bot.platform.database.ownership import port
from bot.platform.database.ownership import postgres as ownership
from bot.platform.database.upgrade import newest
from bot.platform.kit import host
from bot.platform.language.catalogues import languages, words
from bot.process import backups, service
from bot.process import stopping as steps
from bot.process import turns as own_turns
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.live.chance import Chance
from bot.tables.live.manager import TableManager
from bot.training.live import review
from tests.support import compiled, live_files
from tests.support.newcomers import nobody_is_new
from tests.support.steps import EXPANDS, newer_version
from tests.wire.forking import serve_copies


class Seeded(Chance):
    """Decks and dealers that depend only on a seed, the round, and how many games this process has dealt before."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._games: dict[int, int] = {}

    def deck(self, game_id: int, round_number: int, seating: Seating = Seating.TWO) -> tuple[Card, ...]:
        """The same deck each time it is asked for."""
        return tuple(random.Random(f"{self._nth(game_id)}/{round_number}").sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seating: Seating) -> int:
        """The same seat each time."""
        return random.Random(self._nth(game_id)).randrange(seating.seats)

    def _nth(self, game_id: int) -> str:
        return f"{self._seed}/{self._games.setdefault(game_id, len(self._games) + 1)}"

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        """The same deck at each table of the tournament."""
        return self.deck(-(shuffle % 2**63), number)


def delay_answers(delay: Path) -> None:
    """Delay every answer to an interaction by the seconds written in a file, while it exists."""

    def late(answer: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(answer)
        async def answered(*args: Any, **options: Any) -> Any:
            if delay.exists():
                await asyncio.sleep(float(delay.read_text()))
            return await answer(*args, **options)

        return answered

    modules = [module for name, module in sys.modules.items() if name.startswith("bot.") and ".platform." not in name]
    [reply] = {each for module in modules if isinstance(each := getattr(module, "Reply", None), type)}
    for way in ("send_private", "send_public", "update"):
        setattr(reply, way, late(getattr(reply, way)))


def limit_waiting(seconds: float) -> None:
    """Make discord.py raise if it would have to wait longer; its own option accepts no less than 30 s."""

    class Patient(bot.process.app.EscobaBot):
        def __init__(self, parts: bot.process.parts.Parts) -> None:
            super().__init__(parts)
            self.http.max_ratelimit_timeout = seconds

    bot.process.app.EscobaBot = Patient


def stall_disk(stalled: Path) -> None:
    """Let each use of the database's file, and of the locks beside it, wait while a file exists."""

    def late(use: Callable[..., Any]) -> Callable[..., Any]:
        def used(*args: Any, **options: Any) -> Any:
            while stalled.exists():
                time.sleep(0.02)
            return use(*args, **options)

        return used

    execute = aiosqlite.Connection._execute
    aiosqlite.Connection._execute = lambda self, fn, *args, **options: execute(self, late(fn), *args, **options)
    filelock.FileLock._acquire = late(filelock.FileLock._acquire)


def leave_tables_asleep() -> None:
    """Leave tables asleep after a start."""

    async def nothing(self: TableManager) -> None:
        pass

    TableManager.bring_back = nothing


def ban_after(refusals: int) -> None:
    """Make the bot believe that Discord bans it after this many refusals."""
    usual = bot.process.parts.budget_of
    bot.process.parts.budget_of = lambda settings: dataclasses.replace(usual(settings), ban=refusals)


def newer_by(steps: int) -> AbstractContextManager[object]:
    """In the block, be a newer version of the bot, with this many more migration steps."""
    folder = Path(f"steps-{steps}")
    return newer_version(folder, *([EXPANDS] * steps), works_for=newest(SCHEMA)) if steps else nullcontext()


def set_clock(ahead: Path) -> None:
    """Set the machine's clock ahead or back by the seconds written in a file, while it exists."""
    true = time.time

    def told() -> float:
        return true() + (float(ahead.read_text() or 0) if ahead.exists() else 0.0)

    class Told(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(told(), tz)

    time.time = told
    bot.platform.clock.datetime = Told


def run() -> int:
    """Run the bot as the environment variables say. It logs an error if it opens its database's files by itself."""
    live_files.watch()
    nobody_is_new()
    Route.BASE = os.environ["WIRE_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["WIRE_GATEWAY"])
    if seed := os.environ.get("WIRE_SEED"):
        bot.process.serve.create_bot = functools.partial(bot.process.serve.create_bot, chance=Seeded(seed))
    if patience := os.environ.get("WIRE_PATIENCE"):
        limit_waiting(float(patience))
    if refusals := os.environ.get("WIRE_BAN"):
        ban_after(int(refusals))
    if draws := os.environ.get("WIRE_DRAWS"):
        review.DRAWS = int(draws)
    if turns := os.environ.get("WIRE_TURNS"):
        ownership.IDENTIFY_SECONDS = own_turns.BETWEEN_SECONDS = float(turns)
    if takes := os.environ.get("WIRE_TAKES"):
        service.KEPT_SECONDS = service.CONTESTED_SECONDS = host.RECENT_SECONDS = float(takes)
    if stopping := os.environ.get("WIRE_STOPPING"):
        bot.process.serve.STOPPING_SECONDS = float(stopping)
        steps.BEGUN_SECONDS = steps.CLOSING_SECONDS = float(stopping) / 4
    if every := os.environ.get("WIRE_BACKUPS"):
        backups.FIRST_SECONDS = backups._DAY = float(every)
    if settled := os.environ.get("WIRE_SETTLED"):
        port.SETTLED_SECONDS = float(settled)
    if os.environ.get("WIRE_ASLEEP"):
        leave_tables_asleep()
    if stalled := os.environ.get("WIRE_STALLED"):
        stall_disk(Path(stalled))
    if clock := os.environ.get("WIRE_CLOCK"):
        set_clock(Path(clock))
    delay_answers(Path(os.environ["WIRE_LATE"]))
    with newer_by(int(os.environ.get("WIRE_STEPS", "0"))):
        return main(os.environ.get("WIRE_COMMAND", "run").split())


def prepare() -> None:
    """Read and compile once what each copy would otherwise read and compile for itself."""
    for language in languages():
        words(language)
    compiled.pytest_configure()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_start_and_stop(Path(folder)))


async def _start_and_stop(folder: Path) -> None:
    store = await Stores.open(folder / "escoba.sqlite3")
    await store.database.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["template"]:
        prepare()
        sys.exit(serve_copies(run))
    sys.exit(run())
