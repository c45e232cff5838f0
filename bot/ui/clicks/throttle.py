"""Rate-limits users who spam buttons, so that they take no time from others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

_WINDOW: Final = timedelta(seconds=10)
_MOST_PEOPLE: Final = 10_000


class Verdict(Enum):
    """What happens to an interaction."""

    SERVED = auto()
    WARNED = auto()
    """It was one too many; the person gets a warning, once in a while."""
    IGNORED = auto()
    """They have had their warning."""


class Throttle:
    """Allows each person a number of interactions in ten seconds.

    Args:
        now: the present instant.
        most: that number; 0 allows any.
    """

    def __init__(self, now: Callable[[], datetime], most: int) -> None:
        self._now = now
        self._most = most
        self._times: dict[int, deque[datetime]] = {}
        self._warned: dict[int, datetime] = {}

    def judge(self, person_id: int) -> Verdict:
        """Whether the person may do one more thing now; if so, it counts."""
        if not self._most:
            return Verdict.SERVED
        now = self._now()
        times = self._times.get(person_id)
        if times is None:
            self._make_room(now)
            times = self._times[person_id] = deque()
        while times and now - times[0] > _WINDOW:
            times.popleft()
        if len(times) < self._most:
            times.append(now)
            return Verdict.SERVED
        warned = self._warned.get(person_id)
        if warned is not None and now - warned <= _WINDOW:
            return Verdict.IGNORED
        self._warned[person_id] = now
        return Verdict.WARNED

    def _make_room(self, now: datetime) -> None:
        if len(self._times) < _MOST_PEOPLE:
            return
        quiet = [person for person, times in self._times.items() if not times or now - times[-1] > _WINDOW]
        for person in quiet:
            del self._times[person]
            self._warned.pop(person, None)
