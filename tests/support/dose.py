"""How much of a long test is run: a small dose in `make test` and CI, the full one in `make soak`.

`make test` has to end in minutes, so each small dose is just enough to find the faults that the test is for. DOSE=2
doubles all of them. A test's own variable sets its dose alone: ROUNDS=2000.

A test marked as thorough repeats the check of a quicker one (with other rules, on the other database, over the wire),
or takes long for what it may find. A run of the whole suite leaves it out unless THOROUGH is set. `.ci/run` has to end
in minutes, too: it runs a third of the thorough tests (THOROUGH=0/3, 1/3 or 2/3), chosen by the commit, and then as
many more thirds as there is time for.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

import pytest

THIRDS = "0/3", "1/3", "2/3"
LEFT_OUT = {
    "": "without the thorough tests, which THOROUGH=1 adds",
    **{third: f"only thorough tests: share {third} of them" for third in THIRDS},
}
"""What a run of the whole suite reports for each value of THOROUGH; with any other value it leaves nothing out."""


def dose(name: str, usual: int) -> int:
    """How many repetitions to do: as the variable `name` says, else `usual` multiplied by DOSE."""
    asked = os.environ.get(name)
    return int(asked) if asked else usual * int(os.environ.get("DOSE") or 1)


def thorough_but(values: Iterable[Any], *usual: Any) -> list[Any]:
    """Parameters for a test: `make test` runs it with the usual values only, and CI with all of them."""
    every = list(values)
    assert all(value in every for value in usual), "a usual value that isn't among all values would run nowhere"
    return [value if value in usual else pytest.param(value, marks=pytest.mark.thorough) for value in every]


def chosen(thorough: Mapping[str, bool], asked: str) -> set[str]:
    """The node ids of the tests to run for a value of THOROUGH; `thorough` says of each test whether it is thorough."""
    if asked not in LEFT_OUT:
        return set(thorough)
    if asked in THIRDS:
        mine = THIRDS.index(asked)
        return {node for node in thorough if thorough[node] and crc32(node.encode()) % len(THIRDS) == mine}
    return {node for node in thorough if not thorough[node]}
