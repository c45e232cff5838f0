"""The parts that the handlers of training use."""

from __future__ import annotations

from dataclasses import dataclass

from bot.training.days import DayPositions
from bot.training.hints import Hints
from bot.training.practice import Practice
from bot.ui.training.boards.day_channel import DayBoards
from bot.ui.training.boards.reviewing import Reviews


@dataclass(frozen=True, slots=True)
class TrainingParts:
    """The sources of advice, practice and the days' positions.

    Attributes:
        advises: whether hints and reviews are available. If not, `hints` has none.
    """

    hints: Hints
    advises: bool
    reviews: Reviews
    practice: Practice
    days: DayPositions
    day_boards: DayBoards
