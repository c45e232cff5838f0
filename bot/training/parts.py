"""The parts that the handlers of training use."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.training.boards.day_channel import DayBoards
from bot.training.boards.reviewing import Reviews
from bot.training.ids.practice import make_button
from bot.training.live.days import DayPositions
from bot.training.live.practice import Practice
from bot.training.live.review import Hints
from bot.training.words.coaching import verdict_lines


@dataclass(frozen=True, slots=True)
class TrainingParts:
    """The sources of advice, practice and the days' positions.

    Attributes:
        advises: whether hints and reviews are available. If not, `hints` has none.
        replay_button: the button that shows a match from a version on.
    """

    hints: Hints
    advises: bool
    reviews: Reviews
    practice: Practice
    days: DayPositions
    day_boards: DayBoards
    replay_button: Callable[[int, Words, int], Component]

    def review_button(self, game_id: int, person_id: int, t: Words) -> Component | None:
        """The button with which a person reviews a game; None if they can't, and haven't lately."""
        return make_button(game_id, t) if self.advises or self.reviews.get(game_id, person_id) else None

    def verdict_on(self, game_id: int, person_id: int, version: int, t: Words) -> list[str]:
        """Write the verdict on a person's decision at a match's version, if their review is kept."""
        review = self.reviews.get(game_id, person_id)
        judged = () if review is None else review.judged
        return [line for each in judged if each.decision.version == version for line in verdict_lines(each, t)]
