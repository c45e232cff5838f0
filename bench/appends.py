"""What a move costs in the store: one entry appended to a log, against a bare insert and commit in the same file."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bot.store import LogEntry, Store

WARM_UP = 10
PRAGMAS = ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL")
"""As `bot.store.engine` sets them."""


@dataclass(frozen=True, slots=True)
class Appends:
    """Medians in milliseconds: elapsed, which is mostly the disk's, and CPU, of `Store.append` and of bare sqlite3."""

    appends: int
    elapsed: float
    cpu: float
    bare_elapsed: float
    bare_cpu: float


async def measure(appends: int) -> Appends:
    """Append so many entries, in turn through the store and by bare sqlite3 to the log of another game."""
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "escoba.sqlite3"
        store = await Store.open(path)
        try:
            now = datetime.now(UTC)
            games = [
                await store.open_game(guild_id=1, channel_id=n, opener_id=1, locale="es-ES", at=now, entries=[])
                for n in (1, 2)
            ]
            with closing(sqlite3.connect(path, isolation_level=None)) as bare:
                for pragma in PRAGMAS:
                    bare.execute(f"PRAGMA {pragma}")
                for version in range(1, appends + WARM_UP + 1):
                    began = _clocks()
                    await store.append(games[0].id, [LogEntry(version, "match", "play 1 7o 3c 5e", now)])
                    ours.append(_since(began))
                    began = _clocks()
                    bare.execute("BEGIN IMMEDIATE")
                    bare.execute(
                        "INSERT INTO events (game_id, version, kind, body, at) VALUES (?, ?, ?, ?, ?)",
                        (games[1].id, version, "match", "play 1 7o 3c 5e", now.isoformat()),
                    )
                    bare.execute("COMMIT")
                    theirs.append(_since(began))
        finally:
            await store.close()
    elapsed, cpu = zip(*ours[WARM_UP:], strict=True)
    bare_elapsed, bare_cpu = zip(*theirs[WARM_UP:], strict=True)
    return Appends(
        appends, 1000 * median(elapsed), 1000 * median(cpu), 1000 * median(bare_elapsed), 1000 * median(bare_cpu)
    )


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(began: tuple[float, float]) -> tuple[float, float]:
    return time.perf_counter() - began[0], time.process_time() - began[1]
