"""How many moves are stored per second, by one table and by fifty at once: in a file, and on a local server.

The server is PostgreSQL with its default settings except for memory; on both, each commit reaches the disk.
"""

import asyncio
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.postgres import DURABLE, Cluster, programs
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores

TABLES = (1, 50)
WARM_UP = 3


async def measure(moves: int) -> dict[str, float]:
    """Moves per second by number of tables that write at once; names end in `.pg` on a server, if one is installed."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        figures |= await _measured(str(Path(folder) / "escoba.sqlite3"), moves, "")
    found = programs()
    if found is not None:
        cluster = Cluster(found, DURABLE)
        try:
            figures |= await _measured(cluster.new(), moves, ".pg")
        finally:
            cluster.remove()
    return figures


async def _measured(place: str, moves: int, end: str) -> dict[str, float]:
    store = await Stores.open(place)
    try:
        return {f"store.moves_per_s.{tables}{end}": await _rate(store, tables, moves) for tables in TABLES}
    finally:
        await store.database.close()


async def _rate(store: Stores, tables: int, moves: int) -> float:
    now = datetime.now(UTC)
    games = [
        await store.games.open(
            guild_id=1, channel_id=1000 * tables + n, opener_id=1, locale="es-ES", at=now, entries=[]
        )
        for n in range(tables)
    ]

    async def play(game_id: int, first: int, last: int) -> None:
        for version in range(first, last + 1):
            await store.games.append(game_id, [LogEntry(version, "match", "play 1 7o 3c 5e", now)])

    await asyncio.gather(*(play(game.id, 1, WARM_UP) for game in games))
    each = max(moves // (1 if tables == 1 else 10), 5)
    began = time.perf_counter()
    await asyncio.gather(*(play(game.id, WARM_UP + 1, WARM_UP + each) for game in games))
    return tables * each / (time.perf_counter() - began)
