"""Discord's bad days: which requests are refused, delayed or dropped."""

from __future__ import annotations

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
    """What happens to requests of a method to a path (with `*` in it).

    Without a status the request is answered as usual, after `delay` seconds and not before `held` is set; `drop` cuts
    the connection instead of answering. `applied`: the request takes effect all the same; `hang`: and is answered after
    so many seconds.
    `retry_after` is for 429, `everywhere` makes that one global.
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
        """Whether it has happened as often as it should."""
        return self.times is not None and self.hits >= self.times

    def meets(self, request: Any) -> bool:
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
    """The faults that a test has asked for; the first that meets a request happens to it."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self.injected = 0

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def add(self, method: str, path: str, status: int = 0, **how: Any) -> Fault:
        """Let a fault happen from now on."""
        fault = Fault(method, path, status, **how)
        self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """A good day again."""
        self._faults.clear()

    def of(self, request: Any) -> Fault | None:
        """What happens to this request."""
        for fault in self._faults:
            if fault.meets(request):
                fault.hits += 1
                self.injected += 1
                return fault
        return None
