"""One simulation, in this process: a process simulates one seed, as it is the machine."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tests.simulation.plan import Plan

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - everything put there is in a folder of its own


def simulate(plan: Plan, *, aloud: bool = False, planted: str = "") -> dict[str, Any]:
    """Run a simulation and return what came of it, as JSON: `findings`, `counts`, `hash`, `last` steps, `cpu` seconds.

    `planted`: the name of a fault of `planted.py` that the bot has meanwhile. The machine's clocks, chance and threads
    are this process's from then on.
    """
    cpu = time.process_time
    from tests.simulation.machine import Machine
    from tests.simulation.replaced import replace, replace_in_bot

    machine = Machine(plan.seed, plan.begin)
    replace(machine)
    from tests.simulation.faults import FAULTS, chosen
    from tests.simulation.judges import judges_of
    from tests.simulation.meetings import Duplicate, Friends, Lobbies
    from tests.simulation.planted import PLANTED
    from tests.simulation.town import Town
    from tests.simulation.weeks import Weeks
    from tests.simulation.world import World

    if planted:
        PLANTED[planted].plant()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        world = World(plan, machine, Path(folder), aloud=sys.stdout if aloud else None)
        replace_in_bot(world)
        kinds = {"": Town, "weeks": Weeks, "duplicate": Duplicate, "friends": Friends, "lobbies": Lobbies}
        town = kinds[plan.kind](world, chosen(plan.faults), all_weights=sum(each.weight for each in FAULTS))
        town.presses.judges = judges_of(town)
        began = cpu()
        try:
            town.live()
        except Exception:
            world.found("broken", traceback.format_exc())
    return {
        "plan": str(plan),
        "findings": [asdict(each) for each in world.findings],
        "counts": dict(sorted(world.counts.items())),
        "presses": town.presses.count,
        "days": round(machine.now / 86_400, 2),
        "hash": world.trace.hash,
        "last": list(world.last_before_finding or world.trace.last),
        "cpu": round(cpu() - began, 2),
    }


def main() -> None:
    """Run a plan, and print what came of it, as JSON in the last line."""
    parser = ArgumentParser()
    parser.add_argument("plan", type=Plan.read)
    parser.add_argument("--aloud", action="store_true")
    parser.add_argument("--planted", default="")
    given = parser.parse_args()
    print(json.dumps(simulate(given.plan, aloud=given.aloud, planted=given.planted)), flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)  # what dead processes left isn't tidied up, as their tasks would go on
