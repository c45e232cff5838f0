"""While people play slow matches with robots, the clock of the bot's machine is set ahead and back."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from bot.process.stores import Stores
from bot.tables.log.events import Phase
from bot.tables.log.history import read_history
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import Party, parties
from tests.wire.racing import TWICE
from tests.wire.stalling import stuck_channels
from tests.wire.world import Wire, wire

HOUR = 3600
DAY = 24 * HOUR
JUMPS = (HOUR, -HOUR, 2 * DAY, -2 * DAY)
NOTICED_SECONDS = 2.5
"""The time in which the bot has noticed that the clock was set, and Discord has told it the time."""
CLOSE = 1.6
"""Seconds by which a deadline may be wrong: Discord tells whole seconds, and so does a table's message."""
_DEADLINE = re.compile(r"<t:(\d+):R>")


class Machine:
    """The machine of a bot, whose clock can be set."""

    def __init__(self, w: Wire) -> None:
        self._file = Path(w.bot.environment["WIRE_CLOCK"])

    def set(self, ahead: float) -> None:
        """Set its clock ahead of the true time, or back."""
        new = self._file.with_suffix(".new")
        new.write_text(str(ahead))
        new.replace(self._file)


@asynccontextmanager
async def on_a_machine(folder: Path, tables: int, *, ahead: float = 0, **how: Any) -> AsyncIterator[Wire]:
    """A bot with a day a turn on a machine whose clock can be set."""
    names = [f"P{n}" for n in range(2 * tables)]
    launch = {"WIRE_CLOCK": str(folder / "clock")}
    settings: dict[str, Any] = {"turn_seconds": DAY, "computer_seconds": 0.1, "launch": launch, **how}
    async with wire(folder, names, channels=tables, started=False, **settings) as w:
        Machine(w).set(ahead)
        for channel_id in w.channels:
            w.realm.deny(channel_id, "create_public_threads")  # so that its slow tables stay in its channels
        await w.start_bot()
        yield w


async def jumping(folder: Path, *, jumps: Sequence[float], tables: int, seed: int) -> Figures:
    """Set the clock and set it right again while people play, and once while the bot is down."""
    figures = Figures()
    async with on_a_machine(folder, tables, check=False) as w:
        people = parties(w, seed=seed, rematches=True)
        for party in people[::2]:
            party.computer = "normal"
        machine, ledger = Machine(w), Ledger(w.database)
        for number, jump in enumerate(jumps):
            for ahead in (jump, 0):
                playing = [asyncio.create_task(party.play_on()) for party in people]
                await asyncio.sleep(1)
                if number % 2 == 0 and ahead == 0:
                    await w.kill()
                    figures.kills += 1
                    machine.set(ahead)
                    await w.start_bot()
                else:
                    machine.set(ahead)
                figures.jumps += 1
                figures.stuck += await stuck_channels(w)
                await asyncio.sleep(NOTICED_SECONDS)
                figures.stuck += await stuck_channels(w)
                await _stop(playing)
                await w.settle()
                figures.found += await deadlines(w, people, figures)
                figures.check(w, ledger, allow=TWICE)
        figures.gather(w, ledger, people)
        missed = w.rows("SELECT count(*) FROM events WHERE kind IN ('turn_missed', 'presence')")[0][0]
        if missed:
            figures.found.append(f"{missed} turns were taken from people")
    return figures


async def deadlines(w: Wire, people: Sequence[Party], figures: Figures) -> list[str]:
    """Compare the deadlines that are shown with when the turns began; returns what is wrong."""
    found: list[str] = []
    store = await Stores.open(w.database)
    try:
        for party in people:
            [(number,)] = w.rows("SELECT max(id) FROM games WHERE channel_id = ?", party.channel_id)
            history = read_history(await store.games.log(number))
            seen = w.latest(party.channel_id, "hand")
            match = history.state.match
            if history.state.phase is not Phase.PLAYING or match is None or match.turn is None or seen is None:
                continue
            late = time.time() - history.wait_began_at.timestamp()
            if not -CLOSE < late < 60:
                found.append(f"game {number}: its turn began {late:.1f} s ago by the log")
            if (shown := _DEADLINE.search(seen.text)) is None:
                continue
            error = abs(int(shown[1]) - history.wait_began_at.timestamp() - DAY)
            figures.deadline_error = max(figures.deadline_error, error)
            if error > CLOSE:
                found.append(f"game {number}: its deadline is wrong by {error:.1f} s")
    finally:
        await store.database.close()
    return found


async def _stop(playing: Sequence[asyncio.Task[None]]) -> None:
    for task in playing:
        task.cancel()
    for task in playing:
        with suppress(asyncio.CancelledError):
            await task
