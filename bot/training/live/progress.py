"""The progress of a person: their latest reviews, their luck in their latest matches, and how they are learning."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.coach.luck import Luck, load_luck
from bot.training.live.practice import Practice, Queue
from bot.training.store.answers import Answers
from bot.training.store.lessons import MatchLuck
from bot.training.store.practice import ReviewRows
from bot.training.store.rows import ReviewRow

REVIEWS: Final = 10
"""Latest reviews of a player that count for how well they decide."""
LEARNING_DAYS: Final = 30
"""Over how many days a player's solved positions of the day are counted."""
LUCK_MATCHES: Final = 20
"""Latest matches of a player over which their luck is added up."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Somebody's progress in learning: what they practise, and how many of the days' positions they have lately solved.

    `solved` and `answered` count the last `LEARNING_DAYS`; `streak` is in days.
    """

    queue: Queue
    solved: int
    answered: int
    streak: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a person: their reviews, the latest match first, their luck, and how they are learning."""

    reviews: Sequence[ReviewRow] = ()
    luck: Sequence[Luck] = ()
    learning: Learning | None = None


class ProgressReader:
    """Reads people's progress, which is shown to nobody else."""

    def __init__(self, luck: MatchLuck, reviews: ReviewRows, answers: Answers, practice: Practice) -> None:
        self._luck, self._reviews = luck, reviews
        self._answers, self._practice = answers, practice

    async def of(self, guild_id: int | None, person_id: int, at: datetime) -> Progress:
        """Read somebody's progress on a server, or everywhere; what they learn is the same on all.

        Raises:
            StoreError: if something can't be read.
        """
        luck = await self._luck.latest(guild_id, person_id, LUCK_MATCHES)
        reviews = await self._reviews.latest(guild_id, person_id, limit=REVIEWS)
        record = await self._answers.record(person_id, at.date(), at.date(), LEARNING_DAYS)
        counted = [answer for answer in record.answers.values() if answer.counted]
        solved = sum(not answer.lost for answer in counted)
        learning = Learning(await self._practice.queue(person_id), solved, len(counted), record.streak)
        return Progress(reviews, [load_luck(text)[side] for text, side in luck], learning)
