"""Several processes play on one database, and one or the other is killed again and again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from tests.support.patience import HANG_SECONDS
from tests.wire.figures import Figures
from tests.wire.fleet import Fleet, fleet
from tests.wire.ledger import Ledger
from tests.wire.players import Party

LONGEST = 1.0
"""Seconds after which one is killed at the latest."""


async def sinking(folder: Path, database: str, *, kills: int, seed: int) -> Figures:
    """Play, kill either process at any moment, start another in its place; look each time whether all is there."""
    figures, rng = Figures(), Random(seed)
    async with fleet(folder, database, seed=seed) as f:
        ledger = Ledger(database)
        async with f.playing():
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.05, LONGEST))
                crew = rng.choice(f.crews)
                others = [party for party in f.parties if party not in f.parties_of(crew)]
                begun = f.gateway.identifies
                await crew.kill()
                figures.kills += 1
                figures.judge(f, ledger)
                starting = asyncio.create_task(f.start(crew))
                figures.found += await _going_on(f, figures, others)
                await starting
                figures.found += await _going_on(f, figures, f.parties_of(crew))
                if f.gateway.identifies != begun + len(crew.shards.numbers):
                    figures.found.append("another process has connected anew, too")
        await f.settle()
        figures.judge(f, ledger)
        figures.gather(f, ledger, f.parties)
        figures.found += f.errors()
        for crew in f.crews:
            if (code := await crew.terminated()) != 0:
                figures.found.append(f"a process has ended with {code}")
    return figures


async def _going_on(f: Fleet, figures: Figures, parties: list[Party]) -> list[str]:
    """What is wrong with tables that are to go on."""
    try:
        await f.goes_on(*parties, seconds=HANG_SECONDS)
    except AssertionError as error:
        figures.stuck += 1
        return [str(error)]
    return []
