"""The custom_ids of practice and of reviews.

Those of practice hold a position by its source, which try it is, and a move; those of a review the match, and a
decision in it. Both refer to whoever clicks.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.platform.kit.codec import Number, Reference, Text, number_in
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button
from bot.tables.ids.game import Ref, Verb
from bot.training.live.review import Review

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
    numbers = [number for part in parts if (number := number_in(part)) is not None]
    return (numbers[0], numbers[1]) if is_again(source) and len(numbers) == 2 else None


class ReviewVerb(StrEnum):
    """An action of a review's buttons."""

    MAKE = "make"
    """Make the review, or make it again if it has been forgotten."""
    CANCEL = "cancel"
    SUMMARY = "sum"
    SHOW = "show"
    """Show the decision referred to."""
    PREVIOUS = "prev"
    """Show the decision referred to, which is the one before; and so on."""
    NEXT = "next"
    ONLY = "only"
    """Step through only the decisions that cost points, or through all of them again."""


@dataclass(frozen=True, slots=True)
class ReviewRef(Reference[ReviewVerb]):
    """A decision in a review, numbered from 0. `only`: whether the reader steps only through those that cost points."""

    kind: ClassVar = "v"
    verbs: ClassVar = ReviewVerb

    game: int
    number: int = 0
    only: bool = False

    def beside(self, review: Review) -> list[int]:
        """The numbers of the decisions to step through."""
        return [number for number, judged in enumerate(review.judged) if judged.lost or not self.only]


def make_button(game: int, t: Words) -> Component:
    """The button that lets one of a match's players review it from anywhere else."""
    return button(ReviewRef(game).custom_id(ReviewVerb.MAKE), t.context("button", "Review"), emoji="🔍")


def review_button(game: int, t: Words) -> Component:
    """The button at the end of a match that lets each of its players review it."""
    return button(Ref(game).custom_id(Verb.REVIEW), t.context("button", "Review"), emoji="🔍")
