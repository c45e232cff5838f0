"""The real bot on an in-process stand-in for Discord, with a clock that moves only when a test moves it."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Generator, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast
from unittest.mock import patch

from bench import standin
from bench.standin import log_in_within
from bot.platform.eventlog import LogEntry
from bot.platform.operating.metrics import Metrics
from bot.process.app import EscobaBot, create_bot
from bot.process.parts import Simulation
from bot.process.stores import Stores
from bot.settings import Settings
from bot.tables.live.chance import Chance
from bot.tables.log.codec import encode
from bot.tables.log.events import LogEvent, Opened
from tests.secrecy.postbox import Postbox
from tests.secrecy.revealed import Ear, Revealed, Sent, metrics_of
from tests.support.databases import with_tables

BEGAN = datetime(2026, 8, 1, 12, tzinfo=UTC)
FIRST_CHANNEL = 3000
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_REFUSE = "CREATE TRIGGER refuses BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no entry today'); END"
_TAKE_AGAIN = "DROP TRIGGER refuses"
_SAME_NONCE = SimpleNamespace(randbits=lambda bits: bits)
"""Replaces the random nonces that discord.py gives to messages without one."""

T = TypeVar("T")
Log = Sequence[LogEvent]


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop on which no time passes, so that nothing in the bot is ever late on a slow machine."""

    def time(self) -> float:
        """Always 0."""
        return 0.0


def on_still_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on an event loop on which no time passes."""
    with asyncio.Runner(loop_factory=StillLoop) as runner:
        return runner.run(work())


class AtOnce(Executor):
    """Paints at once: in separate threads, the order of events would be random."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run the function now."""
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class World:
    """One bot with a game in each channel. Only one world acts at a time, so that all log records then are its own."""

    def __init__(self, folder: Path, logs: Sequence[Log], chance: Chance, ear: Ear, **settings: Any) -> None:
        self.folder = folder
        self.logs = logs
        self.chance = chance
        self.now = BEGAN
        self.box = Postbox()
        self._ear = ear
        self._heard: list[str] = []
        usual = {
            "database": str(with_tables(folder / "escoba.sqlite3")),
            "clicks_per_10_seconds": 0,
            "requests_per_second": 0,
        }
        self._settings = Settings(**{"_env_file": None, **usual, **settings})
        self.bot: EscobaBot

    # ------------------------------------------------------------------------------------------ the bot
    async def prepare(self) -> None:
        """Write the games' logs into a store as if an earlier bot had left them, each with a posted message."""
        store = await Stores.open(self._settings.database)
        for number, log in enumerate(self.logs):
            opening = log[0]
            assert isinstance(opening, Opened)
            channel_id = FIRST_CHANNEL + number
            entries = [LogEntry(version, *encode(event), BEGAN) for version, event in enumerate(log, 1)]
            row = await store.games.open(
                guild_id=standin.GUILD,
                channel_id=channel_id,
                opener_id=opening.opener.id,
                locale="es-ES",
                at=BEGAN,
                entries=entries,
            )
            await store.games.set_message(row.id, self.box.new_id(channel_id), BEGAN)
        await store.database.close()

    async def start(self) -> None:
        """Start the bot and wait until it has shown the games in its store."""
        with self._acting():
            self.bot = await create_bot(self._settings, Simulation(lambda: self.now), chance=self.chance)
            if (pictures := self.bot.parts.pictures) is not None:
                pictures._pool.shutdown()
                pictures._pool = AtOnce()  # type: ignore[assignment]
            await log_in_within(self.bot, self.box)
            http: Any = self.bot.http
            http._HTTPClient__session = self.box
            state: Any = self.bot._connection
            state.parsers["GUILD_CREATE"](standin.guild(range(FIRST_CHANNEL, FIRST_CHANNEL + len(self.logs))))
            for number in range(1, len(self.logs) + 1):  # one by one, in the same order in both worlds
                await self.bot.parts.manager.find(number)
            await self._quiet()

    async def stop(self) -> None:
        """Stop the bot."""
        with self._acting():
            await self.bot.close()

    def revealed(self, *, measured: bool = True) -> Revealed:
        """What the bot has revealed since the last call. `measured`: including its metrics."""
        found = Revealed([self._anywhere(sent) for sent in self.box.noted], [self._bare(line) for line in self._heard])
        if measured:
            found.metrics = metrics_of(cast("Metrics", self.bot.host.tools.meter).registry)
        self.box.noted.clear()
        self._heard.clear()
        return found

    def _anywhere(self, sent: Sent) -> Sent:
        return (
            sent
            if str(self.folder) not in sent.body
            else Sent(sent.reader, sent.method, sent.path, self._bare(sent.body))
        )

    def _bare(self, text: str) -> str:
        return text.replace(str(self.folder), "(folder)")

    # ------------------------------------------------------------------------------------------ events
    async def happens(self, event: dict[str, Any]) -> None:
        """Dispatch an interaction, and wait until everything that follows from it is done."""
        with self._acting():
            state: Any = self.bot._connection
            state.parsers["INTERACTION_CREATE"](event)
            await self._quiet()

    async def pass_time(self, seconds: float) -> None:
        """Move the clock forward at once, and wait until everything due by then is done."""
        with self._acting():
            self.now += timedelta(seconds=seconds)
            rung = asyncio.Event()

            async def ring() -> None:
                rung.set()

            self.bot.parts.clock.schedule("the test", _LONG_AGO, ring)
            await rung.wait()
            await self._quiet()

    def refuse(self, on: bool) -> None:
        """Make the store refuse entries, or accept them again."""
        with closing(sqlite3.connect(self._settings.database)) as connection:
            connection.execute(_REFUSE if on else _TAKE_AGAIN)

    @contextmanager
    def _acting(self) -> Generator[None]:
        self._ear.into = self._heard
        with patch("discord.abc.secrets", _SAME_NONCE):
            yield
        self._ear.into = []

    async def _quiet(self) -> None:
        """Wait until no task is running except the waiting clock."""
        here = asyncio.current_task()
        while working := {task for task in asyncio.all_tasks() if task is not here and task.get_name() != "clock"}:
            await asyncio.wait(working)
