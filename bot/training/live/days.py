"""The positions of days, and the library of all positions."""

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Collection, Sequence
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
from bot.training.live.finding import Exercise, ExerciseError, find, number_of
from bot.training.rules.themes import Theme, theme_of
from bot.training.store.answers import Answers
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
                text = await self._stored.add_position(day, (await asyncio.to_thread(_starter, day)).dump())
            found = await asyncio.to_thread(_read, day, text)
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


def _read(day: date, text: str | None) -> Exercise:
    """Load the position in a stored text or, if there is none or it can't be read, one of those that the bot comes
    with."""
    if text is None:
        return _starter(day)
    try:
        return Exercise.load(text)
    except ExerciseError as error:
        log.warning("Can't read the position of %s; replacing it with another (%s)", day, error)
        return _starter(day)


RECENT: Final = timedelta(days=CATCH_UP)
"""Time for which a day's position can be solved as such: until then, only people who have answered it practise it."""
BACK: Final = timedelta(days=120)
"""The greatest age of a day's position that is given for practice."""
LOOKS: Final = 30
"""Days' positions that are looked at to find one of a theme."""
_DAY: Final = re.compile(r"day/(\d{4}-\d\d-\d\d)")
_STARTER: Final = re.compile(r"starter/(\d{1,2})")


def source_of_day(day: date) -> str:
    return f"day/{day.isoformat()}"


class Library:
    """Positions to practise.

    Args:
        stored: has the days that have a position.
        answers: has the people who have answered it.
        days: the days' positions.
    """

    def __init__(self, stored: Days, answers: Answers, days: DayPositions) -> None:
        self._stored, self._answers = stored, answers
        self._days = days

    async def get(self, source: str) -> Exercise | None:
        """Return the position of a source; None if there is none, or if people may still solve it as a day's."""
        if found := _STARTER.fullmatch(source):
            return self._starter(int(found[1]))
        found = _DAY.fullmatch(source)
        try:
            day = date.fromisoformat(found[1]) if found else None
        except ValueError:
            return None
        if day is None or day >= self._days.today - RECENT:
            return None
        exercise = await self._days.of(day)
        # If no positions are searched for, the same ones come round again.
        return None if exercise in starters() else exercise

    async def pick(self, person_id: int, themes: Sequence[Theme], seen: Collection[str]) -> tuple[str, Exercise] | None:
        """Pick a position that somebody hasn't seen, on the first of these themes that has one, or else on any.

        Raises StoreError if the store can't be read.
        """
        found: dict[Theme, tuple[str, Exercise]] = {}
        for source in await self._sources(person_id, seen):
            exercise = await self.get(source)
            if exercise is None:
                continue
            theme = theme_of(exercise.view, exercise.analysis)
            found.setdefault(theme, (source, exercise))
            if not themes or theme is themes[0]:
                break
        return next((found[theme] for theme in [*themes, *found] if theme in found), None)

    async def _sources(self, person_id: int, seen: Collection[str]) -> list[str]:
        """List days' positions that somebody hasn't answered, the latest first, and then those that come with the
        bot."""
        last = self._days.today - RECENT - timedelta(days=1)
        known = await self._stored.known(self._days.today - BACK, last)
        answered = (await self._answers.record(person_id, last, last, BACK.days)).answers
        days = [source_of_day(day) for day in sorted(known - answered.keys(), reverse=True)]
        kept = (f"starter/{number}" for number in range(len(starters())))
        return [
            *[source for source in days if source not in seen][:LOOKS],
            *(source for source in kept if source not in seen),
        ]

    def _starter(self, number: int) -> Exercise | None:
        """Return a position that the bot comes with, unless a day around today may have it."""
        today = self._days.today
        near = (today + timedelta(days=days) for days in range(-RECENT.days, RESERVE + 1))
        return starters()[number] if number < len(starters()) and number not in map(number_of, near) else None
