"""What a live table costs in memory: in mid-round, posted, with both players' panels open and followed."""

from __future__ import annotations

import gc
import tempfile
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

from bench.match import CHANNELS, Match, escoba

WARM_UP = 5
PLAYS = 24
FEWEST = 10
"""Tables below which a figure means nothing: what the process frees meanwhile for itself is more than one table."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes a table, of all that Python allocated and still holds after a collection, the bot's and discord.py's.

    `fresh`: the cards dealt and both panels open. `played`: after so many `plays` from the panels, which have been
    answered and edited, while deadlines moved.
    """

    tables: int
    plays: int
    fresh: float
    played: float


async def measure(tables: int, plays: int = PLAYS) -> Memory:
    """Begin so many matches in a bot that has warmed up and weigh them; the same with matches that are played on."""
    with tempfile.TemporaryDirectory() as folder:
        async with escoba(Path(folder)) as (bot, transport):
            channels = iter(CHANNELS)

            async def grown(tables: int, plays: int) -> int:
                before = _held()
                for _ in range(tables):
                    match = Match(bot, transport, next(channels))
                    await match.begin()
                    for _ in range(plays):
                        await match.play()
                del match  # what people see is no part of the bot
                return _held() - before

            tracemalloc.start()
            try:
                await grown(WARM_UP, plays)
                fresh = await grown(tables, 0)
                played = await grown(tables, plays)
            finally:
                tracemalloc.stop()
    return Memory(tables, plays, fresh / tables, played / tables)


def _held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
