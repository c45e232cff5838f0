"""The daily puzzle in people's daily private messages."""

from collections.abc import Callable
from datetime import datetime

from bot.platform.settings.documents import PreferencesCache
from bot.training.settings import DayNotice, TrainingPreferences
from bot.training.store.answers import Answers


class PuzzleNotices:
    """Tells who hears of the daily puzzle in a private message."""

    def __init__(self, preferences: PreferencesCache, answers: Answers, now: Callable[[], datetime]) -> None:
        self._preferences = preferences
        self._answers = answers
        self._now = now

    def people(self) -> list[int]:
        """Those who want to hear of it so."""
        return self._preferences.people(TrainingPreferences, lambda each: each.day_notice is DayNotice.PRIVATE)

    def is_wanted_by(self, person_id: int) -> bool:
        return self._preferences.cached(person_id, TrainingPreferences).day_notice is DayNotice.PRIVATE

    async def waits_for(self, person_id: int) -> bool:
        """Whether somebody wants to hear of it, and hasn't solved today's yet.

        Raises:
            StoreError: if that can't be read.
        """
        if not self.is_wanted_by(person_id):
            return False
        return not await self._answers.has_answered(person_id, self._now().date())

    async def stop(self, person_id: int) -> None:
        """Tell somebody no more, because they take no private messages.

        Raises:
            Refusal: if that can't be stored.
        """
        if self.is_wanted_by(person_id):
            await self._preferences.change(person_id, TrainingPreferences, day_notice=DayNotice.NEVER)
