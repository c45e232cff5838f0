"""Measures the cost of slow tables between moves: `python -m bench.slow DATABASE SLOW [QUICK]`, with a new database.

All tables are restored, and both players of each look at their panels. Without quick tables, a quarter of an hour later
nothing is left to be said on any panel: from then on time passes, and whatever the process does is counted.
"""

import argparse
import asyncio
import gc
import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from bench.hall import Hall, seed
from bench.match import ROOT, quiet
from bot.process.app import EscobaBot
from bot.process.stores import Stores

HOURS: Final = 3
OF_THE_BOT: Final = 4
"""The most timers that a process has besides those of its tables."""
_CLICKS: Final = 200
_CLOCK_STEPS: Final = 5
_PANELS_SECONDS: Final = 16 * 60
"""Seconds after which no panel is followed any more."""


@dataclass(frozen=True, slots=True)
class Slow:
    """The cost of tables.

    `resident` is the additional memory per table, in bytes, with both panels open, and `click_ms` the CPU time of a
    click. Of slow tables alone, and per table: `timers` are those that wait between moves, `requests` and `cpu_ms` what
    is spent in an hour between moves; None if there are quick ones, which don't rest.
    """

    resident: float
    click_ms: float
    timers: float | None = None
    requests: float | None = None
    cpu_ms: float | None = None


async def measure(database: str, slow: int, quick: int = 0) -> Slow:
    """Measure that many tables in this process."""
    hall, tables = Hall(database, slow + quick), slow + quick
    store = await Stores.open(database)
    await seed(store, tables, hall.time.now(), slow)
    await store.database.close()
    shown = await hall.show()
    gc.collect()
    async with hall.bot() as bot:
        before, resting = _resident(), asyncio.all_tasks()
        await hall.bring_back(bot, shown)
        await hall.sit_down(bot, shown)
        shown.clear()
        gc.collect()
        resident = (_resident() - before) / tables
        click_ms = mean(await hall.play(_CLICKS))
        if quick:
            return Slow(resident, click_ms)
        for seconds in (_PANELS_SECONDS, 15 * 60):  # on a busy machine the last turn's notification comes late
            await _pass(hall, bot, seconds, resting)
        timers = len(bot.parts.clock._due)
        sent, spent = len(hall.transport.sent), time.process_time()
        for _ in range(HOURS * 4):
            await _pass(hall, bot, 15 * 60, resting)
        requests, took = len(hall.transport.sent) - sent, time.process_time() - spent
        return Slow(resident, click_ms, timers / tables, requests / tables, 1000 * took / tables / HOURS)


def measured_apart(database: str, slow: int, quick: int = 0) -> Slow:
    """Measure in a new process, whose memory holds nothing else."""
    command = [sys.executable, "-m", "bench.slow", database, str(slow), str(quick)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return Slow(**json.loads(done.stdout))


async def _pass(hall: Hall, bot: EscobaBot, seconds: float, resting: set[asyncio.Task[Any]]) -> None:
    """Move time forward, and wait until whatever is due then is done."""
    hall.time.pass_by(bot, seconds)
    for _ in range(_CLOCK_STEPS):  # the clock starts what is due
        await asyncio.sleep(0)
    await quiet(resting)


def _resident() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.slow", description=__doc__)
    parser.add_argument("database")
    parser.add_argument("slow", type=int)
    parser.add_argument("quick", type=int, nargs="?", default=0)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    print(json.dumps(asdict(asyncio.run(measure(arguments.database, arguments.slow, arguments.quick)))))
