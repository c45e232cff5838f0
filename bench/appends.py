"""What a move costs in the store, alone and among many, compared with a bare insert and commit in the same file."""

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores

WARM_UP = 10
AT_ONCE = 50
"""The number of tables that make a move at the same time."""
PRAGMAS = ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL")
"""As `bot.platform.database.sqlite_engine` sets them."""


@dataclass(frozen=True, slots=True)
class Appends:
    """Medians in milliseconds, of `Games.append` and of bare sqlite3: elapsed, which is mostly disk time, and CPU.

    `group_elapsed` and `group_cpu` are the share of one append when AT_ONCE of them run concurrently, each for a game
    of its own.
    """

    appends: int
    elapsed: float
    cpu: float
    group_elapsed: float
    group_cpu: float
    bare_elapsed: float
    bare_cpu: float


async def measure(appends: int) -> Appends:
    """Append entries through the store and with bare sqlite3 in turn, and then to many games at once."""
    alone: list[tuple[float, float]] = []
    at_once: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "escoba.sqlite3"
        store = await Stores.open(path)
        try:
            now = datetime.now(UTC)
            ours, theirs, *many = [
                await store.games.open(guild_id=1, channel_id=n, opener_id=1, locale="es-ES", at=now, entries=[])
                for n in range(2 + AT_ONCE)
            ]
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                for pragma in PRAGMAS:
                    connection.execute(f"PRAGMA {pragma}")
                for version in range(1, appends + WARM_UP + 1):
                    new = [LogEntry(version, "match", "play 1 7o 3c 5e", now)]
                    began = _clocks()
                    await store.games.append(ours.id, new)
                    alone.append(_since(began))
                    began = _clocks()
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute(
                        "INSERT INTO events (game_id, version, kind, body, at) VALUES (?, ?, ?, ?, ?)",
                        (theirs.id, version, "match", "play 1 7o 3c 5e", now.isoformat()),
                    )
                    connection.execute("COMMIT")
                    bare.append(_since(began))
                # Separately: a crowd evicts from the processor's cache what a single append needs.
                for version in range(1, appends // 10 + 3):
                    new = [LogEntry(version, "match", "play 1 7o 3c 5e", now)]
                    began = _clocks()
                    await asyncio.gather(*(store.games.append(game.id, new) for game in many))
                    at_once.append(_since(began))
        finally:
            await store.database.close()
    elapsed, cpu = _medians(alone[WARM_UP:])
    group_elapsed, group_cpu = _medians(at_once[1:])
    bare_elapsed, bare_cpu = _medians(bare[WARM_UP:])
    return Appends(appends, elapsed, cpu, group_elapsed / AT_ONCE, group_cpu / AT_ONCE, bare_elapsed, bare_cpu)


def _medians(costs: list[tuple[float, float]]) -> tuple[float, float]:
    elapsed, cpu = zip(*costs, strict=True)
    return 1000 * median(elapsed), 1000 * median(cpu)


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(began: tuple[float, float]) -> tuple[float, float]:
    return time.perf_counter() - began[0], time.process_time() - began[1]
