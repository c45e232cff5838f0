"""How many requests reach Discord within a second when the bot starts over many running tables, as Discord counts them.

Measured by `tests.wire.crowd` in processes of its own: the bot against a Discord that takes 50 requests a second, over
real HTTP.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bench.match import ROOT

CORES: Final = (1.0, 0.5)
"""The parts of a core that the bot has, in turn."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The most requests within a second, how many Discord refused, and the seconds until all tables were shown."""

    busiest: int
    refused: int
    seconds: float


def measure(tables: int) -> Mapping[float, Arrivals]:
    """Start over that many tables, none of which is shown yet, with each part of a core."""
    return {cores: _started(tables, cores) for cores in CORES}


def _started(tables: int, cores: float) -> Arrivals:
    command = f"-m tests.wire.crowd --json --pictures --minutes 0 --tables {tables} --cores {cores}"
    ran = subprocess.run([sys.executable, *command.split()], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    found = json.loads(ran.stdout)
    return Arrivals(max(found["busiest"]), found["refused"], max(found["shown"]))
