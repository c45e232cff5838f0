"""What a live table costs in memory: in mid-round, posted, with both players' panels open and kept up to date."""

import gc
import tempfile
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

from bench.match import CHANNELS, ClickedMatch, escoba

WARM_UP = 5
PLAYS = 24
FEWEST = 10
"""With fewer tables a figure means nothing: the memory that the process happens to free exceeds that of a table."""


@dataclass(frozen=True, slots=True)
class TableMemory:
    """Bytes per table that Python still holds after a garbage collection, including discord.py's.

    `fresh` is measured with the cards dealt and both panels open, `played` after that many `plays` from the panels,
    which were replied to and edited while deadlines moved.
    """

    tables: int
    plays: int
    fresh: float
    played: float


async def measure(tables: int, plays: int = PLAYS) -> TableMemory:
    """Start that many matches in a bot that has warmed up, and measure them; then as many in which cards are played."""
    with tempfile.TemporaryDirectory() as folder:
        async with escoba(Path(folder)) as (bot, transport):
            channels = iter(CHANNELS)

            async def grown(tables: int, plays: int) -> int:
                before = _held()
                for _ in range(tables):
                    match = ClickedMatch(bot, transport, next(channels))
                    await match.begin()
                    for _ in range(plays):
                        await match.play()
                del match  # what people see isn't part of the bot
                return _held() - before

            tracemalloc.start()
            try:
                await grown(WARM_UP, plays)
                fresh = await grown(tables, 0)
                played = await grown(tables, plays)
            finally:
                tracemalloc.stop()
    return TableMemory(tables, plays, fresh / tables, played / tables)


def _held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
