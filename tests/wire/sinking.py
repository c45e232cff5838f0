"""Many tables play on two processes with one database, and one or the other is killed again and again."""

import asyncio
from pathlib import Path
from random import Random

from tests.support.patience import HANG_SECONDS
from tests.wire.figures import Figures
from tests.wire.fleet import Fleet, fleet
from tests.wire.ledger import Ledger
from tests.wire.players import Party

LONGEST = 1.0
"""The most seconds between two kills."""


async def sinking(folder: Path, database: str, *, kills: int, seed: int) -> Figures:
    """Kill either process at random moments of play and start it again, checking each time that nothing was lost."""
    figures, rng = Figures(), Random(seed)
    async with fleet(folder, database, seed=seed) as f:
        ledger = Ledger(database)
        async with f.playing():
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.05, LONGEST))
                process = rng.choice(f.processes)
                others = [party for party in f.parties if party not in f.parties_of(process)]
                begun = f.gateway.identifies
                await process.kill()
                figures.kills += 1
                figures.check(f, ledger)
                starting = asyncio.create_task(f.start(process))
                figures.found += await stuck(f, figures, others)
                await starting
                figures.found += await stuck(f, figures, f.parties_of(process))
                if f.gateway.identifies != begun + len(process.shards.numbers):
                    figures.found.append("the other process has reconnected, too")
        await f.settle()
        figures.check(f, ledger)
        figures.gather(f, ledger, f.parties)
        figures.found += f.errors()
        for process in f.processes:
            if (code := await process.terminated()) != 0:
                figures.found.append(f"a process ended with exit code {code}")
    return figures


async def stuck(f: Fleet, figures: Figures, parties: list[Party]) -> list[str]:
    """Wait for a move at each of these tables; returns a finding if any is stuck."""
    try:
        await f.wait_for_moves(*parties, seconds=HANG_SECONDS)
    except AssertionError as error:
        figures.stuck += 1
        return [str(error)]
    return []
