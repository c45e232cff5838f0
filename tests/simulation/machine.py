"""The machine that the bot runs on: its clocks, its chance and its threads, all of which a seed decides.

Everything here replaces what Python takes from the operating system, for the whole process and for good. So it has to
be called before the bot is imported, and a process simulates one seed.
"""

from __future__ import annotations

import gc
import heapq
import os
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from itertools import count
from typing import Any, Final, NoReturn

BEGINNINGS: Final = (
    *("2026-03-02T09:00", "2026-03-28T20:00", "2026-03-31T18:00", "2026-10-24T20:00", "2026-12-30T18:00"),
    "2028-02-28T18:00",
)
"""When simulations begin, in UTC: on a plain Monday; before clocks change; before a quarter, a year, a February end."""
Work = Callable[[], None]


Due = tuple[float, int, Work]
"""When something happens, a number of its own, and what it is."""


class Machine:
    """The clocks, what is due, and the chance.

    `begin`: the time at which the simulation begins, in UTC; "" leaves that to the seed.
    `now`: the seconds since the beginning, which only pass where the simulation says so. `ahead`: the seconds by which
    the machine's clock is ahead of the true time; `suspended`: those for which its monotonic clock stood still.
    """

    def __init__(self, seed: int = 0, begin: str = "") -> None:
        self._bytes = random.Random()
        self.set_up(seed, begin)

    def set_up(self, seed: int, begin: str = "") -> None:
        """Begin with a seed: whoever has taken this machine's clocks and chance before has those of the seed then."""
        self.seed = seed
        begins = datetime.fromisoformat(begin or self.chance("begin").choice(BEGINNINGS))
        self.begin = begins.replace(tzinfo=UTC).timestamp()
        """The time at which it begins, in seconds since 1970."""
        self.now = 0.0
        self.ahead = 0.0
        self.suspended = 0.0
        self.slept = 0.0
        """The seconds that the work of a thread has slept: its result comes that much later."""
        self._due: list[Due] = []
        self._numbers = count()
        self._bytes.seed(f"{seed}/bytes")
        random.seed(seed)

    def chance(self, what: str) -> random.Random:
        """A source of random numbers for one purpose: what is drawn for another doesn't change what it gives."""
        return random.Random(f"{self.seed}/{what}")

    # ------------------------------------------------------------------------------------------------- clocks
    def true(self) -> float:
        """The true time, in seconds since 1970."""
        return self.begin + self.now

    def wall(self) -> float:
        """What the machine's clock says."""
        return self.true() + self.ahead

    def monotonic(self) -> float:
        """What its other clock says, which nobody can set."""
        return 1_000.0 + self.now - self.suspended

    def moment(self) -> datetime:
        """The true time."""
        return datetime.fromtimestamp(self.true(), UTC)

    # --------------------------------------------------------------------------------------------- what is due
    def at(self, when: float, work: Work) -> None:
        """Do something at a time."""
        heapq.heappush(self._due, (max(when, self.now), next(self._numbers), work))

    def after(self, seconds: float, work: Work) -> None:
        """Do something in a number of seconds."""
        self.at(self.now + seconds, work)

    @property
    def next_at(self) -> float:
        """When the next thing is due; infinity if nothing is."""
        return self._due[0][0] if self._due else float("inf")

    def begin_next(self) -> None:
        """Go to the time of the next thing, and do it."""
        at, _, work = heapq.heappop(self._due)
        self.now = max(self.now, at)
        work()

    # --------------------------------------------------------------------------------------------- the process
    def take_over(self) -> None:
        """Give this process the machine's clocks and chance, and no garbage collection of its own accord."""
        gc.disable()
        for name, told in (("time", self.wall), ("monotonic", self.monotonic), ("perf_counter", self.monotonic)):
            setattr(time, name, told)
            setattr(time, f"{name}_ns", lambda told=told: int(told() * 1e9))
        time.sleep = self._sleep
        os.urandom = random._urandom = self._bytes.randbytes  # type: ignore[attr-defined] - SystemRandom takes it there

    def tell_time(self, *modules: Any) -> None:
        """Give modules this machine's clock that ask for `datetime.now`, which Python itself reads elsewhere."""
        machine = self

        class Told(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return datetime.fromtimestamp(machine.wall(), tz)

        for module in modules:
            module.datetime = Told

    def _sleep(self, seconds: float) -> None:
        self.slept += seconds


class Threads:
    """Stands for `threading.Thread` where the work is done by the loop."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.daemon = True

    def start(self) -> None:
        """Nothing runs by itself."""

    def join(self, timeout: float | None = None) -> None:
        """Nothing has to end."""


def no_thread(*_: Any, **__: Any) -> NoReturn:
    """Stands for what would start a thread or a process that the simulation doesn't know."""
    raise AssertionError("a thread or process was started that isn't simulated")
