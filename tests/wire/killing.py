"""Many tables play while the bot is killed again and again."""

import asyncio
from pathlib import Path
from random import Random

from tests.support.patience import HANG_SECONDS
from tests.wire.backups import Backup, wrong_with
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.world import Wire, wire

LONGEST = 1.0
"""The most seconds between two kills, provided that a move has been made at every table."""
BACKUP_EVERY = 4
"""How many kills apart backups are made while the tables play and the bot is killed."""


async def killing(folder: Path, *, kills: int, tables: int, seed: int) -> Figures:
    """Play, kill, check and restart, `kills` times; now and then during a backup, which must be intact."""
    figures = Figures()
    rng = Random(seed)
    async with wire(folder, people=[f"P{n}" for n in range(2 * tables)], channels=tables, check=False) as w:
        people = parties(w, seed=seed, rematches=True)
        ledger = Ledger(w.database)
        for number in range(1, kills + 1):
            backup = None
            if number % BACKUP_EVERY == 0:
                backup = await Backup.begin(w.database, folder / f"backup-{number}.sqlite3")
            figures.found += await _play(w, people, rng.uniform(0.05, LONGEST), figures)
            figures.kills += 1
            figures.check(w, ledger)
            if backup is not None:
                figures.backups += 1
                figures.found += await backup.findings()
            await w.start_bot()
        figures.found += await _play(w, people, LONGEST, figures)
        await w.start_bot()
        await w.settle()
        figures.check(w, ledger)
        figures.gather(w, ledger, people)
        await w.term()
        figures.found += await wrong_with(w.database)
    return figures


async def _play(w: Wire, people: list[Party], seconds: float, figures: Figures) -> list[str]:
    """Have everybody play for `seconds`, or longer until a move has been made at every table; then kill the bot."""
    loop = asyncio.get_running_loop()
    end, limit = loop.time() + seconds, loop.time() + HANG_SECONDS
    before = _versions(w)
    playing = [asyncio.create_task(party.play_on()) for party in people]
    waiting = set(w.channels)
    while (waiting or loop.time() < end) and loop.time() < limit:
        await asyncio.sleep(0.03 if waiting else max(0.0, end - loop.time()))
        now = _versions(w) if waiting else {}
        waiting = {channel for channel in waiting if now.get(channel, 0) <= before.get(channel, 0)}
    await w.kill()
    for task in playing:
        task.cancel()
    ended = await asyncio.gather(*playing, return_exceptions=True)
    figures.stuck += len(waiting)
    failed = [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
    return [f"the table in channel {channel} is stuck" for channel in waiting] + failed


def _versions(w: Wire) -> dict[int, int]:
    return dict(w.rows("SELECT channel_id, count(*) FROM events JOIN games ON id = game_id GROUP BY channel_id"))
