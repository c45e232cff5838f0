"""The custom_ids of leaderboards and statistics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from bot.club.rules.seasons import ALL_TIME, KEY, PERIOD
from bot.club.store.standing import EVERY_PRESET, Metric
from bot.engine.rules import PRESETS
from bot.platform.kit.codec import PUBLIC, Number, Reference, Text, Verbs

SEASON: Final = "season"
"""The period of the current season; on a server without seasons, all time."""


class LeaderboardVerb(Verbs):
    """An action of the leaderboard's buttons and menus."""

    OPEN = "open", PUBLIC
    """Opens the leaderboard from a podium."""
    PREVIOUS = "prev"
    """Shows the page referred to, which is the one before; NEXT, the one after."""
    NEXT = "next"
    CHANGE = "change"
    """Shows the chosen menu of the three below."""
    METRIC = "metric"
    PERIOD = "period"
    PRESET = "rules"
    SHOW = "show"
    """Shows the page to everybody in the channel."""


@dataclass(frozen=True, slots=True)
class LeaderboardRef(Reference[LeaderboardVerb]):
    """A page of a leaderboard.

    Attributes:
        period: a season, ALL_TIME or SEASON.
        preset: the rule system, or the key of a rule set; EVERY_PRESET for all.
    """

    kind: ClassVar = "r"
    verbs: ClassVar = LeaderboardVerb

    metric: Metric = Metric.SEASON_POINTS
    period: Annotated[str, Text(f"{SEASON}|{ALL_TIME}|{PERIOD}", 7)] = SEASON
    page: Annotated[int, Number(36**4 - 1)] = 0
    preset: Annotated[str, Text("|".join((*PRESETS, KEY)), 13)] = EVERY_PRESET

    def by(self, metric: Metric) -> LeaderboardRef:
        """The first page in another order. Ratings aren't counted by rule system."""
        return replace(self, metric=metric, page=0, preset=EVERY_PRESET if metric is Metric.RATING else self.preset)


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
