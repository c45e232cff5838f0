"""People play while their server removes the bot and invites it again: nothing that was played may be lost."""

import asyncio
from pathlib import Path
from random import Random

from tests.support.fake_discord.membership import expel
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.world import Wire, wire

LONGEST = 1.0
"""The most seconds between a removal and the invitation."""
_OPEN = "SELECT id, (SELECT count(*) FROM events WHERE game_id = id) FROM games WHERE closed_at IS NULL"


async def expelling(folder: Path, *, removals: int, tables: int, seed: int) -> Figures:
    """Play, remove the bot, and invite it again, `removals` times; now and then it is restarted in between.

    Every game that was open at the removal must go on.
    """
    figures = Figures()
    rng = Random(seed)
    async with wire(folder, people=[f"P{n}" for n in range(2 * tables)], channels=tables, check=False) as w:
        people = parties(w, seed=seed, rematches=True)
        ledger = Ledger(w.database)
        for number in range(1, removals + 1):
            await _play(w, people)
            invite = expel(w.realm.backend, w.realm.guild_id, w.realm.guild_payload)
            await w.bot.until(lambda: bool(w.rows("SELECT 1 FROM departures")))
            if number % 3 == 0:
                await w.term()
                await w.start_bot()
            await asyncio.sleep(rng.uniform(0.0, LONGEST))
            asleep = dict(w.rows(_OPEN))
            invite()
            await w.bot.until(lambda: not w.rows("SELECT 1 FROM departures"))
            awake = dict(w.rows(_OPEN))
            figures.removals += 1
            figures.found += [f"game {each} ended with its server" for each in asleep.keys() - awake.keys()]
            figures.check(w, ledger)
        await _play(w, people)
        await w.settle()
        figures.check(w, ledger)
        figures.gather(w, ledger, people)
    return figures


async def _play(w: Wire, people: list[Party]) -> None:
    """Have everybody play until a move has been made at every table."""
    before = _versions(w)
    playing = [asyncio.create_task(party.play_on()) for party in people]
    try:
        await w.bot.until(lambda: all(_versions(w).get(each, 0) > before.get(each, 0) for each in w.channels))
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    await w.settle()


def _versions(w: Wire) -> dict[int, int]:
    return dict(w.rows("SELECT channel_id, count(*) FROM events JOIN games ON id = game_id GROUP BY channel_id"))
