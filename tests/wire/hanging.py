"""While people play and nudges are due, a process that stands by for shards hangs, and then the one that has them."""

import asyncio
import signal
from pathlib import Path
from random import Random

from bot.platform.database.ownership.session import DECIDING_SECONDS, FROZEN_SECONDS
from tests.support.patience import HANG_SECONDS
from tests.wire.figures import Figures
from tests.wire.fleet import HALVES, ShardProcess, fleet
from tests.wire.ledger import Ledger
from tests.wire.sinking import LONGEST, stuck

LOST = "Another process has had the shards in the meantime: this one has lost shards 0-1/4"
_WAITS = "Ready to take shards 0-1/4"


async def hanging(folder: Path, database: str, *, stops: int, seed: int) -> Figures:
    """Of three processes with the same shards, stop one that stands by and the one that serves; the third takes over.

    When the process that served continues, it must end at once, and send nothing that changes anything.
    """
    assert FROZEN_SECONDS + DECIDING_SECONDS < HANG_SECONDS
    figures, rng = Figures(), Random(seed)
    shards = (HALVES[0], HALVES[1], HALVES[0], HALVES[0])
    async with fleet(folder, database, shards, seed=seed, started=False, nudge_seconds=1) as f:
        f.allowed.append(LOST)
        ledger = Ledger(database)
        serving, other, *waiting = f.processes
        await f.start(serving, other)
        async with f.playing():
            for _ in range(stops):
                await f.wait_for_moves(*f.parties)
                await asyncio.gather(*(stand_by(process) for process in waiting))
                hung, heir = waiting
                for process in (hung, serving):
                    await asyncio.sleep(rng.uniform(0.05, LONGEST))
                    process.signal(signal.SIGSTOP)
                await heir.ready()
                figures.found += await stuck(f, figures, f.parties_of(heir))
                before = len(f.server.heard)
                serving.signal(signal.SIGCONT)
                if (code := await serving.ended()) != 1:
                    figures.found.append(f"a process that had lost its shards ended with exit code {code}")
                sent = f.server.changes_by(serving.name, before)
                figures.found += [f"sent by a process without its shards: {method} {path}" for method, path in sent]
                hung.signal(signal.SIGCONT)
                figures.found += await stuck(f, figures, f.parties)
                figures.stops += 1
                figures.check(f, ledger)
                serving, waiting = heir, [serving, hung]
        await f.settle()
        figures.check(f, ledger)
        figures.gather(f, ledger, f.parties)
        figures.found += f.errors()
    return figures


async def stand_by(process: ShardProcess) -> None:
    """Start a process, unless it is running, and wait until it stands by for its shards and could serve them.

    One that is stopped while it starts may lose a connection; it then ends, and its supervisor would start it again.
    """
    if process.running:
        return
    already = process.log.count(_WAITS)
    process.start()
    await process.until(lambda: process.log.count(_WAITS) > already)
