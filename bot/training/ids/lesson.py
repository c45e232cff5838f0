"""The custom_ids of a lesson's buttons: the lesson, the step, and the answer, for whoever clicks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.platform.kit.codec import Number, OneOf, Reference, Text
from bot.training.rules.lesson_steps import LESSONS

_KIND: Final = "l"
_FEW: Final = Number(36**2 - 1)


class LessonsVerb(StrEnum):
    """An action of the buttons about lessons in general."""

    MENU = "menu"
    """Shows all lessons."""


class LessonVerb(StrEnum):
    """An action of a lesson's buttons."""

    OPEN = "open"
    """Shows the step that the learner is at."""
    AGAIN = "again"
    """Begins the lesson once more."""
    PLAY = "play"
    """Starts a match by the lesson's rules against the robot of the lessons."""
    TRY = "try"
    """Gives an answer, or plays a card."""
    PICK = "pick"
    """Chooses table cards; the argument is the resulting choice."""
    CLAIM = "claim"
    """Begins a claim; the argument is the resulting choice."""


@dataclass(frozen=True, slots=True)
class LessonsRef(Reference[LessonsVerb]):
    """All lessons."""

    kind: ClassVar = _KIND
    verbs: ClassVar = LessonsVerb


@dataclass(frozen=True, slots=True)
class LessonRef(Reference[LessonVerb]):
    """A step of a lesson, the moves made in it, and an answer or a choice."""

    kind: ClassVar = _KIND
    verbs: ClassVar = LessonVerb

    lesson: Annotated[str, OneOf.these(tuple(LESSONS))]
    step: Annotated[int, _FEW] = 0
    moves: Annotated[int, _FEW] = 0
    answer: Annotated[str, Text("[0-9a-z-]{1,60}", 60)] = ""

    def answering(self, answer: str) -> LessonRef:
        return replace(self, answer=answer)
