"""How much of a long test is run: a small dose in `make test`, twice that in CI, the full one in `make soak`.

`make test` has to end in minutes, so each small dose is just enough to find the faults that the test is for. DOSE=2
doubles all of them, as `.ci/run` does on its second Python. A test's own variable sets its dose alone: ROUNDS=2000, or
ROUNDS=x2 for twice the usual one, as `.ci/run` does with those that run on its first Python only.

A test marked as thorough checks again what a quicker one has checked (with other rules, on the other database, over the
wire), or takes long for what it may find. A run of the whole suite leaves it out unless THOROUGH is set, as `.ci/run`
does on its first Python.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest


def dose(name: str, usual: int) -> int:
    """How many repetitions to do: as the variable `name` says, else `usual` multiplied by DOSE."""
    asked = os.environ.get(name) or "x" + (os.environ.get("DOSE") or "1")
    return usual * int(asked[1:]) if asked.startswith("x") else int(asked)


def thorough_but(values: Iterable[Any], *usual: Any) -> list[Any]:
    """Parameters for a test that `make test` runs with the usual ones alone, and CI with all values."""
    every = list(values)
    assert all(value in every for value in usual), "a usual value that isn't among all values would run nowhere"
    return [value if value in usual else pytest.param(value, marks=pytest.mark.thorough) for value in every]
