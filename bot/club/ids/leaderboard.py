"""The custom_ids of a leaderboard's buttons and menus: the order, the period, the page, the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final

from bot.club.rules.rule_set import KEY
from bot.club.rules.seasons import ALL_TIME, PERIOD
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
