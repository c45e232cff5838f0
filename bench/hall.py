"""A process with many live tables that follows instructions on stdin: `python -m bench.hall DATABASE TABLES`.

The store is filled with logs of matches in mid-round. A first bot shows all tables and stops; a second one restores
them, has both players' panels opened, and then gets clicks. Its time stands still unless it is moved, so that nothing
happens by itself; all deadlines are set, as in production.
"""

import argparse
import asyncio
import gc
import json
import logging
import random
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bench import standin
from bench.match import TARGET, ClickedMatch, logged_in, quiet
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.process.app import EscobaBot, create_bot
from bot.process.parts import Simulation
from bot.process.stores import Stores
from bot.settings import Settings
from bot.tables.live.chance import SystemChance
from bot.tables.log.actions import Start
from bot.tables.log.change import Change
from bot.tables.log.codec import encode, fold
from bot.tables.log.decide import deal_due, decide
from bot.tables.log.events import Config, Joined, LogEvent, Opened
from bot.tables.log.pace import Tempo
from bot.tables.parts import TableParts

FIRST_CHANNEL: Final = 300
PLAYS: Final = 24
"""The number of cards already played at each table."""
PLAYED: Final = 400
"""Cards are played at about this many tables, evenly spread: what people see takes more memory than a table."""
_MESSAGE: Final = re.compile(r"/channels/(\d+)/messages/\d+$")
_AT_ONCE: Final = 20
"""The number of games written to the store at a time."""


class Time:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.instant = datetime(2026, 8, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        """The current time."""
        return self.instant

    def pass_by(self, bot: EscobaBot, seconds: float) -> None:
        """Move time forward, and make the bot's clock notice."""
        before = self.instant
        self.instant += timedelta(seconds=seconds)
        bot.parts.clock.schedule("moved", before, _nothing)  # before all else, or it would go unnoticed


async def _nothing() -> None:
    """Do nothing: scheduling it only wakes the clock up."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What restoring that many tables cost: CPU milliseconds per table, and how long a click waited, in milliseconds,
    at the last table in the queue."""

    tables: int
    cpu_ms: float
    click_ms: float


async def seed(store: Stores, tables: int, at: datetime, slow: int = 0) -> None:
    """Store that many games as logs, each in the middle of a round; in the first `slow` of them a turn takes a day."""

    async def one(number: int) -> None:
        channel_id = FIRST_CHANNEL + number
        events = _events(channel_id, random.Random(number), Tempo.DAY if number < slow else Tempo.USUAL)
        game = await store.games.open(
            guild_id=standin.GUILD,
            channel_id=channel_id,
            opener_id=10 * channel_id,
            locale="es-ES",
            at=at,
            entries=[LogEntry(version, *encode(event), at) for version, event in enumerate(events, 1)],
            joined=people_of(events),
        )
        await store.games.set_message(game.id, message_at(channel_id), at)

    for begin in range(0, tables, _AT_ONCE):
        await asyncio.gather(*(one(number) for number in range(begin, min(begin + _AT_ONCE, tables))))


def _events(channel_id: int, chosen: random.Random, tempo: Tempo) -> list[LogEvent]:
    first, second = people_at(channel_id)
    chance = SystemChance()
    config = replace(Config.of_preset("escoba", target=TARGET), tempo=tempo)
    events: list[LogEvent] = [Opened(first, config), Joined(second)]
    state = fold(events)
    begun = decide(state, Start(first, state.version), channel_id).dealt(chance, channel_id)
    state = begun.state
    events += begun.events
    plays = 0
    while plays < PLAYS:
        assert state.match is not None, "it was begun"
        if state.match.turn is None:
            change = Change(state, deal=deal_due(state)).dealt(chance, channel_id)
        else:
            change = Change(state).then([state.match.event_of(chosen.choice(state.match.legal_moves()))])
            plays += 1
        events += change.events
        state = change.state
    return events


def message_at(channel_id: int) -> int:
    """The id of the message of a channel's table."""
    return 1_000_000_000 + channel_id


def people_at(channel_id: int) -> list[Person]:
    """The people at a channel's table."""
    return [Person(10 * channel_id + seat, f"Person {seat}") for seat in (0, 1)]


class Hall:
    """A bot with a table in each of many channels, and the people playing there."""

    def __init__(self, database: str, tables: int) -> None:
        self.channels = range(FIRST_CHANNEL, FIRST_CHANNEL + tables)
        self.time = Time()
        self.matches: list[ClickedMatch] = []
        self._database = database

    @asynccontextmanager
    async def bot(self, *, pictures: bool = False) -> AsyncIterator[EscobaBot]:
        """A bot on the database, logged in; its requests are answered within the process.

        It has no pictures unless asked: their cost is measured separately, and doesn't depend on other tables.
        """
        values: dict[str, Any] = {
            "_env_file": None,
            "computer_seconds": 0,
            "clicks_per_10_seconds": 0,
            "requests_per_second": 0,
            "pictures": pictures,
        }
        bot = await create_bot(Settings(database=self._database, **values), Simulation(self.time.now))
        async with bot:
            self.transport = await logged_in(bot, wire=False, channels=self.channels)
            yield bot

    async def show(self) -> dict[int, list[Any]]:
        """Have a bot show all tables and stop normally; returns what each message shows."""
        async with self.bot() as bot:
            resting = asyncio.all_tasks()
            await bot.parts.manager.bring_back()
            await quiet(resting)
            await bot.host.of(TableParts).presenter.close()  # otherwise the bot gives up on this after two seconds
            shown: dict[int, list[Any]] = {}
            for _, url, body in self.transport.sent:
                if body and (message := _MESSAGE.search(url)) is not None:
                    shown[int(message[1])] = json.loads(body)["components"]
            return shown

    async def bring_back(self, bot: EscobaBot, shown: dict[int, list[Any]]) -> Restored:
        """Restore all tables, and click on the last one right away."""
        resting = asyncio.all_tasks()
        state: Any = bot._connection
        last = self.channels[-1]
        click = json.loads(self._stranger(last, shown[last]))
        began, spent = time.process_time(), self.transport.spent
        bringing = asyncio.create_task(bot.parts.manager.bring_back())
        clicked = time.perf_counter()
        state.parsers["INTERACTION_CREATE"](click)
        await asyncio.wait(asyncio.all_tasks() - resting - {bringing})
        waited = time.perf_counter() - clicked
        await bringing
        await quiet(resting)
        took = time.process_time() - began - (self.transport.spent - spent)
        return Restored(len(self.channels), 1000 * took / len(self.channels), 1000 * waited)

    @staticmethod
    def _stranger(channel_id: int, components: list[Any]) -> str:
        """Somebody without a seat presses *My hand*: a click that needs the table but opens no panel."""
        message = standin.message(message_at(channel_id), channel_id, components, private=False)
        (custom_id,) = [each for each in ClickedMatch.buttons(components) if each.startswith("e:hand:")]
        return standin.click(1, message, custom_id)

    async def sit_down(self, bot: EscobaBot, shown: dict[int, list[Any]]) -> None:
        """Open both panels at every table. For some of them keep what people see, so that they can play on."""
        each = max(1, len(self.channels) // PLAYED)
        for channel_id in self.channels:
            match = ClickedMatch(bot, self.transport, channel_id, seed=channel_id)
            table = bot.parts.manager.at(channel_id)
            assert table is not None, "all tables are back"
            match.table, match.public = table, shown[channel_id]
            await match.open_panels()
            if channel_id % each == 0:
                self.matches.append(match)

    async def play(self, clicks: int) -> list[float]:
        """Play that many cards at random tables among those; returns the CPU milliseconds of each."""
        costs: list[float] = []
        for _ in range(clicks):
            match = self.matches[random.randrange(len(self.matches))]
            if match.over:
                continue
            costs.append(1000 * (await match.play()).seconds)
        return costs


async def _serve(database: str, tables: int) -> None:
    hall = Hall(database, tables)
    store = await Stores.open(database)
    await seed(store, tables, hall.time.now())
    await store.database.close()
    shown = await hall.show()
    gc.collect()
    async with hall.bot() as bot:
        print(json.dumps(asdict(await hall.bring_back(bot, shown))), flush=True)
        await hall.sit_down(bot, shown)
        shown.clear()
        gc.collect()
        print(json.dumps("ready"), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await hall.play(int(line))), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.hall", description=__doc__)
    parser.add_argument("database")
    parser.add_argument("tables", type=int)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    asyncio.run(_serve(arguments.database, arguments.tables))
