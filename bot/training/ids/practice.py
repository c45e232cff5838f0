"""The custom_ids of the buttons of practice: a position by its source, which try it is, and a move.

They refer to whoever clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.platform.kit.codec import Number, Reference, Text, number_in

_KIND: Final = "k"
_AGAIN: Final = "again"
"""Begins the sources of decisions that are tried again right after a review: `again/<game>/<place>`, from 0."""
_SOURCE: Final = Text("[a-z]{1,10}(/[0-9a-z-]{1,20}){1,2}", 52)
SECOND: Final = 2
"""The number of the last try."""


class PracticeHomeVerb(StrEnum):
    """An action of the buttons that refer to no position."""

    HOME = "home"
    """Shows how much there is to practise."""
    DUE = "due"
    """The next position that is due."""
    MORE = "more"
    """A position other than the missed ones, once none of those is due."""


class PracticeVerb(StrEnum):
    """An action of a position's buttons."""

    ASK = "ask"
    """The decision of a source."""
    ANSWER = "play"
    GIVE_UP = "tell"
    """Shows what would have been best."""


@dataclass(frozen=True, slots=True)
class PracticeHomeRef(Reference[PracticeHomeVerb]):
    """All that somebody has to practise."""

    kind: ClassVar = _KIND
    verbs: ClassVar = PracticeHomeVerb


PRACTICE: Final = PracticeHomeRef()


@dataclass(frozen=True, slots=True)
class PracticeRef(Reference[PracticeVerb]):
    """A move in a position to practise, which is named by its source, in the first or second try."""

    kind: ClassVar = _KIND
    verbs: ClassVar = PracticeVerb

    source: Annotated[str, _SOURCE]
    attempt: Annotated[int, Number(SECOND)] = 1
    number: Annotated[int, Number(999)] = 0


def again_source(game_id: int, place: int) -> str:
    return f"{_AGAIN}/{game_id}/{place}"


def is_again(source: str) -> bool:
    """Whether a source is a decision of a review."""
    return source.startswith(f"{_AGAIN}/")


def decision_of(source: str) -> tuple[int, int] | None:
    """The game and the place of a decision that is tried again; None if the source names none."""
    _, *parts = source.split("/")
    numbers = [number for each in parts if (number := number_in(each)) is not None]
    return (numbers[0], numbers[1]) if is_again(source) and len(numbers) == 2 else None
