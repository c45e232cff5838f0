"""The same seed gives the same simulation; planted faults are found, and those that were found once stay mended."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest

from tests.simulation import __main__ as command
from tests.simulation.plan import Plan
from tests.simulation.planted import PLANTED

SEEDS = 4
"""So many seeds may be needed until a planted fault is found."""


def simulated(plan: str, *options: str, hashes: int = 0) -> dict[str, Any]:
    """What came of a plan, in a process of its own whose strings have these hashes."""
    run = [sys.executable, "-m", "tests.simulation.one", plan, *options]
    environment = {**os.environ, "PYTHONHASHSEED": str(hashes)}
    done = subprocess.run(run, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("faults", ["all", "handed over"])
def test_the_same_seed_gives_the_same_steps_whatever_the_hashes_of_strings(faults: str):
    plan = f"--seed 3 --presses 200 --evenings 24 --often {20 if faults == 'all' else 400} --faults '{faults}'"
    one, other = (simulated(plan, hashes=each) for each in (1, 2))
    assert one["presses"] >= 200
    assert one["counts"]["starts"] > 1, "nothing went wrong"
    assert (one["hash"], one["counts"]) == (other["hash"], other["counts"])


def test_a_process_that_has_everything_ready_takes_the_same_steps_again_and_again():
    plan = Plan(2, presses=20)
    hashes = [command.run(each)["hash"] for each in (plan, Plan(1, presses=20), plan)]
    assert hashes == [hashes[0], hashes[1], simulated(str(plan))["hash"]]
    assert hashes[0] == hashes[2] != hashes[1]


def test_another_seed_gives_other_steps():
    one, other = (simulated(f"--seed {seed} --presses 20 --faults none") for seed in (1, 2))
    assert one["hash"] != other["hash"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str):
    planted, found = PLANTED[name], set[str]()
    seeds = count(Plan.read(planted.plan).seed)  # each version of Python takes another course
    for plan in (str(replace(Plan.read(planted.plan), seed=seed)) for seed in islice(seeds, SEEDS)):
        found |= {each["kind"] for each in simulated(plan, "--planted", name)["findings"]}
        if planted.expected in found:
            return
    raise AssertionError(f"{planted.expected} wasn't found, only {found}")


WEEKS_FAULTS = "5xx,cut,429,killed,power,stopped,handed over,clock set,gateway cut,gateway away"


@pytest.mark.parametrize("days", [6, pytest.param(28, marks=pytest.mark.thorough)])
def test_whoever_answers_notices_by_day_misses_no_turn_and_is_told_twice_a_turn_but_never_at_night(days: int):
    plan = f"--seed 1 --kind weeks --people 4 --days {days} --evenings 1 --faults '{WEEKS_FAULTS}'"
    found = simulated(plan)
    assert found["findings"] == []
    counts = found["counts"]
    assert counts["starts"] > days / 2, "too little went wrong"
    assert counts["turns"] > 3 * days
    assert all(counts[f"told {way}"] > days / 3 for way in ("mention", "private", "daily"))


@pytest.mark.parametrize(
    "line", ["--seed 4", "--seed 4 --days 2.5 --faults '403,gateway cut'", "--seed 1 --people 3 # why"]
)
def test_a_plan_is_written_as_it_is_read(line: str):
    assert str(Plan.read(line)) == line.partition(" #")[0]


def test_a_failing_plan_is_made_smaller_as_long_as_it_fails(monkeypatch: pytest.MonkeyPatch):
    def run(plan: Plan, *_: str) -> dict[str, Any]:
        fails = plan.presses >= 300 and plan.faults != "none" and "killed" in plan.faults.replace("all", "killed")
        findings = [{"kind": "lost", "what": "a move", "at": 1.0}] if fails and plan.people >= 4 else []
        return {"plan": str(plan), "findings": findings, "counts": {"begun killed": 2, "begun 5xx": 1}}

    monkeypatch.setattr(command, "run", run)
    smaller, outcome = command.shrunk(Plan(7), run(Plan(7)))
    assert (smaller.presses, smaller.people, smaller.faults) == (375, 4, "killed")
    assert outcome["findings"]
