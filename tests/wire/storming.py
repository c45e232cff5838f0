"""Many tables play while Discord fails in all kinds of ways; once it works again, everything must be right."""

import asyncio
from pathlib import Path
from random import Random

from tests.support.patience import HANG_SECONDS
from tests.wire.faults import CALLBACKS, EDITS, PANELS, SENDS
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import parties
from tests.wire.racing import TWICE
from tests.wire.world import Wire, wire


async def storming(folder: Path, *, tables: int, seconds: float, seed: int) -> Figures:
    """Play for `seconds` with random faults, then end them, and check that every table shows its newest state."""
    figures = Figures()
    rng = Random(seed)
    names = [f"P{n}" for n in range(2 * tables)]
    async with wire(folder, names, channels=tables, check=False) as w:
        people = parties(w, seed=seed, rematches=True)
        ledger = Ledger(w.database)
        playing = [asyncio.create_task(party.play_on()) for party in people]
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            await _add_fault(w, rng)
            await asyncio.sleep(rng.uniform(0.1, 0.6))
        w.faults.clear()
        w.gateway.delay = 0.0
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await w.bot.until(lambda: w.gateway.online)
        for channel in w.channels:
            w.realm.deny(channel)  # nothing, so that only a change is announced
        late = await _wait_for_newest(w, ledger, figures)
        figures.found += late
        figures.stuck += len(late)
        figures.gather(w, ledger, people)
    return figures


async def _add_fault(w: Wire, rng: Random) -> None:
    """Make one more thing go wrong, at random."""
    some = {"times": rng.randint(1, 4)}
    match rng.randrange(11):
        case 0:
            w.faults.add("PATCH", EDITS, rng.choice((500, 502, 503)), **some)
        case 1:
            w.faults.add("POST", CALLBACKS, rng.choice((500, 502)), times=1, applied=rng.random() < 0.5)
        case 2:
            w.faults.add("PATCH", rng.choice((EDITS, PANELS)), 429, retry_after=rng.uniform(0.1, 1.0), **some)
        case 3:
            w.faults.add("*", "*", 429, retry_after=rng.uniform(0.1, 0.5), everywhere=True, times=1)
        case 4:
            w.faults.add("*", rng.choice((EDITS, PANELS, CALLBACKS)), drop=True, applied=rng.random() < 0.5, times=1)
        case 5:
            w.faults.add("*", rng.choice((EDITS, PANELS, CALLBACKS)), delay=rng.uniform(0.5, 3.5), **some)
        case 6:
            w.faults.add("PATCH", PANELS, *rng.choice(((401,), (404,))), code=50027, times=1)
        case 7:
            w.faults.add("POST", SENDS, rng.choice((500, 503)), **some)
        case 8:
            w.faults.add("*", rng.choice((EDITS, SENDS)), 404, code=10003, **some)
        case 9:
            w.faults.add("*", rng.choice((EDITS, SENDS)), 403, code=rng.choice((50001, 50013)), **some)
        case _:
            await w.gateway.close(4000)


async def _wait_for_newest(w: Wire, ledger: Ledger, figures: Figures) -> list[str]:
    """Wait for the table messages to be brought up to date; returns a finding for each that isn't in time."""
    loop = asyncio.get_running_loop()
    end = loop.time() + HANG_SECONDS
    while True:
        figures.check(w, ledger, allow=TWICE)
        late = _late(w, ledger)
        if loop.time() > end or not (late or ledger.ends_unshown):
            return late
        await asyncio.sleep(0.2)


def _late(w: Wire, ledger: Ledger) -> list[str]:
    found = []
    for game in ledger.games.values():
        if game.closed:
            continue
        shown = [
            game.version_shown([press for press in seen.presses if press.game == game.id], seen.text)
            for seen in w.history(game.channel_id)
        ]
        # A message that has been replaced has no buttons.
        if game.state.move_version not in shown:
            found.append(f"game {game.id} is at version {game.state.move_version}, but versions {shown} are shown")
    return found
