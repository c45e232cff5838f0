"""One scheduler for every deadline: a heap of due times and one task that waits for the earliest.

There are two kinds of waits. A *moment* is a time of the day, and people may lose something when it comes: it has to
wait while the time is in doubt. A *duration* runs on whatever the time is. The time and the waiting itself are passed
in from outside, so that tests and the demo can run on simulated time.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

from bot.tables.waiting import UNBROKEN

log = logging.getLogger(__name__)

Callback = Callable[[], Awaitable[None]]
Hold = Callable[[Awaitable[None]], Awaitable[None]]

_SLACK = 64
"""Outdated times that the heap may hold beyond the current ones."""
LOOK_SECONDS: Final = 1.0
"""How often the time is checked."""


def utc_now() -> datetime:
    """The current time, timezone-aware, in UTC."""
    return datetime.now(UTC)


class Clock:
    """Calls back when a key's time has come; each key has one time, and setting it again replaces it.

    Args:
        now: returns the current time, timezone-aware, in UTC.
        hold: wraps the awaitable on which the scheduler waits for the next due time, so that a simulation can tell this
            wait from a hang.
        steady: returns the time without later corrections, for what only measures how much of it passes.

    `look`: checks the time, about once a second, and returns whether moments may come now; None if they always may.
    `outages`: when nobody could do anything, because the bot wasn't there.
    """

    def __init__(
        self,
        now: Callable[[], datetime] = utc_now,
        hold: Hold | None = None,
        steady: Callable[[], datetime] | None = None,
    ) -> None:
        self.now = now
        self.steady = steady or now
        self.look: Callable[[], bool] | None = None
        self.outages = UNBROKEN
        self._hold = hold
        self._heap: list[tuple[datetime, int, Hashable]] = []
        self._due: dict[Hashable, tuple[int, Callback, bool]] = {}
        """For each key the number of its entry in the heap, what to call, and whether it is a duration."""
        self._overdue: list[tuple[datetime, int, Hashable]] = []
        """Moments that have come while the time is in doubt."""
        self._numbers = count()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start calling back; needs a running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="clock")

    async def close(self) -> None:
        """Stop: times that were set are dropped, callbacks under way are awaited."""
        self._due.clear()
        self._heap.clear()
        self._overdue.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await asyncio.gather(*self._running, return_exceptions=True)

    def schedule(self, key: Hashable, when: datetime, callback: Callback, *, lasts: bool = False) -> None:
        """Call `callback` once at `when`; replaces whatever `key` was set to. `lasts`: it is a duration until then."""
        number = next(self._numbers)
        self._due[key] = (number, callback, lasts)
        if len(self._heap) > 2 * len(self._due) + _SLACK:
            self._sweep()
        heapq.heappush(self._heap, (when, number, key))
        if self._heap[0][1] == number:
            self._changed.set()

    def after(self, key: Hashable, seconds: float, callback: Callback, *, lasts: bool = True) -> datetime:
        """Call `callback` once, this many seconds from now; returns the time of the call. `lasts`: as in `schedule`."""
        when = self.now() + timedelta(seconds=seconds)
        self.schedule(key, when, callback, lasts=lasts)
        return when

    def shift(self, seconds: float) -> None:
        """Keep what is left of durations, now that the time was corrected by this many seconds."""
        by = timedelta(seconds=seconds)
        self._sweep()
        self._heap = [(when + by if self._due[key][2] else when, number, key) for when, number, key in self._heap]
        heapq.heapify(self._heap)
        self._changed.set()

    def cancel(self, key: Hashable) -> None:
        """Drop what `key` was set to, if anything."""
        self._due.pop(key, None)

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            if sure := self._is_sure():
                while self._overdue:
                    heapq.heappush(self._heap, self._overdue.pop())
            self._fire_due(sure=sure)
            seconds = self._seconds_to_next()
            if self.look is not None:
                seconds = LOOK_SECONDS if seconds is None else min(seconds, LOOK_SECONDS)
            waiting = self._wait(seconds)
            await (waiting if self._hold is None else self._hold(waiting))

    def _is_sure(self) -> bool:
        try:
            return self.look is None or self.look()
        except Exception:
            log.exception("Could not check the time")
            return False

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _seconds_to_next(self) -> float | None:
        while self._heap and not self._is_live(self._heap[0]):
            heapq.heappop(self._heap)
        if not self._heap:
            return None
        return max(0.0, (self._heap[0][0] - self.now()).total_seconds())

    def _sweep(self) -> None:
        """Drop times that were replaced or cancelled: clicks on panels leave many, a quarter of an hour ahead."""
        self._heap = [item for item in self._heap if self._is_live(item)]
        heapq.heapify(self._heap)

    def _is_live(self, item: tuple[datetime, int, Hashable]) -> bool:
        _, number, key = item
        return key in self._due and self._due[key][0] == number

    def _fire_due(self, *, sure: bool) -> None:
        now = self.now()
        while self._heap and self._heap[0][0] <= now:
            item = heapq.heappop(self._heap)
            if self._is_live(item) and not (sure or self._due[item[2]][2]):
                self._overdue.append(item)
            elif self._is_live(item):
                _, callback, _ = self._due.pop(item[2])
                # A task each, so that one slow table delays no other.
                task = asyncio.create_task(self._call(callback))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _call(self, callback: Callback) -> None:
        try:
            await callback()
        except Exception:
            log.exception("A scheduled callback failed")
