"""What a button of a lesson carries in its custom_id: the lesson, the step, and the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.training.lesson_steps import LESSONS
from bot.ui.kit.ids.game import base36

KIND: Final = "l"
"""Begins a lesson's custom_ids: `l:<verb>:<lesson>:<step>:<moves>[:<answer>]`. They refer to whoever clicks."""
_NUMBER: Final = re.compile("[0-9a-z]{1,4}")
_ANSWER: Final = re.compile("[0-9a-z-]{1,60}")


class LessonVerb(StrEnum):
    """What a button of a lesson asks for."""

    MENU = "menu"
    """Shows all lessons."""
    OPEN = "open"
    """Shows the step that the learner is at."""
    AGAIN = "again"
    """Begins the lesson once more."""
    TRY = "try"
    """Gives an answer, or plays a card."""
    PICK = "pick"
    """Chooses table cards; the argument is the resulting choice."""
    CLAIM = "claim"
    """Begins a claim; the argument is the resulting choice."""


WITH_ANSWER: Final = (LessonVerb.TRY, LessonVerb.PICK, LessonVerb.CLAIM)
"""The verbs that need an answer or a choice."""


@dataclass(frozen=True, slots=True)
class LessonRef:
    """A step of a lesson, the moves made in it, and an answer or a choice."""

    lesson: str
    step: int = 0
    moves: int = 0
    answer: str = ""

    def custom_id(self, verb: LessonVerb) -> str:
        parts = (KIND, verb, self.lesson, base36(self.step), base36(self.moves))
        return ":".join((*parts, self.answer) if self.answer else parts)

    def answering(self, answer: str) -> LessonRef:
        return replace(self, answer=answer)

    @classmethod
    def read(cls, verb: str, parts: Sequence[str]) -> LessonRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if verb not in list(LessonVerb) or len(parts) != (4 if verb in WITH_ANSWER else 3):
            return None
        lesson, step, moves, *answer = parts
        if lesson not in LESSONS or not (_NUMBER.fullmatch(step) and _NUMBER.fullmatch(moves)):
            return None
        if answer and not _ANSWER.fullmatch(answer[0]):
            return None
        return cls(lesson, int(step, 36), int(moves, 36), *answer)
