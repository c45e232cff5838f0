"""`python -m tests.wire.soak`, for `make soak`: runs the long tests in full and prints their figures.

With names of parts, as in `python -m tests.wire.soak stops updates`, it runs only those.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection
from itertools import count
from pathlib import Path

from bench.postgres import Cluster, programs
from bot.engine.rules import PRESETS
from tests.wire.dose import Dose, dose
from tests.wire.expelling import expelling
from tests.wire.figures import Figures
from tests.wire.hanging import hanging
from tests.wire.jumping import JUMPS, jumping
from tests.wire.killing import killing
from tests.wire.racing import racing
from tests.wire.reading import reading
from tests.wire.restoring import restoring
from tests.wire.sinking import sinking
from tests.wire.spying import spying
from tests.wire.stalling import locked_file, stalled_disk, stalling, stalling_beside, stopped_server
from tests.wire.storming import storming
from tests.wire.updating import updating
from tests.wire.uploading import BAD_DAYS, uploading

HANGS = (1, 3, 10, 20, 60)
"""The seconds for which a database hangs."""
BATCH = 25
"""How many kills each database takes before a new one is created."""
STORM_SECONDS = 30.0
Parts = AsyncIterator[Figures]


def main() -> int:
    """Run the parts that are named, or all of them; returns 1 if anything is wrong."""
    os.environ.setdefault("WIRE_DOSE", "soak")
    how = dose()
    began = time.monotonic()
    total = Figures()
    for what, figures in asyncio.run(_all(how, sys.argv[1:])).items():
        _say(f"\n{what}", *figures.lines())
        total += figures
    _say(f"\ntotal, after {time.monotonic() - began:.0f} s", *total.lines())
    return 1 if total.found else 0


async def _all(how: Dose, asked: Collection[str]) -> dict[str, Figures]:
    parts = {
        "kills": _kills,
        "sinkings": _sinkings,
        "stops": _stops,
        "updates": _updates,
        "races": _races,
        "removals": _removals,
        "storms": _storms,
        "uploads": _uploads,
        "presets": _presets,
        "hangs": _hangs,
        "restores": _restores,
        "reads": _reads,
        "jumps": _jumps,
    }
    if unknown := set(asked) - set(parts):
        raise SystemExit(f"no part is called {', '.join(unknown)}: there are {', '.join(parts)}")
    found: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        numbers = count(1)

        def room() -> Path:
            made = Path(folder) / str(next(numbers))
            made.mkdir()
            return made

        for name in asked or parts:
            part = parts[name]
            found[name] = Figures()
            async for figures in part(how, room):
                found[name] += figures
                so_far = found[name]
                _say(f"{name}: {so_far.runs} runs, {so_far.moves} moves, {len(so_far.found)} findings", *figures.found)
    return found


async def _kills(how: Dose, room: Callable[[], Path]) -> Parts:
    """SIGKILL."""
    for number, first in enumerate(range(0, how.kills, BATCH)):
        kills = min(BATCH, how.kills - first)
        yield await killing(room(), kills=kills, tables=how.kill_tables, seed=how.seed + number)


async def _sinkings(how: Dose, room: Callable[[], Path]) -> Parts:
    """SIGKILL of one of two processes on PostgreSQL."""
    cluster = _cluster()
    try:
        for number, first in enumerate(range(0, how.fleet_kills, BATCH)):
            database, kills = cluster.new(), min(BATCH, how.fleet_kills - first)
            yield await sinking(room(), database, kills=kills, seed=how.seed + number)
    finally:
        cluster.remove()


async def _stops(how: Dose, room: Callable[[], Path]) -> Parts:
    """SIGSTOP of a process that serves, and of one that waits."""
    cluster = _cluster()
    try:
        yield await hanging(room(), cluster.new(), stops=how.stops, seed=how.seed)
    finally:
        cluster.remove()


async def _updates(how: Dose, room: Callable[[], Path]) -> Parts:
    shape = {"updates": how.updates, "shards": how.update_shards, "seed": how.seed}
    yield await updating(room(), str(room() / "escoba.sqlite3"), **shape)
    cluster = _cluster()
    try:
        yield await updating(room(), cluster.new(), **shape)
    finally:
        cluster.remove()


async def _removals(how: Dose, room: Callable[[], Path]) -> Parts:
    """Servers that remove the bot and invite it again."""
    yield await expelling(room(), removals=how.removals, tables=how.kill_tables, seed=how.seed)


async def _races(how: Dose, room: Callable[[], Path]) -> Parts:
    for seats in (2, 3, 4):
        yield await racing(room(), seats=seats, tables=how.race_tables, races=how.races, seed=how.seed)


async def _storms(how: Dose, room: Callable[[], Path]) -> Parts:
    for number in range(how.storms):
        yield await storming(room(), tables=how.kill_tables, seconds=STORM_SECONDS, seed=how.seed + number)


async def _uploads(how: Dose, room: Callable[[], Path]) -> Parts:
    """Every way in which only files fail."""
    for fault in BAD_DAYS.values():
        yield await uploading(room(), fault=fault, clicks=how.uploads)


async def _restores(how: Dose, room: Callable[[], Path]) -> Parts:
    """Backups restored below the messages of what they don't hold, and one person who presses two buttons in turn."""
    yield await restoring(room(), restores=how.restores, tables=how.kill_tables, seed=how.seed)


async def _reads(how: Dose, room: Callable[[], Path]) -> Parts:
    """SIGKILL after the bot's own backups, with every command that reads the database beside them."""
    yield await reading(room(), kills=how.reads, tables=how.kill_tables, seed=how.seed)


async def _jumps(how: Dose, room: Callable[[], Path]) -> Parts:
    """The machine's clock is set ahead and back by an hour and by two days."""
    for number in range(how.jumps):
        yield await jumping(room(), jumps=JUMPS, tables=how.kill_tables, seed=how.seed + number)


async def _presets(how: Dose, room: Callable[[], Path]) -> Parts:
    """Every rule system, searched for secrets."""
    for name in list(PRESETS)[: how.presets]:
        for seats in sorted({seating.seats for seating in PRESETS[name].seatings if seating.seats <= 4}):
            yield await spying(room(), preset=name, seats=seats, seed=how.seed)


async def _hangs(how: Dose, room: Callable[[], Path]) -> Parts:
    """A database that hangs while people click."""
    seconds = [each for each in HANGS if each <= how.hangs]
    shape = {"hangs": seconds, "tables": how.kill_tables, "seed": how.seed}
    for make in (locked_file, stalled_disk):
        folder = room()
        yield await stalling(folder, make(folder), **shape)
    cluster = _cluster()
    try:
        for whole in (True, False):
            yield await stalling(room(), stopped_server(cluster, cluster.new(), whole=whole), **shape)
        yield await stalling_beside(room(), cluster, hangs=seconds, seed=how.seed)
    finally:
        cluster.remove()


def _cluster() -> Cluster:
    where = programs()
    if where is None:
        raise SystemExit("PostgreSQL's server isn't installed here (on Debian: apt install postgresql)")
    return Cluster(where)


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
