"""Faults of the simulated Discord: which requests it refuses, delays or drops."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

CALLBACKS = "/interactions/*/callback"
EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"
PANELS = "/webhooks/*/messages/*"


@dataclass(slots=True)
class Fault:
    """A fault that happens to requests with a method and a path (`*` matches anything).

    Without a status the request is answered as usual, after `delay` seconds and not before `held` is set. `drop`: the
    connection is cut instead. `applied`: the request takes effect nevertheless. `hang`: it takes effect, and is
    answered only after this many seconds. `retry_after` is for a 429, and `everywhere` makes that global. The first
    `skip` requests are spared, and after `times` requests the fault is over.
    """

    method: str
    path: str
    status: int = 0
    code: int = 0
    times: int | None = None
    skip: int = 0
    delay: float = 0.0
    held: asyncio.Event | None = None
    hang: float = 0.0
    drop: bool = False
    applied: bool = False
    retry_after: float = 0.5
    everywhere: bool = False
    where: Callable[[Any], bool] | None = None
    hits: int = 0

    @property
    def over(self) -> bool:
        """Whether it has happened `times` times."""
        return self.times is not None and self.hits >= self.times

    def matches(self, request: Any) -> bool:
        """Whether it happens to a request."""
        if self.over or self.method not in ("*", request.method) or not fnmatch(request.path, self.path):
            return False
        if self.where is not None and not self.where(request):
            return False
        if self.skip:
            self.skip -= 1
            return False
        return True


class Faults:
    """The faults that a test has added; the first one that matches a request happens to it."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self.injected = 0

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def add(self, method: str, path: str, status: int = 0, **how: Any) -> Fault:
        """Add a fault, which happens from now on."""
        fault = Fault(method, path, status, **how)
        self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """End all faults."""
        self._faults.clear()

    def of(self, request: Any) -> Fault | None:
        """The fault that happens to this request, if any."""
        for fault in self._faults:
            if fault.matches(request):
                fault.hits += 1
                self.injected += 1
                return fault
        return None
