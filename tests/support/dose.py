"""How much of a long test is run: a small dose in `make test`, twice that in CI, the full one in `make soak`.

`make test` has to end in minutes, so each small dose is just enough to find the faults that the test is for. DOSE=2
doubles all of them, as `.ci/run` does on its second Python; a test's own variable, such as ROUNDS=2000, sets its dose
alone.
"""

from __future__ import annotations

import os


def dose(name: str, usual: int) -> int:
    """How many repetitions to do: the variable `name`, else `usual` multiplied by DOSE."""
    return int(os.environ.get(name) or usual * int(os.environ.get("DOSE") or 1))
