"""What the buttons of a review carry in their custom_ids: the match, and a decision in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.training.review import Review
from bot.ui.kit.ids.game import Ref, Verb, base36
from bot.ui.layout import Component, button
from bot.ui.words.texts import Words

KIND: Final = "v"
"""Begins a review's custom_ids: `v:<verb>:<game>:<number>:<a or o>`. The review is that of the person who clicks."""
_ONLY: Final = {True: "o", False: "a"}


class ReviewVerb(StrEnum):
    """What a button of a review asks for."""

    MAKE = "make"
    """Make the review, or make it again if it has been forgotten."""
    CANCEL = "cancel"
    SUMMARY = "sum"
    SHOW = "show"
    """Show the decision referred to."""
    PREVIOUS = "prev"
    NEXT = "next"
    ONLY = "only"
    """Step through only the decisions that cost points, or through all of them again."""


@dataclass(frozen=True, slots=True)
class ReviewRef:
    """A decision in a review, numbered from 0. `only`: whether the reader steps only through those that cost points."""

    game: int
    number: int = 0
    only: bool = False

    def custom_id(self, verb: ReviewVerb) -> str:
        return f"{KIND}:{verb}:{base36(self.game)}:{base36(self.number)}:{_ONLY[self.only]}"

    @classmethod
    def read(cls, parts: Sequence[str]) -> ReviewRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        ref = Ref.read(parts)
        if ref is None or len(ref.args) != 1 or ref.args[0] not in _ONLY.values():
            return None
        return cls(ref.game, ref.version, ref.args[0] == _ONLY[True])

    def beside(self, review: Review) -> list[int]:
        """The numbers of the decisions to step through."""
        return [number for number, each in enumerate(review.judged) if each.lost or not self.only]

    def step(self, review: Review, by: int) -> ReviewRef:
        """The decision after this one (`by` > 0) or before it; this one where there is none."""
        numbers = self.beside(review)
        further = [number for number in numbers if (number > self.number if by > 0 else number < self.number)]
        return replace(self, number=(further[0] if by > 0 else further[-1]) if further else self.number)


def review_button(game: int, t: Words) -> Component:
    """The button at the end of a match that lets each of its players review it."""
    return button(Ref(game).custom_id(Verb.REVIEW), t("Review my play"), emoji="🔍")
