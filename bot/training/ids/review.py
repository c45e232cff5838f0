"""The custom_ids of a review's buttons: the match, and a decision in it.

The review is that of the person who clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bot.platform.kit.codec import Reference
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button
from bot.tables.ids.game import Ref, Verb
from bot.training.live.review import Review


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
        return [number for number, each in enumerate(review.judged) if each.lost or not self.only]


def make_button(game: int, t: Words) -> Component:
    """The button that lets one of a match's players review it from anywhere else."""
    return button(ReviewRef(game).custom_id(ReviewVerb.MAKE), t.context("button", "Review"), emoji="🔍")


def review_button(game: int, t: Words) -> Component:
    """The button at the end of a match that lets each of its players review it."""
    return button(Ref(game).custom_id(Verb.REVIEW), t.context("button", "Review"), emoji="🔍")
