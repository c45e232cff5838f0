"""The day's positions: one for each date of UTC, the same for everybody, found days ahead so that no day lacks one."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from cachetools import LRUCache

from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.operating.meter import Meter
from bot.thinking import Solver
from bot.training.live.exercise import Exercise, ExerciseError
from bot.training.live.finding import find, number_of
from bot.training.store.days import Days

log = logging.getLogger(__name__)

CATCH_UP: Final = 7
"""Days after its own on which a position can still be solved, without counting."""
RESERVE: Final = 7
"""Days ahead for which positions are prepared."""
FIRST_SECONDS: Final = 300
"""Seconds from the start until the search begins: right after a start the bot has more urgent work."""
PAUSE_SECONDS: Final = 60
"""Seconds between the search for one day's position and the next."""
AGAIN_SECONDS: Final = 30 * 60
"""Seconds until the next look when nothing is missing, or nothing could be found."""
KEPT: Final = 32
"""Positions kept in memory."""
SECRET: Final = "day_secret"  # noqa: S105 - the key of a secret
"""The key of the secret that, with the date, seeds the searches: without it nobody can find positions in advance."""
_STARTERS: Final = Path(__file__).with_name("starters.jsonl")


@cache
def starters() -> tuple[Exercise, ...]:
    """Load the positions of three weeks that the bot comes with, in the order of `bot.training.live.finding.PLAN`."""
    return tuple(map(Exercise.load, _STARTERS.read_text(encoding="utf-8").splitlines()))


class DayPositions:
    """The day's positions, and the search for those of the days to come.

    Args:
        stored: keeps them.
        values: keep the secret that they are drawn with.
        clock: tells the day, and when to search.
        solver: takes part in the search; None if this process doesn't search.
        stopped: whether the bot is closing.
        meter: receives the number of days that are prepared.
    """

    def __init__(
        self,
        stored: Days,
        values: KeyValues,
        clock: Clock,
        solver: Solver | None,
        stopped: Callable[[], bool] = bool,
        meter: Meter = Meter(),  # noqa: B008 - it has no state
    ) -> None:
        self._stored, self._values = stored, values
        self._clock = clock
        self._solver = solver
        self._stopped = stopped
        self._meter = meter
        self._kept: LRUCache[date, Exercise] = LRUCache(KEPT)

    @property
    def today(self) -> date:
        """Today's date in UTC."""
        return self._clock.now().date()

    async def of(self, day: date) -> Exercise:
        """Return the position of a day, today or before, the same one for everybody and in all processes.

        Raises:
            ValueError: if that day hasn't come yet: its position must stay secret until then.
            StoreError: if the store fails.
        """
        if day > self.today:
            raise ValueError("that day hasn't come yet")
        found = self._kept.get(day)
        if found is None:
            text = await self._stored.position(day)
            if text is None and day >= self.today - timedelta(days=CATCH_UP):
                text = await self._stored.add_position(day, _starter(day).dump())
            found = _starter(day) if text is None else _read(day, text)
            self._kept[day] = found
        return found

    def start(self) -> None:
        """Start searching for the positions that are missing, one day after another."""
        if self._solver is not None:
            self._clock.after("days", FIRST_SECONDS, self._look)

    async def _look(self) -> None:
        """Find the first position that is missing, and look again soon if there was one."""
        wait = AGAIN_SECONDS
        try:
            if await self.prepare():
                wait = PAUSE_SECONDS
        except StoreError as error:
            if not self._stopped():
                log.warning("Can't prepare the daily positions: %s", error)
        finally:
            if not self._stopped():
                self._clock.after("days", wait, self._look)

    async def prepare(self) -> bool:
        """Find a position for the first day without one, today or in the reserve; return whether one was stored.

        Raises StoreError if the store fails.
        """
        if self._solver is None:
            return False
        first, last = self.today, self.today + timedelta(days=RESERVE)
        known = await self._stored.known(first, last)
        self._meter.prepared(len(known))
        missing = [day for number in range(RESERVE + 1) if (day := first + timedelta(days=number)) not in known]
        if not missing:
            return False
        found = await find(self._solver, missing[0], await self._secret())
        if found is None:
            if not self._stopped():
                log.warning("Could not find a daily position; %s of %s days have one", len(known), RESERVE + 1)
            return False
        await self._stored.add_position(missing[0], found.dump())
        self._meter.prepared(len(known) + 1)
        log.info("Found a daily position; %s of %s days have one", len(known) + 1, RESERVE + 1)
        return True

    async def _secret(self) -> str:
        await self._values.add(SECRET, secrets.token_hex(16))
        secret = await self._values.get(SECRET)
        assert secret is not None, "it has just been stored"
        return secret


def _starter(day: date) -> Exercise:
    return starters()[number_of(day)]


def _read(day: date, text: str) -> Exercise:
    """Load the position in a stored text or, if that can't be read, one of those that the bot comes with."""
    try:
        return Exercise.load(text)
    except ExerciseError as error:
        log.warning("Can't read the position of %s; replacing it with another (%s)", day, error)
        return _starter(day)
