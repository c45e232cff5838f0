"""The custom_ids of days' positions and of lessons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.platform.kit.codec import PUBLIC, Day, Number, OneOf, Reference, Text, Verbs
from bot.training.rules.lesson_steps import LESSONS


class DayVerb(Verbs):
    """An action of the buttons and menus about days' positions."""

    OPEN = "open", PUBLIC
    """Shows a day's question, or the verdict to somebody who has answered it."""
    MOVE = "move"
    """Answers with the move that has this number."""
    MORE = "more"
    """Shows all about the person's answer."""
    WEEK = "week"
    """Lists the days that can still be solved."""
    CHOOSE = "choose"
    """Opens the day chosen in the menu."""
    MONTH = "month", PUBLIC
    """Shows the server's leaderboard for the month of a day."""
    SHARE = "share"
    """Shows everybody in the channel how well the person did."""


class DaySetting(StrEnum):
    """A button or menu of the page about the day's position in a server's settings."""

    CHANNEL = "dayin"
    HOUR = "dayat"
    NOW = "daynow"
    """Posts the day's message at once."""
    OFF = "dayoff"


@dataclass(frozen=True, slots=True)
class DayRef(Reference[DayVerb]):
    """A day, and the number of a move in its position."""

    kind: ClassVar = "d"
    verbs: ClassVar = DayVerb

    day: date
    number: Annotated[int, Number(999)] = 0


def day_value(day: date) -> str:
    """The day as the value of a menu's option."""
    return Day().write(day)


def day_of(value: str) -> date | None:
    """The day of a menu's option; None if it isn't a valid one."""
    try:
        return Day().read(value)
    except ValueError:
        return None


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
