"""The custom_ids of the buttons and the menu below somebody's statistics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bot.platform.kit.codec import Reference


class StatsVerb(StrEnum):
    """An action of the buttons and the menu."""

    SHOW = "show"
    """Shows the page to everybody in the channel."""
    PAGE = "page"
    """Turns to a page."""
    AGAINST = "against"
    """Turns to the duel with the chosen person."""
    HOW = "how"
    """Says how the chosen achievement is earned."""


class StatsPage(StrEnum):
    """A page of somebody's statistics."""

    OVERVIEW = ""
    RATING = "rating"
    SOURCES = "points"
    ACHIEVEMENTS = "honours"
    DUEL = "duel"


@dataclass(frozen=True, slots=True)
class StatsRef(Reference[StatsVerb]):
    """A page of a person's statistics; only a duel has a rival."""

    kind: ClassVar = "c"
    verbs: ClassVar = StatsVerb

    person_id: int
    page: StatsPage = StatsPage.OVERVIEW
    rival_id: int | None = None

    def __post_init__(self) -> None:
        if (self.page is StatsPage.DUEL) is (self.rival_id is None):
            raise ValueError("a duel has a rival, and no other page does")
