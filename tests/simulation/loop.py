"""The event loop of one simulated process: it takes one step at a time, in an order that a seed decides."""

from __future__ import annotations

import asyncio
import heapq
from asyncio import events
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Final

from tests.simulation.machine import Machine

MOST_AT_ONCE: Final = 4
"""Of how many tasks that are ready one is chosen, if their order is left to chance."""
DISK_SECONDS: Final = (0.0002, 0.004)
"""How long work in a thread takes, at least and at most, as long as the disk is well."""


class Loop(asyncio.BaseEventLoop):
    """An event loop that somebody else drives.

    Args:
        machine: has the time, and does the work of threads.
        chance: decides the order of tasks that are ready, and how long work in threads takes.
        shuffles: how often another task than the first that is ready goes on.
    """

    dead = False
    """Whether its process has ended: it takes no further step."""
    frozen = False
    """Whether its process stands still for a while."""

    def __init__(self, machine: Machine, chance: Random, shuffles: float) -> None:
        super().__init__()
        self.machine = machine
        self.stalled_until = 0.0
        """Until when the disk doesn't answer."""
        self.disk: Callable[[Callable[[], Any]], Any] = lambda work: work()
        """Does the work of a thread; a fault may be in its way."""
        self._chance = chance
        self._shuffles = shuffles
        self._ready: deque[asyncio.Handle]
        self._scheduled: list[asyncio.TimerHandle]

    # --------------------------------------------------------------------------------------------------- driving
    @property
    def ready(self) -> bool:
        """Whether there is something to do now."""
        if self.dead or self.frozen:
            return False
        if self._scheduled and self._scheduled[0]._when <= self.machine.monotonic() + 1e-9:
            self._wake_timers()
        return bool(self._ready)

    @property
    def next_at(self) -> float:
        """When the next timer is due, in the machine's time; infinity if none is."""
        if self.dead or self.frozen:
            return float("inf")
        while self._scheduled and self._scheduled[0]._cancelled:
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False
            self._timer_cancelled_count -= 1
        if not self._scheduled:
            return float("inf")
        return self.machine.now + self._scheduled[0]._when - self.machine.monotonic()

    def step(self) -> None:
        """Run one callback that is ready."""
        handle = self._taken()
        if handle._cancelled:
            return
        events._set_running_loop(self)
        try:
            handle._run()
        finally:
            events._set_running_loop(None)

    def _taken(self) -> asyncio.Handle:
        if self._shuffles and self._chance.random() < self._shuffles:
            tasks = 0
            for handle in self._ready:
                if tasks == MOST_AT_ONCE or not isinstance(_task_of(handle), asyncio.Task):
                    break
                tasks += 1
            if tasks > 1:
                place = self._chance.randrange(tasks)
                handle = self._ready[place]
                del self._ready[place]
                return handle
        return self._ready.popleft()

    def _wake_timers(self) -> None:
        now = self.time()
        while self._scheduled and self._scheduled[0]._when <= now + 1e-9:
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False
            if timer._cancelled:
                self._timer_cancelled_count -= 1
            else:
                self._ready.append(timer)

    # ------------------------------------------------------------------------------------------- what tasks call
    def time(self) -> float:
        """The machine's monotonic clock."""
        return self.machine.monotonic()

    def is_running(self) -> bool:
        """Whether it is driven; it always is."""
        return not self.dead

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Do the work of a thread in the loop, at a moment that chance decides."""
        future = self.create_future()
        self.do_later(lambda: func(*args), future)
        return future

    def do_later(self, work: Callable[[], Any], future: asyncio.Future[Any] | None) -> None:
        """Do some work a little later, and give a future the result, or the error."""
        seconds = self._chance.uniform(*DISK_SECONDS) + max(0.0, self.stalled_until - self.machine.now)

        def begin() -> None:
            if self.dead:
                return
            self.machine.slept = 0.0
            result = error = None
            try:
                result = self.disk(work)
            except Exception as raised:
                error = raised
            slept, self.machine.slept = self.machine.slept, 0.0
            if slept:
                self.machine.after(slept, lambda: self._end(future, result, error))
            else:
                self._end(future, result, error)

        self.machine.after(seconds, begin)

    def _end(self, future: asyncio.Future[Any] | None, result: Any, error: Exception | None) -> None:
        if self.dead or future is None or future.done():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def call_soon_threadsafe(self, callback: Callable[..., Any], *args: Any, context: Any = None) -> asyncio.Handle:
        """The same as `call_soon`: there are no other threads."""
        return self.call_soon(callback, *args, context=context)

    def kill(self) -> None:
        """Take no further step, whatever is under way."""
        self.dead = True


def _task_of(handle: asyncio.Handle) -> Any:
    return getattr(handle._callback, "__self__", None)
