"""A process is replaced by another again and again while people play: each click is answered, and only once.

Each process is of a newer version than the one before, and adds to the tables while that one goes on serving.
"""

import signal
from pathlib import Path

from bot.platform.database.upgrade import newest
from bot.schema import SCHEMA
from tests.wire.faults import CALLBACKS
from tests.wire.figures import Figures
from tests.wire.fleet import Fleet, ShardProcess, fleet
from tests.wire.ledger import Ledger
from tests.wire.world import Wire

CLICKS_PER_SECOND = 16
"""The most clicks at all tables together, so that people don't wait for the machine."""
TAKES_SECONDS = 12.0
"""How long Discord takes an answer. On a loaded machine its three seconds are over before a process has started."""
DEFERRALS = (5, 6)
_ANSWERED = 40060
_READY = "Ready to take"


async def updating(folder: Path, database: str, *, updates: int, shards: int, seed: int) -> Figures:
    """Start a second process beside the one that serves these shards, so that it takes over; and so on.

    A process that owns a file ends by itself. On PostgreSQL it is stopped with SIGTERM, or every other time killed.
    """
    figures, ledger = Figures(), Ledger(database)
    all_of_them = f"0-{shards - 1}/{shards}"
    async with fleet(
        folder,
        database,
        (all_of_them, all_of_them),
        count=shards,
        seed=seed,
        started=False,
        turns="0.05",
        launch={"WIRE_SETTLED": "0", "WIRE_TAKES": str(TAKES_SECONDS)},
    ) as f:
        f.realm.answer_seconds = TAKES_SECONDS
        old, new = f.processes
        await f.start(old)
        for party in f.parties:
            party.pause, party.patience = shards / CLICKS_PER_SECOND, TAKES_SECONDS
        async with f.playing():
            await f.wait_for_moves(*f.parties)
            for number in range(updates):
                by = (signal.SIGTERM, signal.SIGKILL)[number % 2] if "://" in database else None
                new.environment["WIRE_STEPS"] = str(number + 1)
                figures.found += await _update(f, old, new, by, f"{int(newest(SCHEMA)) + number + 1:04}")
                figures.updates += 1
                await f.wait_for_moves(*f.parties)
                _look_for_second_answers(f, figures)
                figures.check(f, ledger, allow="code 40060")
                old, new = new, old
        await f.settle()
        _look_for_second_answers(f, figures)
        figures.check(f, ledger, allow="code 40060")
        figures.gather(f, ledger, f.parties)
        figures.unanswered += sum(party.unanswered for party in f.parties)
        figures.found += f.errors()
    return figures


async def _update(f: Fleet, old: ShardProcess, new: ShardProcess, by: signal.Signals | None, version: str) -> list[str]:
    """Replace a process with another, which brings the tables to a version. `by`: a signal to the process replaced.

    Returns what is wrong.
    """
    already = new.log.count(_READY)
    new.start()
    await new.until(lambda: new.log.count(_READY) > already)
    found = [] if f.rows("SELECT version_num FROM escoba_version") == [(version,)] else ["the tables are as they were"]
    if by is not None:
        await f.wait_for_moves(*f.parties)  # on the newer tables
    backing_up = [await _backs_up(process) for process in (old, new)]
    if by is not None:
        old.signal(by)
    code = await old.ended()
    await new.ready()
    expected = -signal.SIGKILL if by is signal.SIGKILL else 0
    if code != expected:
        found.append(f"the process that was replaced ended with exit code {code}")
    if backing_up != [by is None, False]:
        found.append(f"of the two processes those make backups: {backing_up}")
    if f.gateway.turned_away or f.gateway.starts.refused:
        found.append("a session was refused")
    return found


async def _backs_up(process: ShardProcess) -> bool:
    """Whether a process makes daily backups: the one that owns a file does; with a database server none does."""
    _, text = await process.ask("/metrics")
    return "escoba_backup_age_seconds NaN" not in text


def _look_for_second_answers(w: Wire, figures: Figures) -> None:
    """Count second answers. Only a deferral may meet an interaction that another process has already answered."""
    refused = [request for request in w.sent("POST", CALLBACKS) if request.code == _ANSWERED]
    figures.answered_twice += sum(int(request.body["type"]) not in DEFERRALS for request in refused)
