"""What an hour of play leaves in memory, in compressed time and after a quarter of an hour of warming up.

    python -m bench.soak DATABASE MINUTES WARM_UP_MINUTES TABLES

Two people at each of several tables play, miss a deadline now and then, lose their panels, finish matches and start
others, while messages grow old and are posted afresh. The process's memory as the system reports it is compared.
"""

import asyncio
import gc
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.hall import Hall
from bench.match import ROOT, ClickedMatch, quiet
from bot.platform.refusals import Refusal
from bot.process.app import EscobaBot
from bot.tables.log.events import Config
from bot.tables.parts import TableParts

TARGET: Final = 11
"""A low target, so that matches end."""
TABLES: Final = 30
WARM_UP_MINUTES: Final = 15
_STEP: Final = 5.0
"""Simulated seconds between two visits to all tables."""
_MOVES: Final = 1 / 3
"""The probability that somebody at a table moves in a step."""
_AWAY: Final = 1 / 200
"""The probability that people leave a table for long enough that deadlines pass."""
_AWAY_STEPS: Final = 60
_MESSAGE: Final = re.compile(r"/channels/\d+/messages(?:/(\d+))?$")
_OPENED: Final = re.compile(r".*/interactions/\d+/(\d+)-[^/]*/callback")
_NEW: Final = re.compile(r'"type": ?4[,}]')
_PLACE: Final = re.compile(r"/\d+-(\d+)-\d+-\d+/|/channels/(\d+)/")
"""A request's channel, in an interaction's token or in the path."""


Request = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class Soak:
    """The process's bytes after the warm-up and after `minutes` more, and the plays and matches in between."""

    minutes: int
    plays: int
    matches: int
    warm: float
    end: float

    @property
    def ratio(self) -> float:
        """The growth factor."""
        return self.end / self.warm


class Seated(ClickedMatch):
    """A match whose people only look at the table's current message, not at older ones or at pings."""

    def take(self, requests: Iterable[Request]) -> None:
        """Process what the bot has shown with some requests."""
        for request in requests:
            if self._is_of_table(request):
                if (opened := _OPENED.match(request[1])) is not None and _NEW.search(request[2] or ""):
                    self.panels.pop(int(opened[1]), None)  # another takes its place
                super().take([request])

    def _is_of_table(self, request: Request) -> bool:
        _, url, body = request
        if body is None or '"components"' not in body:
            return False  # a message is being removed, a click deferred, or somebody pinged in plain text
        found = _MESSAGE.search(url)
        if found is None:
            return True  # of a panel
        if found[1] is not None:
            link = self.bot.host.of(TableParts).presenter.link(self.table)  # None once its end has been shown
            return link is not None and link.endswith(f"/{found[1]}")
        return True


class Evening:
    """People playing at all tables of a bot."""

    def __init__(self, hall: Hall, bot: EscobaBot) -> None:
        self._hall = hall
        self._bot = bot
        self._resting = asyncio.all_tasks()
        self._random = random.Random(1)
        self._matches: dict[int, Seated] = {}
        self._away: dict[int, int] = defaultdict(int)
        self.plays = self.begun = 0

    async def go_on(self, minutes: float) -> None:
        """Let that many minutes pass."""
        for _ in range(round(60 * minutes / _STEP)):
            self._hall.time.pass_by(self._bot, _STEP)
            await asyncio.sleep(0)
            await quiet(self._resting)
            for channel_id in self._hall.channels:
                await self._look(channel_id)

    async def _look(self, channel_id: int) -> None:
        self._hand_out()
        match = self._matches.get(channel_id)
        if match is None or match.over:
            self._matches[channel_id] = await self._sit_down(channel_id)
            self.begun += 1
        elif self._away[channel_id]:
            self._away[channel_id] -= 1
        elif self._random.random() < _AWAY:
            self._away[channel_id] = _AWAY_STEPS
        elif self._random.random() < _MOVES:
            await self._play(match)

    async def _sit_down(self, channel_id: int) -> Seated:
        match = Seated(self._bot, self._hall.transport, channel_id, seed=self._random.randrange(1 << 30))
        match.resting = self._resting
        await match.begin(Config.of_preset("escoba", target=TARGET))
        return match

    async def _play(self, match: ClickedMatch) -> None:
        try:
            await match.play()
            self.plays += 1
        except (Refusal, LookupError):
            return  # the next round was dealt automatically, or a computer has just played for them

    def _hand_out(self) -> None:
        """Show everybody what the bot has sent on its own."""
        for request in self._hall.transport.sent:
            place = _PLACE.search(request[1])
            if place is not None and (match := self._matches.get(int(place[1] or place[2]))) is not None:
                match.take([request])
        self._hall.transport.sent.clear()


async def _run(database: str, minutes: int, warm_up: int, tables: int) -> Soak:
    hall = Hall(database, tables)
    async with hall.bot(pictures=True) as bot:
        evening = Evening(hall, bot)
        await evening.go_on(warm_up)
        plays, begun, warm = evening.plays, evening.begun, held()
        await evening.go_on(minutes)
        return Soak(minutes, evening.plays - plays, evening.begun - begun, warm, held())


def held() -> int:
    """This process's resident memory in bytes, after a garbage collection."""
    gc.collect()
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def measure(minutes: int, warm_up: int = WARM_UP_MINUTES, tables: int = TABLES) -> Soak:
    """Have people play at that many tables for some minutes of simulated time, in a separate process."""
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "escoba.sqlite3")
        command = [sys.executable, "-m", "bench.soak", database, *map(str, (minutes, warm_up, tables))]
        answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Soak(**json.loads(answer))


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    print(json.dumps(asdict(asyncio.run(_run(sys.argv[1], *map(int, sys.argv[2:]))))))
