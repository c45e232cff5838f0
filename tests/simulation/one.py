"""One simulation, in this process or in one that it forks: a process simulates one seed, as it is the machine."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from argparse import ArgumentParser
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.plan import Plan

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

ENDED: Final = "ended with"
"""What is printed after each plan that was read, with the status of the process."""
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - everything put there is in a folder of its own


def prepare() -> Machine:
    """Give this process a machine, import everything, and read what each simulation needs."""
    from tests.simulation.machine import Machine
    from tests.simulation.replaced import replace

    machine = Machine()
    replace(machine)
    for name in ("bot.process.serve", *(f"tests.simulation.{each}" for each in ("faults", "meetings", "planted"))):
        import_module(name)
    from tests.simulation.judges import controls, texts
    from tests.support import schema

    schema.load()
    controls.refusals()
    texts.all_lines()
    return machine


def simulate(machine: Machine, plan: Plan, *, aloud: bool = False, planted: str = "") -> dict[str, Any]:
    """Run a simulation and return what came of it, as JSON: `findings`, `counts`, `hash`, `last` steps, `cpu` seconds.

    `planted`: the name of a fault of `planted.py` that the bot has meanwhile. The machine's clocks, chance and threads
    are this process's from then on.
    """
    cpu = time.process_time
    from tests.simulation.faults import FAULTS, chosen
    from tests.simulation.judges import judges_of
    from tests.simulation.meetings import Duplicate, Friends, Lobbies
    from tests.simulation.planted import PLANTED
    from tests.simulation.replaced import replace_in_bot
    from tests.simulation.town import Town
    from tests.simulation.weeks import Weeks
    from tests.simulation.world import World

    machine.set_up(plan.seed, plan.begin)
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


def serve(machine: Machine, *, aloud: bool) -> None:
    """Simulate each plan of a line of the input in a child, which has everything ready."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                tell(machine, Plan.read(line), aloud=aloud)
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        print(ENDED, status, flush=True)


def tell(machine: Machine, plan: Plan, **how: Any) -> None:
    """Run a plan, and print what came of it, as JSON in the last line."""
    print(json.dumps(simulate(machine, plan, **how)), flush=True)


def main() -> None:
    """Run a plan, or with --serve those that are to come."""
    parser = ArgumentParser()
    parser.add_argument("plan", type=Plan.read, nargs="?")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--aloud", action="store_true")
    parser.add_argument("--planted", default="")
    given = parser.parse_args()
    machine = prepare()
    if given.serve:
        serve(machine, aloud=given.aloud)
    else:
        tell(machine, given.plan, aloud=given.aloud, planted=given.planted)


if __name__ == "__main__":
    main()
    os._exit(0)  # what dead processes left isn't tidied up, as their tasks would go on
