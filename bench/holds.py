"""How long each request that a person can make holds the event loop, measured by `tests.process.holds` in a process of
its own."""

import json
import subprocess
import sys
from collections.abc import Mapping

from bench.match import ROOT


def measure(matches: int) -> Mapping[str, float]:
    """Make each request on a server with so many matches of one person; returns milliseconds, the longest first."""
    command = [sys.executable, "-m", "tests.process.holds", str(matches)]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout)
