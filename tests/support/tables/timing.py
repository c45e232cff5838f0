"""Time that only the test moves, and a clock that shows what is scheduled and can wait for work that is due."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, datetime, timedelta

from bot.platform.clock import Clock
from bot.platform.operating.true_time import TrueTime

START = datetime(2026, 3, 14, 12, 0, 0, tzinfo=UTC)


async def spin(times: int = 30) -> None:
    """Give the loop's tasks some turns, for work that needs nothing from outside the loop."""
    for _ in range(times):
        await asyncio.sleep(0)


class Time:
    """A present that stands still until the test moves it; a clock waits in `hold`.

    `off`: by how many seconds the machine's clock is ahead of it. `slept`: for how many the machine was suspended.
    """

    def __init__(self) -> None:
        self.instant = START
        self.off = self.slept = 0.0
        self.parked = 0
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """The present."""
        return self.instant

    def wall(self) -> float:
        """What the machine's clock says."""
        return self.instant.timestamp() + self.off

    def monotonic(self) -> float:
        """What the machine's monotonic clock says."""
        return (self.instant - START).total_seconds() - self.slept

    async def hold(self, waiting: Awaitable[None]) -> None:
        """Wait until something is scheduled on the clock, or time has moved."""
        self.parked += 1
        tasks = [asyncio.ensure_future(waiting), asyncio.ensure_future(self._moved.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._moved.clear()
            self.parked -= 1

    def move_to(self, instant: datetime) -> None:
        """Set the time and wake the clock."""
        self.instant = instant
        self._moved.set()

    async def pass_by(self, seconds: float) -> None:
        """Advance the time in one step and run what is due, if it needs no thread."""
        self.move_to(self.instant + timedelta(seconds=seconds))
        await spin()


class HandClock(Clock):
    """A clock on a `Time`; it advances from one due time to the next and finishes the work of each.

    Args:
        time: what the test moves.
        true: tells what the bot believes to be the time, if that may be something else.

    Attributes:
        ticked: called whenever time has passed as usual.
    """

    def __init__(self, time: Time, true: TrueTime | None = None) -> None:
        super().__init__(time.now if true is None else true.now, time.hold, None if true is None else true.steady)
        self._time = time
        self._true = true
        self._lasting: dict[Hashable, datetime] = {}
        """Durations that are due, on the steady time."""
        self.ticked: Callable[[], None] = lambda: None
        self.due: dict[Hashable, datetime] = {}
        self._latest: dict[Hashable, asyncio.Future[None]] = {}
        self._begun: set[asyncio.Future[None]] = set()

    def schedule(
        self, key: Hashable, when: datetime, callback: Callable[[], Awaitable[None]], *, lasts: bool = False
    ) -> None:
        """Like the clock's; remembers what is due."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def noted() -> None:
            if self._latest.get(key) is done:
                self.due.pop(key, None)
            self._begun.add(done)
            try:
                await callback()
            finally:
                self._begun.discard(done)
                done.set_result(None)

        self.due[key] = when
        self._latest[key] = done
        self._lasting.pop(key, None)
        if lasts:
            self._lasting[key] = when - (self.now() - self.steady())
        super().schedule(key, when, noted, lasts=lasts)

    def cancel(self, key: Hashable) -> None:
        """Like the clock's."""
        self.due.pop(key, None)
        super().cancel(key)

    def _next(self, goal: datetime) -> datetime | None:
        """The earliest time until `goal` at which something is due that may be done."""
        sure = self._true is None or self._true.sure
        ahead = self.now() - self.steady()
        for key in self._lasting.keys() & self.due.keys():
            self.due[key] = self._lasting[key] + ahead
        return min(
            (due for key, due in self.due.items() if due <= goal and (sure or key in self._lasting)), default=None
        )

    async def strike(self, when: datetime) -> None:
        """Set the time and start the work that is due; it may still be running afterwards."""
        late = timedelta() if self._true is None else when - self.now() + timedelta(milliseconds=1)
        self._time.move_to(when if self._true is None else self._time.instant + late)
        self.ticked()
        while self._next(when) is not None:
            await spin(1)

    async def advance(self, seconds: float) -> None:
        """Let this many seconds pass, stopping at each due time until its work is done."""
        goal = self.now() + timedelta(seconds=seconds)
        while next_due := self._next(goal):
            await self.strike(max(next_due, self.now()))
            await self.settle()
        await self.strike(goal)

    async def settle(self) -> None:
        """Wait for the running work."""
        while self._begun:
            await asyncio.wait(self._begun)

    def seconds_to(self, key: Hashable) -> float | None:
        """Seconds until a key is due; None if it isn't scheduled."""
        return (self.due[key] - self.now()).total_seconds() if key in self.due else None
