"""`python -m tests.wire.soak`: the long tests in full, and a table of what came of them; for `make soak`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.wire.dose import Dose, dose
from tests.wire.figures import Figures
from tests.wire.killing import killing
from tests.wire.storming import storming

BATCH = 25
"""Kills of one database, before a new one is begun."""
STORM_SECONDS = 30.0


def main() -> int:
    """Run everything; 1 if anything is wrong."""
    os.environ.setdefault("WIRE_DOSE", "soak")
    how = dose()
    began = time.monotonic()
    total = Figures()
    for what, figures in asyncio.run(_all(how)).items():
        _say(f"\n{what}", *figures.lines())
        total += figures
    _say(f"\nin all, in {time.monotonic() - began:.0f} s", *total.lines(), "", *total.found[:50])
    return 1 if total.found else 0


async def _all(how: Dose) -> dict[str, Figures]:
    killed, storms = Figures(), Figures()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        for number, first in enumerate(range(0, how.kills, BATCH)):
            kills = min(BATCH, how.kills - first)
            killed += await killing(
                _room(folder, f"kill-{number}"), kills=kills, tables=how.kill_tables, seed=how.seed + number
            )
            _say(f"{killed.kills} kills, {killed.moves} moves, {len(killed.found)} findings")
        for number in range(how.storms):
            storms += await storming(
                _room(folder, f"storm-{number}"), tables=how.kill_tables, seconds=STORM_SECONDS, seed=how.seed + number
            )
            _say(f"{storms.runs} storms, {storms.faults} faults, {len(storms.found)} findings")
    return {"SIGKILL": killed, "bad days": storms}


def _room(folder: str, name: str) -> Path:
    made = Path(folder) / name
    made.mkdir()
    return made


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
