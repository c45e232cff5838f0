"""Many tables on a Discord that enforces its limits, with a restart in the middle: what it costs, and who waits.

    python -m tests.wire.crowd --tables 2000 --minutes 20

Two people at each table play a card now and then, as real people do.
"""

import argparse
import asyncio
import json
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bot.platform.eventlog import LogEntry
from bot.platform.people import Person as Player
from bot.process.stores import Stores
from bot.tables.log.codec import encode
from bot.tables.log.events import Config, Joined, Opened
from tests.support.fake_discord.person import Person
from tests.support.tables.hall import Hall, move_by
from tests.support.tables.kit import ANA, BEA
from tests.wire.traffic import busiest, percentile
from tests.wire.world import Wire, wire

THINK_SECONDS = 60.0
"""How long people think about a card, on average."""
MOVES = 20
"""How many cards have been played at each table before the start."""
SHOWN_SECONDS = 1_200.0
QUIET_SECONDS = 2.0
"""Once the bot has sent nothing and been idle for this long, everything has been shown."""
QUOTA_SECONDS = 0.1
"""The period of a limit to the processor, as in containers: the bot runs for its share of each, then stands still."""
_VERBS = ("card", "take")


@dataclass(slots=True)
class Restart:
    """How a start with open tables went, in seconds since the bot connected; `memory` in megabytes.

    `clicked`: how long commands sent right away took at tables that were asleep; `back`: until all tables were awake;
    `shown`: until everything had been sent to Discord. `busiest`: the most requests that arrived within one second, of
    those that count towards the global limit.
    """

    clicked: list[float] = field(default_factory=list)
    back: float = 0.0
    shown: float = 0.0
    sent: int = 0
    busiest: int = 0
    memory: float = 0.0

    def line(self) -> str:
        """The figures as a line of text."""
        slowest = max(self.clicked, default=0.0)
        return (
            f"first commands answered after {percentile(self.clicked, 50):.2f} s (p50), {slowest:.2f} s (slowest); "
            f"all tables back after {self.back:.1f} s, all shown after {self.shown:.1f} s, {self.sent:,} requests, "
            f"at most {self.busiest} in a second; {self.memory:.0f} MB"
        )


@dataclass(slots=True)
class Outcome:
    """The results of a run."""

    starts: list[Restart] = field(default_factory=list)
    refused: int = 0
    refused_by: dict[str, int] = field(default_factory=dict)
    late: int = 0
    moves: int = 0
    lines: list[str] = field(default_factory=list)


class Crowd:
    """The people of all tables."""

    def __init__(self, w: Wire, think: float, seed: object) -> None:
        self.w = w
        self.think = think
        self.rng = Random(str(seed))
        self.late = 0
        self.moves = 0

    def pair(self, number: int) -> Sequence[Person]:
        """The two people at a table."""
        return self.w.people[2 * number : 2 * number + 2]

    async def play(self, seconds: float) -> None:
        """Have everybody play for `seconds`."""
        playing = [asyncio.create_task(self._table(number)) for number in range(len(self.w.channels))]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.sleep(min(5.0, seconds))
            self.w.forget()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _table(self, number: int) -> None:
        channel_id = self.w.channels[number]
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / self.think))
            with suppress(AssertionError):  # a button may be gone; unanswered clicks are counted
                await self._step(channel_id, self.pair(number))

    async def _step(self, channel_id: int, people: Sequence[Person]) -> None:
        table = self.w.latest(channel_id, "hand", "next", "rematch", "join")
        if table is None:
            return
        if again := table.find("next", "rematch", "start"):
            for person in people if again[0].verb == "next" else people[:1]:
                await self._click(person, table, again[0].custom_id)
            return
        if joining := table.find("join"):
            await self._click(people[1], table, joining[0].custom_id)
            return
        for person in people:
            panel = self.w.latest(channel_id, *_VERBS, "panel", viewer=person)
            if panel is None or not panel.presses or panel.presses[0].game != table.presses[0].game:
                await self._click(person, table, table.one("hand"))
                panel = self.w.panel(channel_id, person)
            if cards := panel.find(*_VERBS):
                self.moves += 1
                await self._click(person, panel, self.rng.choice(cards).custom_id)
                return
        for person in people:  # after a restart a panel is updated only once it has been clicked
            await self._click(person, self.w.panel(channel_id, person), self.w.panel(channel_id, person).one("panel"))

    async def _click(self, person: Person, message: Any, custom_id: str) -> None:
        shot = self.w.send_click(person, message, custom_id)
        try:
            await shot.answer(3.0)
        except AssertionError:
            self.late += 1

    async def start(self, clicks: int) -> Restart:
        """Start the bot with its open tables; `clicks` people ask for their cards right away."""
        w, found = self.w, Restart()
        sent, log = len(w.traffic.sent), len(w.log)
        await w.start_bot()
        began = time.monotonic()
        numbers = self.rng.sample(range(len(w.channels)), min(clicks, len(w.channels)))
        shots = [w.send_slash(self.pair(number)[0], w.channels[number], "escoba hand") for number in numbers]
        for shot in shots:
            try:
                found.clicked.append((await shot.answer(60.0)).seconds)
            except AssertionError:
                self.late += 1
        await w.bot.until(lambda: "tables are back" in w.log[log:], SHOWN_SECONDS)
        found.back = time.monotonic() - began
        await w.settle(QUIET_SECONDS, SHOWN_SECONDS)
        counted = [each.at for each in w.traffic.sent[sent:] if each.counts]
        found.busiest = busiest(counted)
        found.shown = max(counted, default=began) - began
        found.sent, found.memory = len(counted), self._memory()
        return found

    def _memory(self) -> float:
        """The bot's memory in megabytes; 0 where there is no /proc."""
        path = Path(f"/proc/{self.w.bot.pid}/status")
        match = re.search(r"VmRSS:\s+(\d+)", path.read_text()) if path.exists() else None
        return 0.0 if match is None else int(match[1]) / 1000


async def seed_tables(w: Wire, folder: Path) -> None:
    """Write a running match into the database for every channel, without a table message."""
    hall = await Hall.build(folder / "model.sqlite3")
    model = await hall.match(ANA, BEA, config=Config.of_preset("escoba", target=21))
    for _ in range(MOVES):
        await model.submit(move_by(model))
    entries = await hall.store.games.log(model.id)
    config = model.view().config
    await hall.close()
    store = await Stores.open(w.database)
    for number, channel_id in enumerate(w.channels):
        first, second = (Player(each.id, each.name) for each in w.people[2 * number : 2 * number + 2])
        own = [
            LogEntry(entry.version, *encode(event), entry.at)
            for entry, event in zip(entries, (Opened(first, config), Joined(second)), strict=False)
        ]
        await store.games.open(
            guild_id=w.realm.guild_id,
            channel_id=channel_id,
            opener_id=first.id,
            locale="es-ES",
            at=entries[0].at,
            entries=[*own, *entries[2:]],
        )
    await store.database.close()


@asynccontextmanager
async def limited(w: Wire, cores: float) -> AsyncGenerator[None]:
    """In the block, let the bot run for only this part of the time; a bot that ends is replaced by the next one."""

    async def hold_back() -> None:
        while True:
            await asyncio.sleep(QUOTA_SECONDS * cores)
            if w.bot.running:
                w.bot.signal(signal.SIGSTOP)
                await asyncio.sleep(QUOTA_SECONDS * (1 - cores))
                w.bot.signal(signal.SIGCONT)

    holding = asyncio.create_task(hold_back()) if cores < 1 else None
    try:
        yield
    finally:
        if holding is not None:
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)
            if w.bot.running:
                w.bot.signal(signal.SIGCONT)


async def crowd(
    folder: Path,
    *,
    tables: int,
    seconds: float,
    think: float = THINK_SECONDS,
    clicks: int = 50,
    seed: object = 1,
    globally: int = 50,
    cores: float = 1.0,
    killed: bool = False,
    **settings: Any,
) -> Outcome:
    """Start with open tables, play for half of the time, restart, and play for the other half.

    `globally`: how many requests a second Discord accepts. `cores`: the part of a core that the bot has. `killed`:
    whether the restart is after a SIGKILL, so that everything has to be shown again. Everything sent is checked, as
    always on the wire.
    """
    found = Outcome()
    names = [f"P{number}" for number in range(2 * tables)]
    usual = {"turn_seconds": 600, "warn_seconds": 30, "computer_seconds": 1.5}
    settings = {**usual, **settings}
    crossing = ["code 40060"] if cores < 1 else []  # a bot that is held back may defer while its answer is on its way
    async with (
        wire(folder, names, channels=tables, as_discord=True, started=False, allow=crossing, **settings) as w,
        limited(w, cores),
    ):
        w.server.rates.globally = globally
        await seed_tables(w, folder)
        people = Crowd(w, think, seed)
        found.starts.append(await people.start(clicks))
        if seconds:
            await people.play(seconds / 2)
            await (w.kill() if killed else w.term())
            found.starts.append(await people.start(clicks))
            await people.play(seconds / 2)
            await w.settle()
        refused = w.traffic.refused
        found.refused, found.refused_by = refused.total(), dict(w.server.rates.refusals)
        found.late, found.moves = people.late, people.moves
        found.lines = [
            *(f"start {number}: {start.line()}" for number, start in enumerate(found.starts, 1)),
            *w.traffic.lines(),
            f"{people.moves:,} cards played, {people.late:,} clicks not answered within 3 s",
        ]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; returns 1 if Discord refused any request."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire.crowd", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=2.0, help="of play; 0: only start with the open tables")
    parser.add_argument("--cores", type=float, default=1.0, help="the part of a core that the bot has")
    parser.add_argument("--killed", action="store_true", help="restart after a SIGKILL, so that all tables are shown")
    parser.add_argument("--pictures", action="store_true", help="show the tables with pictures")
    parser.add_argument("--think", type=float, default=THINK_SECONDS, help="seconds that people think about a card")
    parser.add_argument("--json", action="store_true", help="print only the figures of the starts, as JSON")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="crowd-") as folder:
        found = asyncio.run(
            crowd(
                Path(folder),
                tables=options.tables,
                seconds=60 * options.minutes,
                think=options.think,
                cores=options.cores,
                killed=options.killed,
                pictures=options.pictures,
            )
        )
    if options.json:
        starts = {name: [getattr(each, name) for each in found.starts] for name in ("busiest", "shown", "sent")}
        sys.stdout.write(json.dumps({**starts, "refused": found.refused}))
    else:
        sys.stdout.write("\n".join([*found.lines, ""]))
    return 1 if found.refused else 0


if __name__ == "__main__":
    sys.exit(main())
