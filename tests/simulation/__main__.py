"""Simulates the bot, and says what its judges found.

    python -m tests.simulation --seed 42 --days 365     one seed
    python -m tests.simulation --found                  each line of found.txt
    python -m tests.simulation --cpu 600 --seed 1000    one seed after the other, for ten minutes of CPU

Each seed runs in a process of its own. What fails is run again with less and less, as long as it still fails the same
way, and the smallest plan is printed as a line for found.txt.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from tests.simulation.one import ENDED
from tests.simulation.plan import Plan

FOUND: Final = Path(__file__).parent / "found.txt"
SHOWN: Final = 25
"""How many of the last steps before a finding are printed."""
MOST_SHRINKING: Final = 12
"""How many times a failing plan is tried with less."""
HANGS_SECONDS: Final = 1_800.0
Outcome = dict[str, Any]


class Ready:
    """A process that has everything ready for a simulation, and forks one for each plan."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "tests.simulation.one", "--serve", *options]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def run(self, plan: Plan) -> Outcome:
        """Simulate a plan."""
        given, said = self._process.stdin, self._process.stdout
        assert given is not None
        assert said is not None
        timer = threading.Timer(HANGS_SECONDS, lambda: os.killpg(self._process.pid, signal.SIGKILL))
        timer.start()
        given.write(f"{plan}\n")
        given.flush()
        last = ""
        for line in said:
            if line.startswith(ENDED):
                break
            if last:
                print(last, end="")
            last = line
        timer.cancel()
        try:
            return json.loads(last)
        except ValueError:
            return _broken(plan, f"no end, or none in {HANGS_SECONDS:.0f} s")

    @property
    def there(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None


_own: Final = threading.local()


def run(plan: Plan, *options: str) -> Outcome:
    """Run a plan in a process of its own, with `options` of `one.py`; this thread's next one begins at once."""
    ready: Ready | None = getattr(_own, "ready", None)
    if ready is None or not ready.there:
        ready = _own.ready = Ready(*options)
    return ready.run(plan)


def _broken(plan: Plan, why: str) -> Outcome:
    nothing: Outcome = {"counts": {}, "presses": 0, "days": 0, "hash": "", "last": [], "cpu": 0.0}
    return {**nothing, "plan": str(plan), "findings": [{"kind": "broken", "what": why, "at": 0.0}]}


def shrunk(plan: Plan, outcome: Outcome) -> tuple[Plan, Outcome]:
    """Find a smaller plan that still fails with the first finding's kind."""
    kind = outcome["findings"][0]["kind"]
    tries = 0

    def fails(smaller: Plan) -> bool:
        nonlocal plan, outcome, tries
        if tries == MOST_SHRINKING or smaller == plan:
            return False
        tries += 1
        found = run(smaller)
        if all(each["kind"] != kind for each in found["findings"]):
            return False
        plan, outcome = smaller, found
        return True

    while plan.presses > 20 and fails(replace(plan, presses=plan.presses // 2)):
        pass
    met = sorted({name.removeprefix("begun ") for name in outcome["counts"] if name.startswith("begun ")})
    if not fails(replace(plan, faults="none")) and len(met) > 1:
        for name in met:
            fails(replace(plan, faults=",".join(each for each in _named(plan, met) if each != name)))
    while plan.people > 2 and fails(replace(plan, people=plan.people // 2)):
        pass
    return plan, outcome


def _named(plan: Plan, met: list[str]) -> list[str]:
    return met if plan.faults == "all" else plan.faults.split(",")


def found_plans() -> Iterator[Plan]:
    """The plans of found.txt."""
    lines = (line.strip() for line in FOUND.read_text().splitlines())
    return (Plan.read(line) for line in lines if line and not line.startswith("#"))


def new_plans(given: argparse.Namespace) -> Iterator[Plan]:
    """The other plans that were asked for."""
    seed = 1 if given.seed is None else given.seed
    number = 0 if given.found else 1
    numbers = count(seed) if given.cpu else range(seed, seed + (given.seeds or number))
    return (Plan.of(given, seed=each) for each in numbers)


def tell(outcome: Outcome) -> None:
    """Print what came of a plan."""
    findings = outcome["findings"]
    how = f"{len(findings)} findings" if findings else "nothing found"
    print(
        f"{outcome['plan']}: {how} in {outcome['presses']} presses, {outcome['days']} days, {outcome['cpu']} s of CPU;"
        f" {outcome['hash'][:16]}",
        flush=True,
    )


def explain(outcome: Outcome) -> None:
    """Print the last steps before a finding, the findings, and the line for found.txt."""
    print("the last steps:")
    for line in outcome["last"][-SHOWN:]:
        print("   ", line[:300])
    for each in outcome["findings"][:5]:
        print(f"found ({each['kind']}):", each["what"][:3_000])
    print("as a line of found.txt:")
    print(f"{outcome['plan']}  # {outcome['findings'][0]['kind']}", flush=True)


def main() -> int:
    """Run what was asked for; the exit code is 1 if anything was found."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m tests.simulation", description=__doc__, formatter_class=as_written)
    Plan.options(parser)
    parser.add_argument("--found", action="store_true", help="run the plans of found.txt")
    parser.add_argument("--seeds", type=int, default=0, help="how many seeds, one after the other")
    parser.add_argument("--cpu", type=float, default=0.0, help="run seeds for so many seconds of CPU")
    parser.add_argument("--at-once", type=int, default=max(1, (os.cpu_count() or 1)), help="how many at the same time")
    parser.add_argument("--aloud", action="store_true", help="print every step")
    parser.add_argument("--as-found", action="store_true", help="don't look for a smaller plan that fails")
    given = parser.parse_args()
    again = _outcomes(given, found_plans()) if given.found else []
    new = _outcomes(given, new_plans(given), cpu=given.cpu)
    failed = [each for each in (*again, *new) if each["findings"]]
    for outcome in failed[:3]:
        plan = Plan.read(outcome["plan"])
        if not given.as_found and plan.seed and outcome["presses"]:
            explain(shrunk(plan, outcome)[1])
        else:
            explain(outcome)
    return 1 if failed else 0


def _outcomes(given: argparse.Namespace, plans: Iterator[Plan], *, cpu: float = 0.0) -> Iterable[Outcome]:
    """Run plans, some at the same time, for so many seconds of CPU if `cpu` is given, and tell of each."""
    spent, presses, hours, counts = 0.0, 0, 0.0, Counter[str]()
    outcomes: list[Outcome] = []
    options = ["--aloud"] if given.aloud else []
    with ThreadPoolExecutor(given.at_once) as pool:
        while some := list(islice(plans, given.at_once)):
            for outcome in pool.map(lambda plan: run(plan, *options), some):
                tell(outcome)
                outcomes.append(outcome)
                spent += outcome["cpu"]
                presses += outcome["presses"]
                hours += 24 * outcome["days"]
                counts.update(outcome["counts"])
            if cpu and spent >= cpu:
                break
    if len(outcomes) > 1:
        each = f"{1_000 * spent / max(1, presses):.1f} ms a press"
        print(f"{len(outcomes)} plans, {presses} presses, {hours / 24:.0f} days, {spent:.0f} s of CPU, {each}")
        begun = [f"{name[6:]} {number}" for name, number in sorted(counts.items()) if name.startswith("begun ")]
        print("faults:", ", ".join(begun))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
