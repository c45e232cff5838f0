"""While people play, and others look around, the database hangs: a server, a locked file, a disk that stalls."""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.postgres import Cluster
from tests.support.databases import with_tables
from tests.support.patience import HANG_SECONDS
from tests.wire.figures import Figures
from tests.wire.fleet import HALVES, ShardProcess, fleet
from tests.wire.hanging import LOST, stand_by
from tests.wire.ledger import Ledger
from tests.wire.players import parties
from tests.wire.racing import TWICE
from tests.wire.seen import Shot
from tests.wire.sinking import stuck
from tests.wire.world import Wire, wire

FIRST_SECONDS = 2.0
"""The time in which each click and each command gets a first response, whatever the database does."""
COMMANDS = ("escoba stats", "escoba play", "escoba me", "escoba rules")
PAUSE = 0.15
"""Seconds between two things that curious people do."""


@dataclass(frozen=True, slots=True)
class Hanging:
    """A database's address, and a context manager for a block in which it hangs. `launch`: see `wire`."""

    address: str
    hung: Callable[[], AbstractContextManager[object]]
    launch: tuple[tuple[str, str], ...] = ()


class Lag:
    """The seconds by which this test's own clock was late at most, on a machine with too much to do."""

    most = 0.0

    async def measure(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + PAUSE
            await asyncio.sleep(PAUSE)
            self.most = max(self.most, loop.time() - due)


def stopped_server(cluster: Cluster, address: str, *, whole: bool) -> Hanging:
    """A server whose processes are stopped: `whole`, or all but the one that takes new connections."""
    return Hanging(address, lambda: cluster.stopped(whole=whole))


def locked_file(folder: Path) -> Hanging:
    """A file that another program keeps locked."""
    path = with_tables(folder / "escoba.sqlite3")

    @contextmanager
    def hung() -> Generator[None]:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=HANG_SECONDS)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield

    return Hanging(str(path), hung)


def stalled_disk(folder: Path) -> Hanging:
    """A file on a disk that lets everybody wait who wants something of it."""
    stalled = folder / "stalled"

    @contextmanager
    def hung() -> Generator[None]:
        stalled.touch()
        try:
            yield
        finally:
            stalled.unlink()

    address = str(with_tables(folder / "escoba.sqlite3"))
    return Hanging(address, hung, (("WIRE_STALLED", str(stalled)),))


async def stalling(folder: Path, hanging: Hanging, *, hangs: Sequence[float], tables: int, seed: int) -> Figures:
    """Let the database hang for so many seconds each time; each click gets a first response, and is then dealt with."""
    figures = Figures()
    names = [f"P{n}" for n in range(2 * tables)]
    how = {"database": hanging.address, "launch": dict(hanging.launch)}
    async with wire(folder, names, channels=tables, check=False, **how) as w:
        people, lag = parties(w, seed=seed, rematches=True), Lag()
        ledger = Ledger(hanging.address)
        for seconds in hangs:
            playing = [asyncio.create_task(party.play_on()) for party in people]
            playing.append(asyncio.create_task(lag.measure()))
            figures.stuck += await stuck_channels(w)
            with hanging.hung():
                shots = await _look_around(w, seconds)
            figures.stops += 1
            figures.stuck += await stuck_channels(w)
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
            figures.found += [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
            figures.found += await _unanswered(w, shots)
            figures.slowest_answer = max([figures.slowest_answer, *(s.got.seconds for s in shots if s.got)])
            figures.clicks += len(shots)
            await w.settle()
            figures.check(w, ledger, allow=TWICE)  # an answer is sent again if the machine is too slow to confirm it
        figures.gather(w, ledger, people)
        figures.unanswered += sum(party.unanswered for party in people)
    if figures.unanswered:
        figures.found.append(f"{figures.unanswered} clicks or commands without a first response")
    if figures.slowest_answer > FIRST_SECONDS + lag.most:
        figures.found.append(f"a first response took {figures.slowest_answer:.2f} s")
    if figures.found:
        figures.found.append(f"the test itself was late by up to {lag.most:.2f} s")
    return figures


async def stalling_beside(folder: Path, cluster: Cluster, *, hangs: Sequence[float], seed: int) -> Figures:
    """Let the server of several processes hang, of which one stands by; after that each table is served by one of them.

    The process that stands by may take over. It then claims each click, so Discord refuses some of its deferrals.
    """
    figures, database = Figures(), cluster.new()
    async with fleet(folder, database, (*HALVES, HALVES[0]), seed=seed, started=False) as f:
        f.allowed.append(LOST)
        ledger = Ledger(database)
        serving, other, standby = f.processes
        await f.start(serving, other)
        async with f.playing():
            for seconds in hangs:
                await f.wait_for_moves(*f.parties)
                await stand_by(standby)
                with cluster.stopped(whole=True):
                    await asyncio.sleep(seconds)
                figures.stops += 1
                figures.found += await stuck(f, figures, f.parties)
                figures.check(f, ledger, allow=TWICE)
                serving, standby = await _served_by(f.processes[0], f.processes[2])
        await f.settle()
        figures.check(f, ledger, allow=TWICE)
        figures.gather(f, ledger, f.parties)
        figures.unanswered += sum(party.unanswered for party in f.parties)
        figures.found += f.errors()
    if figures.unanswered:
        figures.found.append(f"{figures.unanswered} clicks without a first response")
    return figures


async def _served_by(*both: ShardProcess) -> tuple[ShardProcess, ShardProcess]:
    """Of two processes with the same shards, return the one that serves, and the one that doesn't."""
    ready = [(await process.ask("/ready"))[0] == 200 for process in both]
    assert sum(ready) == 1, f"{sum(ready)} processes serve the same shards"
    serving, standby = both if ready[0] else both[::-1]
    if not standby.running:
        await standby.ended()
    return serving, standby


async def _look_around(w: Wire, seconds: float) -> list[Shot]:
    """Have people send commands, and click what they see, for so long; returns what they have sent."""
    loop = asyncio.get_running_loop()
    curious = [w.realm.add_person(f"C{n}") for n in range(4)]
    shots: list[Shot] = []
    end = loop.time() + seconds
    while loop.time() < end:
        number = len(shots)
        person, channel = curious[number % 4], w.channels[number % len(w.channels)]
        seen = w.latest(channel, "hand")
        if number % 2 and seen is not None:
            shots.append(w.send_click(person, seen, seen.one("hand")))
        else:
            shots.append(w.send_slash(person, channel, COMMANDS[number // 2 % len(COMMANDS)]))
        await asyncio.sleep(PAUSE)
    return shots


async def stuck_channels(w: Wire) -> int:
    """Wait until a move has been made in each channel; returns the number of channels that are stuck."""
    query = "SELECT channel_id, count(*) FROM events JOIN games ON id = game_id GROUP BY channel_id"
    before, loop = dict(w.rows(query)), asyncio.get_running_loop()
    end, waiting = loop.time() + HANG_SECONDS, set(w.channels)
    while waiting and loop.time() < end:
        await asyncio.sleep(0.05)
        now = dict(w.rows(query))
        waiting = {channel for channel in waiting if now.get(channel, 0) <= before.get(channel, 0)}
    return len(waiting)


async def _unanswered(w: Wire, shots: Sequence[Shot]) -> list[str]:
    """Wait for what follows the first responses; returns a finding for each interaction without it."""
    end = asyncio.get_running_loop().time() + HANG_SECONDS
    while any(not s.done for s in shots) and asyncio.get_running_loop().time() < end:  # noqa: ASYNC110 - the bot does it
        await asyncio.sleep(0.05)
    return [f"{shot} has had {'only a deferral' if shot.got else 'no response'}" for shot in shots if not shot.done]
