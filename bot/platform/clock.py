"""One scheduler for every deadline, and the times that don't count towards one.

The scheduler is a heap of due times and one task that waits for the earliest. There are two kinds of waits. A *moment*
is a time of the day, and people may lose something when it comes: it has to wait while the time is in doubt. A
*duration* runs on whatever the time is, and corrections of that don't change it. The time and the waiting itself are
passed in from outside, so that tests and the demo can run on simulated time.
"""

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from operator import itemgetter
from typing import Final

log = logging.getLogger(__name__)

_GOLDEN: Final = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples modulo 2**64 are spread evenly, however many there are."""


class Breaks:
    """Times in which a clock stands still.

    Args:
        times: the beginning and the end of each, in seconds since 1970, in any order; they may overlap.
    """

    __slots__ = ("times",)

    def __init__(self, times: Iterable[tuple[float, float]] = ()) -> None:
        joined: list[tuple[float, float]] = []
        for begin, end in sorted(times):
            if joined and begin <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            elif begin < end:
                joined.append((begin, end))
        self.times: Final = tuple(joined)

    def running(self, since: datetime, now: datetime) -> float:
        """Count the seconds for which the clock has run between two moments."""
        first, last = since.timestamp(), now.timestamp()
        still = (max(0.0, min(end, last) - max(begin, first)) for begin, end in self.times)
        return (now - since).total_seconds() - sum(still)

    def after(self, since: datetime, seconds: float) -> datetime:
        """The moment at which the clock has run for this many seconds."""
        due = since.timestamp() + seconds
        late = 0.0
        for begin, end in self.times:
            if end > since.timestamp() and begin <= due + late:
                late += end - max(begin, since.timestamp())
        return since + timedelta(seconds=seconds + late)

    def next_change(self, now: datetime) -> datetime | None:
        """Tell when the clock next stops, or goes on."""
        later = [each for times in self.times for each in times if each > now.timestamp()]
        return datetime.fromtimestamp(min(later), UTC) if later else None


UNBROKEN: Final = Breaks()


def spread(number: int) -> float:
    """The fraction by which the wait of something with an id is extended, so that many don't act at the same moment.

    From 0 to a quarter, always the same for an id, and as different as possible for consecutive ids.
    """
    return (number - 1) * _GOLDEN % 2**64 / 2**66  # in whole numbers: a server's id is too large for a float


Callback = Callable[[], Awaitable[None]]
Hold = Callable[[Awaitable[None]], Awaitable[None]]
_Entry = tuple[datetime, int, Hashable]

_SLACK = 64
"""Outdated times that the heap may hold beyond the current ones."""
LOOK_SECONDS: Final = 1.0
"""How often the time is checked."""
AT_ONCE: Final = 10
"""The most callbacks that begin together, however many are due: clicks aren't to wait for all."""
PATIENCE_SECONDS: Final = 0.25
"""Longest wait of the next ones until those are done, as a slow table isn't to delay others."""


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
        self._heaps: dict[bool, list[_Entry]] = {True: [], False: []}
        """Durations, on the steady time, and moments: each with its number and key."""
        self._due: dict[Hashable, tuple[int, Callback]] = {}
        """For each key the number of its entry in a heap, and what to call."""
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
        for heap in self._heaps.values():
            heap.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await asyncio.gather(*self._running, return_exceptions=True)

    def schedule(self, key: Hashable, when: datetime, callback: Callback, *, lasts: bool = False) -> None:
        """Call `callback` once at `when`; replaces whatever `key` was set to. `lasts`: it is a duration until then."""
        number, heap = next(self._numbers), self._heaps[lasts]
        self._due[key] = (number, callback)
        if len(heap) > 2 * len(self._due) + _SLACK:
            # Drop times that were replaced or cancelled: clicks on panels leave many, a quarter of an hour ahead.
            heap[:] = filter(self._is_live, heap)
            heapq.heapify(heap)
        heapq.heappush(heap, (when - (self.now() - self.steady()) if lasts else when, number, key))
        if heap[0][1] == number:
            self._changed.set()

    def after(self, key: Hashable, seconds: float, callback: Callback, *, lasts: bool = True) -> datetime:
        """Call `callback` once, this many seconds from now; returns the time of the call. `lasts`: as in `schedule`."""
        when = self.now() + timedelta(seconds=seconds)
        self.schedule(key, when, callback, lasts=lasts)
        return when

    def cancel(self, key: Hashable) -> None:
        """Drop what `key` was set to, if anything."""
        self._due.pop(key, None)

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            open_heaps = (True, False) if self._is_sure() else (True,)
            begun = self._begin_due(open_heaps)
            if len(begun) == AT_ONCE:
                await asyncio.wait(begun, timeout=PATIENCE_SECONDS)
                continue
            waits = [seconds for lasts in open_heaps if (seconds := self._seconds_to_next(lasts=lasts)) is not None]
            if self.look is not None:
                waits.append(LOOK_SECONDS)
            waiting = self._wait(min(waits, default=None))
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

    def _is_live(self, entry: _Entry) -> bool:
        _, number, key = entry
        return self._is_set(key, number)

    def _is_set(self, key: Hashable, number: int) -> bool:
        return key in self._due and self._due[key][0] == number

    def _begin_due(self, open_heaps: tuple[bool, ...]) -> list[asyncio.Task[None]]:
        """Begin what is due, the oldest first, up to `AT_ONCE`."""
        begun: list[asyncio.Task[None]] = []
        while len(begun) < AT_ONCE:
            waits = [
                (seconds, lasts) for lasts in open_heaps if (seconds := self._seconds_to_next(lasts=lasts)) is not None
            ]
            seconds, lasts = min(waits, key=itemgetter(0), default=(1.0, True))
            if seconds > 0:
                break
            _, number, key = heapq.heappop(self._heaps[lasts])
            # A task each, so that one slow table delays no other.
            task = asyncio.create_task(self._call(key, number))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            begun.append(task)
        return begun

    def _seconds_to_next(self, *, lasts: bool) -> float | None:
        """Count the seconds to the next of the durations or the moments; None if there is none."""
        heap, now = self._heaps[lasts], self.steady() if lasts else self.now()
        while heap and not self._is_live(heap[0]):
            heapq.heappop(heap)
        return (heap[0][0] - now).total_seconds() if heap else None

    async def _call(self, key: Hashable, number: int) -> None:
        """Call what a key is set to, unless something that was due earlier has cancelled it or set it again."""
        if not self._is_set(key, number):
            return
        _, callback = self._due.pop(key)
        try:
            await callback()
        except Exception:
            log.exception("A scheduled callback failed")
