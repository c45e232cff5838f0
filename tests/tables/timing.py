"""Time that only a test moves, and a clock that says what it is set to and when all that was due is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, datetime, timedelta

from bot.tables.clock import Clock

START = datetime(2026, 3, 14, 12, 0, 0, tzinfo=UTC)


async def spin(times: int = 30) -> None:
    """Let everything run that needs nothing from outside the loop."""
    for _ in range(times):
        await asyncio.sleep(0)


class Time:
    """An instant that stands still until it is moved; `hold` parks a clock on it."""

    def __init__(self) -> None:
        self.instant = START
        self.parked = 0
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """The present instant."""
        return self.instant

    async def hold(self, waiting: Awaitable[None]) -> None:
        """Wait until the clock has something new to look at, or time has moved."""
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
        """Make it that late, and let the clock notice."""
        self.instant = instant
        self._moved.set()

    async def pass_by(self, seconds: float) -> None:
        """Let some seconds pass at once, and the clock do what is due; for work that needs no thread."""
        self.move_to(self.instant + timedelta(seconds=seconds))
        await spin()


class HandClock(Clock):
    """A clock on a `Time` that is moved from one due instant to the next, each one's work done before the next."""

    def __init__(self, time: Time) -> None:
        super().__init__(time.now, time.hold)
        self._time = time
        self.due: dict[Hashable, datetime] = {}
        self._begun: set[asyncio.Future[None]] = set()

    def schedule(self, key: Hashable, when: datetime, callback: Callable[[], Awaitable[None]]) -> None:
        """As the clock does, and remember it."""
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
        """As the clock does."""
        self.due.pop(key, None)
        super().cancel(key)

    async def strike(self, when: datetime) -> None:
        """Make it that late; what was due begins, and may still be under way afterwards."""
        self._time.move_to(when)
        while any(due <= when for due in self.due.values()):
            await spin(1)

    async def advance(self, seconds: float) -> None:
        """Let so many seconds pass, stopping at each due instant until its work is done."""
        goal = self.now() + timedelta(seconds=seconds)
        while next_due := min((due for due in self.due.values() if due <= goal), default=None):
            await self.strike(max(next_due, self.now()))
            await self.settle()
        await self.strike(goal)

    async def settle(self) -> None:
        """Wait for the work under way."""
        while self._begun:
            await asyncio.wait(self._begun)

    def seconds_to(self, key: Hashable) -> float | None:
        """In how many seconds a key is due; None if it is set to nothing."""
        return (self.due[key] - self.now()).total_seconds() if key in self.due else None
