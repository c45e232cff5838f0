"""Discord's bad days: which requests are refused, delayed or dropped, and the limits that it always keeps."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

CALLBACKS = "/interactions/*/callback"
EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"
PANELS = "/webhooks/*/messages/*"


@dataclass(slots=True)
class Fault:
    """What happens to requests of a method to a path (with `*` in it).

    Without a status the request is answered as usual, after `delay` seconds; `drop` cuts the connection instead of
    answering. `applied`: the request takes effect all the same; `hang`: and is answered after so many seconds.
    `retry_after` is for 429, `everywhere` makes that one global.
    """

    method: str
    path: str
    status: int = 0
    code: int = 0
    times: int | None = None
    skip: int = 0
    delay: float = 0.0
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


_LIMITED = (
    ("PATCH", re.compile(r"/channels/(\d+)/messages/\d+"), "edit"),
    ("POST", re.compile(r"/channels/(\d+)/messages"), "send"),
    ("DELETE", re.compile(r"/channels/(\d+)/messages/\d+"), "delete"),
)


@dataclass(slots=True)
class Window:
    """How many requests of a bucket came since when."""

    since: float
    count: int = 0


@dataclass(slots=True)
class Rates:
    """Discord's limits on channel messages: so many of a kind in so many seconds, for each channel."""

    most: int = 5
    seconds: float = 5.0
    refused: int = 0
    windows: dict[tuple[str, str], Window] = field(default_factory=dict)

    def headers(self, method: str, path: str) -> tuple[dict[str, str], float | None]:
        """Count a request; the headers of its answer, and in how many seconds to come again if it is one too many."""
        for verb, pattern, name in _LIMITED:
            if verb == method and (found := pattern.fullmatch(path)):
                return self._counted(name, found[1])
        return {}, None

    def _counted(self, name: str, channel: str) -> tuple[dict[str, str], float | None]:
        now = time.monotonic()
        window = self.windows.get((name, channel))
        if window is None or now - window.since >= self.seconds:
            window = self.windows[name, channel] = Window(now)
        window.count += 1
        left = max(0.0, window.since + self.seconds - now)
        headers = limit_headers(f"bucket-{name}", self.most, max(0, self.most - window.count), left)
        if window.count <= self.most:
            return headers, None
        self.refused += 1
        return headers, left


def limit_headers(bucket: str, limit: int, remaining: int, reset_after: float) -> dict[str, str]:
    """The headers by which Discord tells of a limit."""
    return {
        "X-RateLimit-Bucket": bucket,
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{reset_after:.3f}",
    }


def too_many(retry_after: float, *, everywhere: bool) -> tuple[dict[str, str], dict[str, Any]]:
    """Headers and body of an answer 429; `Via` tells it from a ban before Discord's own servers."""
    headers = {"Via": "1.1 google", "Retry-After": f"{retry_after:.3f}"}
    if everywhere:
        headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    else:
        headers["X-RateLimit-Scope"] = "user"
    body = {"message": "You are being rate limited.", "retry_after": round(retry_after, 3), "global": everywhere}
    return headers, body
