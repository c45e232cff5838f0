"""Time that only the test moves, and a clock that shows what is scheduled and can wait for work that is due."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, datetime, timedelta

from bot.tables.clock import Clock

START = datetime(2026, 3, 14, 12, 0, 0, tzinfo=UTC)


async def spin(times: int = 30) -> None:
    """Give the loop's tasks some turns, for work that needs nothing from outside the loop."""
    for _ in range(times):
        await asyncio.sleep(0)


class Time:
    """A present that stands still until the test moves it; a clock waits in `hold`."""

    def __init__(self) -> None:
        self.instant = START
        self.parked = 0
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """The present."""
        return self.instant

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
    """A clock on a `Time`; it advances from one due time to the next and finishes the work of each."""

    def __init__(self, time: Time) -> None:
        super().__init__(time.now, time.hold)
        self._time = time
        self.due: dict[Hashable, datetime] = {}
        self._begun: set[asyncio.Future[None]] = set()

    def schedule(self, key: Hashable, when: datetime, callback: Callable[[], Awaitable[None]]) -> None:
        """Like the clock's; remembers what is due."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def noted() -> None:
            if self.due.get(key) == when:
                del self.due[key]
            self._begun.add(done)
            try:
                await callback()
            finally:
                self._begun.discard(done)
                done.set_result(None)

        self.due[key] = when
        super().schedule(key, when, noted)

    def cancel(self, key: Hashable) -> None:
        """Like the clock's."""
        self.due.pop(key, None)
        super().cancel(key)

    async def strike(self, when: datetime) -> None:
        """Set the time and start the work that is due; it may still be running afterwards."""
        self._time.move_to(when)
        while any(due <= when for due in self.due.values()):
            await spin(1)

    async def advance(self, seconds: float) -> None:
        """Let this many seconds pass, stopping at each due time until its work is done."""
        goal = self.now() + timedelta(seconds=seconds)
        while next_due := min((due for due in self.due.values() if due <= goal), default=None):
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
