"""Plays a scripted match on SimCord and kills itself with SIGKILL during it: `python -m tests.support.killed`.

    python -m tests.support.killed FOLDER [KILL ...]

Each KILL ends a process: `s4` after four steps, `r7` while its seventh request is being sent. Another process then goes
on from the database, but finds its channel empty, as SimCord's world is in memory. After the last KILL the match is
played to its end, and what the database holds is printed as JSON. A step is a click, and depends on the public state
alone. Processes are forked from one that has imported everything and has run nothing.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

from bot.club.store.standing import Leaderboard, Metric
from bot.engine.moves import Play, Stage
from bot.process.stores import Stores
from bot.tables.ids.game import pack
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from tests.support.errors import errors_trapped
from tests.support.escoba import Decks, Room, room
from tests.support.newcomers import nobody_is_new
from tests.support.people import Person
from tests.support.wiretap import Request

GAME = 1
MOST_STEPS = 500
FAILED = 3


class Killer:
    """Kills this process at a step or request, or fails if an error was logged."""

    def __init__(self, kill: str, errors: list[Any]) -> None:
        self.what, self.number = kill[:1], int(kill[1:] or 0)
        self.errors = errors
        self.steps = 0
        self.requests = 0

    def step(self) -> None:
        """Count a step that is done."""
        self.steps += 1
        if self.what == "s" and self.steps == self.number:
            self.kill()

    def __call__(self, _request: Request) -> list[str]:
        """Count a request that is being sent."""
        self.requests += 1
        if self.what == "r" and self.requests == self.number:
            self.kill()
        return []

    def kill(self) -> None:
        """End this process as a power cut would."""
        if self.errors:
            _fail(self.errors)
        os.kill(os.getpid(), signal.SIGKILL)


async def play_until_killed(folder: Path, kill: str, errors: list[Any]) -> int:
    """Play until the kill or the end of the match; returns the number of steps."""
    async with room(folder, 2, chance=Decks("killed")) as here:
        killer = Killer(kill, errors)
        here.tap.watchers.append(killer)
        while await step(here):
            killer.step()
            assert killer.steps < MOST_STEPS, "the match doesn't end"
        return killer.steps


async def step(here: Room) -> bool:
    """Take the step that the table's state asks for; False when the match is over."""
    ana, bea = here.people
    table = here.bot.parts.manager.at(here.channel.id)
    if table is None:
        if await here.bot.parts.stores.games.get(GAME) is not None:
            return False
        await ana.slash(here.channel, "escoba play", target=5)
    elif table.phase is Phase.LOBBY:
        seats = len(table.view().seats)
        verb = {1: "join", 2: "addc"}.get(seats, "start")
        await here.press(bea if verb == "join" else ana, here.shown, verb)
    else:
        await play(here, table)
    return True


async def play(here: Room, table: Table) -> None:
    """Make the next click of the match, or a computer's move."""
    match = table.view().match
    assert match is not None
    if match.stage is Stage.TO_DEAL:
        await here.next_round()
        return
    person = next((person for person in here.people if table.seat_of(person.id) == match.turn), None)
    if person is None:
        await here.wait(0.1)
        return
    view = table.seat_view(match.turn or 0)
    assert view is not None
    move = Random(match.version).choice(view.moves)
    assert isinstance(move, Play)
    await open_panel(here, person)
    if match.laid is None:
        await here.press(person, here.panel(person), "card", str(move.card))
    else:
        message = here.shown if match.version % 2 else here.panel(person)
        await here.press(person, message, "take", str(move.card), pack(move.captured))


async def open_panel(here: Room, person: Person) -> None:
    """Open a person's panel, if this world hasn't shown it yet."""
    if not any(message.flags.ephemeral for message in person.messages(here.channel)):
        await here.press(person, here.shown, "hand")


async def outcome(folder: Path) -> dict[str, Any]:
    """What the database holds in the end."""
    store = await Stores.open(folder / "escoba.sqlite3")
    try:
        row = await store.games.get(GAME)
        assert row is not None
        assert row.guild_id is not None
        page = await store.leaderboards.page(row.guild_id, Leaderboard(Metric.WINS), limit=10, offset=0)
        stats = [await store.leaderboards.stats(row.guild_id, each.user_id) for each in page.rows]
        return {
            "open": len(await store.games.open_games("match")),
            "log": [[entry.version, entry.kind, entry.body] for entry in await store.games.log(GAME)],
            "leaderboard": [str(each) for each in page.rows],
            "rounds": [each.rounds for each in stats],
        }
    finally:
        await store.database.close()


def play_in_child(folder: Path, kill: str) -> tuple[bool, int]:
    """Run a leg of the match in a separate process; returns whether it was killed, and its steps if it wasn't."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        with errors_trapped() as errors:
            steps = asyncio.run(play_until_killed(folder, kill, errors))
        if errors:
            _fail(errors)
        os.write(write, str(steps).encode())
        os._exit(0)
    os.close(write)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(read) as pipe:
        steps = int(pipe.read() or 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True, 0
    if os.waitstatus_to_exitcode(status):
        sys.exit(FAILED)
    return False, steps


def _fail(errors: list[Any]) -> None:
    sys.stderr.write("\n".join(f"logged: {record.getMessage()}" for record in errors) + "\n")
    sys.stderr.flush()
    os._exit(FAILED)


def main(folder: Path, kills: list[str]) -> None:
    """Run the whole chain of processes."""
    nobody_is_new()
    killed = 0
    for kill in kills:
        died, _ = play_in_child(folder, kill)
        killed += died
        if not died:
            break
    _, steps = play_in_child(folder, "")
    found = {"killed": killed, "steps": steps, **asyncio.run(outcome(folder))}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
