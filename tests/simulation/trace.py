"""What happened, step by step: a hash of everything, and the last steps in words."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from typing import Any, Final

from tests.simulation.machine import Machine

KEPT: Final = 60
"""How many of the last steps are kept in words."""


class Trace:
    """The steps of a simulation. The same seed gives the same `hash`, on any machine with the same minor Python."""

    def __init__(self, machine: Machine, *, aloud: Any = None) -> None:
        self._machine = machine
        self._hash = hashlib.sha256()
        self._aloud = aloud
        self.last: deque[str] = deque(maxlen=KEPT)

    def add(self, line: str, *details: Any) -> None:
        """Add a step: in words, and the details that have to be the same each time."""
        words = f"{self._machine.moment():%m-%d %H:%M:%S.%f} {line}"
        self.last.append(words)
        self._hash.update(words.encode())
        for each in details:
            self._hash.update(json.dumps(each, sort_keys=True, default=str).encode())
        if self._aloud is not None:
            print(words, self.hash[:8], file=self._aloud, flush=False)

    @property
    def hash(self) -> str:
        """The hash of all steps so far."""
        return self._hash.copy().hexdigest()
