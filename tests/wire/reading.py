"""Every documented command that reads the database runs while people play and the bot makes its daily backups.

Then the bot is killed: nothing that was shown may be missing.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.platform.database.tools.backup_folder import BackupFolder
from tests.wire.backups import wrong_with
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.players import parties
from tests.wire.process import ROOT
from tests.wire.seen import presses
from tests.wire.world import Wire, wire

BACKUP_SECONDS = 0.5
"""Between two of the bot's own backups, which are a day apart otherwise."""
PLAY_SECONDS = 2.0
REFUSED = 2
"""The exit code of a command that has to be given with the bot stopped."""


async def reading(folder: Path, *, kills: int, tables: int, seed: int) -> Figures:
    """Play beside the bot's own backups and all other readers, and kill the bot; `kills` times."""
    figures = Figures()
    names = [f"P{n}" for n in range(2 * tables)]
    launch = {"WIRE_BACKUPS": str(BACKUP_SECONDS)}
    async with wire(folder, names, channels=tables, check=False, launch=launch) as w:
        people = parties(w, seed=seed, rematches=True, pause=0.1)
        ledger = Ledger(w.database)
        for number in range(1, kills + 1):
            playing = [asyncio.create_task(party.play_on()) for party in people]
            before = backups_of(w)
            await w.bot.until(lambda before=before: backups_of(w) > before)
            figures.found += await read_in_every_way(w, folder / str(number))
            figures.backups += backups_of(w) - before
            await asyncio.sleep(PLAY_SECONDS)
            await w.kill()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            figures.kills += 1
            figures.found += unknown_games(w, ledger.read())
            figures.check(w, ledger)
            await w.start_bot()
        await w.settle()
        figures.check(w, ledger)
        figures.gather(w, ledger, people)
        await w.term()
        figures.found += await wrong_with(w.database)
    return figures


def unknown_games(w: Wire, ledger: Ledger) -> list[str]:
    """Games that were shown, of which nothing is stored."""
    shown = (press for sent in w.requests if sent.status == 200 for press in presses(sent.message.get("components")))
    return [f"game {game} was shown, but isn't stored" for game in {press.game for press in shown} - {*ledger.games, 0}]


def backups_of(w: Wire) -> int:
    """How many backups the bot has made by itself."""
    return len(BackupFolder(w.database).backups())


async def read_in_every_way(w: Wire, folder: Path) -> list[str]:
    """Run the commands that read the database at the same time; returns what is wrong with them."""
    folder.mkdir()
    database, link = str(w.database), folder / "link.sqlite3"
    link.symlink_to(w.database)
    ended = await asyncio.gather(
        run(w, ["check"], 0),
        run(w, ["check", str(link)], 0),
        run(w, ["backup"], 0),
        run(w, ["backup", str(folder / "one.sqlite3")], 0),
        run(w, ["backup", str(folder / "two.sqlite3")], 0),
        run(w, ["backup", str(link)], REFUSED),
        run(w, ["copy", database, str(folder / "copy.sqlite3")], REFUSED),
        run(w, ["restore"], REFUSED),
        run(w, ["settings"], 0),
    )
    # the bot's own backup has the same name if it is made within the same second
    found = [line for line in ended if line and "that file exists already" not in line]
    for name in ("one", "two"):
        found += await wrong_with(folder / f"{name}.sqlite3")
    await asyncio.to_thread(shutil.rmtree, folder)
    return found


async def run(w: Wire, command: Sequence[str], code: int) -> str:
    """Run a command as an operator does; returns what is wrong if it ends with another exit code."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *command),
        cwd=ROOT,
        env={**os.environ, **w.bot.environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    said = output.decode(errors="replace")
    return "" if process.returncode == code else f"`{' '.join(command)}` ended with {process.returncode}: {said}"
