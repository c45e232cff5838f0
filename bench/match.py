"""A match between two people on the real bot, both with their panels open, played with clicks as from the gateway."""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from discord.ext import commands
from discord.http import Route

from bench import standin
from bench.standin import Noting, Within, log_in_within
from bot.platform.people import Person
from bot.process.app import EscobaBot, create_bot
from bot.process.parts import Simulation
from bot.settings import Settings
from bot.tables.log.actions import Join, NextRound, Start
from bot.tables.log.events import Config, Phase
from bot.tables.parts import TableParts

ROOT = Path(__file__).parents[1]
CHANNELS = range(300, 1300)
NEW_MESSAGE = 4
"""The type of a reply that doesn't change the clicked message."""
TARGET = 101
"""The highest possible target, so that one match lasts."""
LOOKS, LOOK_SECONDS = 50, 0.1
"""How often to look again for a button that isn't there yet, and after how many seconds each time."""
_PLAYS = re.compile(r"e:(card|take):")
_CALLBACK = re.compile(r"/interactions/\d+/(\d+)-[^/]*-(\d+)/callback")
_WEBHOOK = re.compile(r"/webhooks/\d+/(\d+)-[^/]*-(\d+)/messages/")
_PUBLIC = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?$")

Transport = Within | Noting


@contextmanager
def loopback() -> Iterator[None]:
    """Connect discord.py to a stand-in in a separate process."""
    command = [sys.executable, "-m", "bench.standin"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        usual = Route.BASE
        Route.BASE = f"http://127.0.0.1:{process.stdout.readline().strip()}/api/v10"
        try:
            yield
        finally:
            Route.BASE = usual
            process.stdin.close()


async def logged_in(
    bot: commands.Bot | commands.AutoShardedBot, *, wire: bool, channels: range = CHANNELS
) -> Transport:
    """Log a bot in at the stand-in, on a server with many channels; returns the transport of its requests."""
    http: Any = bot.http
    if wire:
        await bot.login("token")
        transport: Transport = Noting(http._HTTPClient__session)
    else:
        transport = Within()
        await log_in_within(bot, transport)
    http._HTTPClient__session = transport
    state: Any = bot._connection
    state.parsers["GUILD_CREATE"](standin.guild(channels))
    return transport


@asynccontextmanager
async def escoba(
    folder: Path, *, wire: bool = False, pictures: bool = False
) -> AsyncIterator[tuple[EscobaBot, Transport]]:
    """The real bot with a database in the folder, logged in.

    It sends no pictures unless asked: painting them would hide the rest of a click's cost.
    """
    values: dict[str, Any] = {
        "_env_file": None,
        "computer_seconds": 0,
        "clicks_per_10_seconds": 0,
        "requests_per_second": 0,
        # No timers: on a slow machine a player would be notified, and then replaced by a computer, in the meantime.
        "turn_seconds": 0,
        "nudge_seconds": 0,
        "pictures": pictures,
        "idle_days": 0,
    }
    bot = await create_bot(Settings(database=str(folder / "escoba.sqlite3"), **values), Simulation())
    async with bot:
        yield bot, await logged_in(bot, wire=wire)


async def quiet(resting: set[asyncio.Task[Any]]) -> float:
    """Wait until everything that a click has started is done; returns the CPU seconds that the waiting itself took.

    Once there have been many tasks at the same time, listing all tasks stays expensive in Python.
    """
    looking = 0.0
    while True:
        began = time.process_time()
        working = asyncio.all_tasks() - resting
        looking += time.process_time() - began
        if not working:
            return looking
        await asyncio.wait(working)


class ClickCost:
    """The cost of a click: the process's CPU seconds without the stand-in's, and the number of requests.

    `answer` is the event loop's CPU seconds until it sent the first of them, the reply to the click.
    """

    def __init__(self, seconds: float, requests: int, answer: float) -> None:
        self.seconds = seconds
        self.requests = requests
        self.answer = answer


async def cost_of(
    bot: commands.Bot | commands.AutoShardedBot, transport: Transport, event: str, resting: set[asyncio.Task[Any]]
) -> ClickCost:
    """Deliver a gateway event to a bot and measure what it costs."""
    state: Any = bot._connection
    spent, sent = transport.spent, len(transport.sent)
    transport.asked = None
    began, awake = time.process_time(), time.thread_time()
    state.parsers["INTERACTION_CREATE"](json.loads(event))
    looking = await quiet(resting)
    took = time.process_time() - began - looking
    answer = (transport.asked or awake) - awake
    return ClickCost(took - (transport.spent - spent), len(transport.sent) - sent, answer)


class ClickedMatch:
    """A match on the bot: what its messages currently show, and how to press their buttons."""

    def __init__(self, bot: EscobaBot, transport: Transport, channel_id: int, seed: int = 1) -> None:
        self.bot = bot
        self.transport = transport
        self.channel_id = channel_id
        self.people = [Person(10 * channel_id + seat, f"Person {seat}") for seat in (0, 1)]
        self.panels: dict[int, dict[str, Any]] = {}
        self.public: list[Any] = []
        self.random = random.Random(seed)
        self.resting = asyncio.all_tasks()

    async def begin(self, config: Config | None = None) -> None:
        """Open the table, sit down, deal, and open both panels."""
        first, second = self.people
        self.table = await self.bot.parts.manager.open(
            guild_id=standin.GUILD,
            channel_id=self.channel_id,
            opener=first,
            config=config or Config.of_preset("escoba", target=TARGET),
            locale="es-ES",
        )
        await self.table.submit(Join(second))
        await quiet(self.resting)  # its message is posted: nothing is dealt before that
        await self.table.submit(Start(first, self.table.version))
        await quiet(self.resting)
        self.look()
        await self.open_panels()

    async def open_panels(self) -> None:
        """Have both players press *My hand*, as long as the table has it: after a press the round may be over."""
        for person in self.people:
            if (custom_id := self._hand_button()) is not None:
                await self.click(person.id, self.public_message, custom_id)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.table.phase is not Phase.PLAYING

    @property
    def public_message(self) -> dict[str, Any]:
        """The table's current message."""
        link = self.bot.host.of(TableParts).presenter.link(self.table)
        assert link is not None, "the table has been posted"
        return standin.message(int(link.rpartition("/")[2]), self.channel_id, self.public, private=False)

    async def click(self, person_id: int, shown: dict[str, Any], custom_id: str) -> ClickCost:
        """Press a button and wait until everybody sees the result."""
        event = standin.click(person_id, shown, custom_id)
        cost = await cost_of(self.bot, self.transport, event, self.resting)
        self.look()
        return cost

    async def next_play(self) -> tuple[int, dict[str, Any], str]:
        """The person to play next, their panel and a button on it; deals if the round is over."""
        view = self.table.view()
        if view.match is not None and view.match.turn is None:
            for person in self.people:
                if self.table.view().version == view.version:
                    await self.table.submit(NextRound(person, view.version))
            await quiet(self.resting)
            self.look()
        if (choice := self._choice()) is not None:
            return choice
        for _ in range(LOOKS):
            await self._refresh()
            if (choice := self._choice()) is not None:
                return choice
            await asyncio.sleep(LOOK_SECONDS)  # what a late answer should have shown comes with an edit
            await quiet(self.resting)
            self.look()
        raise LookupError("nobody has a button for playing a card")

    def _choice(self) -> tuple[int, dict[str, Any], str] | None:
        for person in self.people:
            panel = self.panels.get(person.id)
            if panel and (choices := [each for each in self.buttons(panel["components"]) if _PLAYS.match(each)]):
                return person.id, panel, self.random.choice(choices)
        return None

    async def _refresh(self) -> None:
        """Reopen the panels: one that was late or couldn't be edited is only updated some seconds later."""
        if self._hand_button() is not None:
            self.panels.clear()
            await self.open_panels()

    def _hand_button(self) -> str | None:
        return next((each for each in self.buttons(self.public) if each.startswith("e:hand:")), None)

    async def play(self) -> ClickCost:
        """Play a card, or choose the capture of a laid card, from a panel."""
        return await self.click(*await self.next_play())

    @staticmethod
    def buttons(components: list[Any]) -> list[str]:
        """The custom_ids of the enabled buttons."""
        nodes = standin.walk(components)
        return [node["custom_id"] for node in nodes if node.get("custom_id") and not node.get("disabled")]

    def look(self) -> None:
        """Process what the bot has shown since the last call."""
        self.take(self.transport.sent)
        self.transport.sent.clear()

    def take(self, requests: Iterable[tuple[str, str, str | None]]) -> None:
        """Process what the bot has shown with some requests."""
        for _, url, body in requests:
            sent = json.loads(body) if body else {}
            if found := _CALLBACK.search(url) or _WEBHOOK.search(url):
                person_id = int(found[1])
                components = (sent.get("data") or sent).get("components")
                if components is None:
                    continue  # a deferred click, or a panel that is being removed
                if person_id not in self.panels:
                    message_id = int(found[2])  # as on Discord, a message is newer than the click that opened it
                elif sent.get("type") == NEW_MESSAGE:
                    raise AssertionError(f"a click was rejected: {components}")
                else:
                    message_id = int(self.panels[person_id]["id"])
                self.panels[person_id] = standin.message(message_id, self.channel_id, components, private=True)
            elif (found := _PUBLIC.search(url)) and int(found[1]) == self.channel_id and "components" in sent:
                self.public = sent["components"]
