"""Positions for people who have nothing of their own to practise: those of past days, and some the bot comes with."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Final

from bot.training.live.days import CATCH_UP, RESERVE, DayPositions, starters
from bot.training.live.exercise import Exercise
from bot.training.live.finding import number_of
from bot.training.rules.themes import Theme, theme_of
from bot.training.store.answers import Answers
from bot.training.store.days import Days

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
