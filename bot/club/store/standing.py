"""A standing: the sums of a person's matches on a server, in a period and by rule system."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.club.rules.rating import FULL_MATCHES, Rating
from bot.club.rules.seasons import ALL_TIME
from bot.club.store.results import MatchResult, PlayerResult

EVERY_PRESET: Final = ""
"""The preset of the rows over all rule systems."""
_WHOLE: Final = (1 << 40) - 1
RESULT_BITS: Final = 36
"""Bits of a record that are for its result; the others hold a value up to a hundred million."""
LAST_RESULT: Final = (1 << RESULT_BITS) - 1
_EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)
FOR_A_WIN: Final = 3
FOR_A_MATCH: Final = 1
"""A season's points for a win and for any other match, if it counts in full and was played to its end."""


class Metric(StrEnum):
    """The value that a leaderboard is ordered by."""

    RATING = "rating"
    SEASON_POINTS = "season_points"
    WINS = "wins"
    RATE = "rate"
    POINTS = "points"
    ESCOBAS = "escobas"


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The choice of a server's leaderboard.

    Attributes:
        metric: the value it is ordered by.
        period: ALL_TIME, a month or a quarter of UTC: see `bot.club.rules.seasons`.
        preset: the rule system, or the key of a server's rule set; EVERY_PRESET for all. There are no ratings by rule
            system: RATING ignores it.
        min_matches: RATE lists people with at least this many matches, all others those with one. RATING ignores it:
            it lists people with a rated match.
    """

    metric: Metric
    period: str = ALL_TIME
    preset: str = EVERY_PRESET
    min_matches: int = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """The sums of a person's matches in a period, by one rule system or all.

    Practice counts apart from the ranked matches. A friendly match counts nowhere, nor does a win by which somebody
    gains nothing; of other matches that bring them nothing, no points do: see `bot.club.rules.playing`. `streak` is how
    many of the latest ranked matches were won in a row, `best_streak` the longest such run. `name`, `last_at` and
    `last_result_id` are of the latest match of any kind; of two that ended at the same moment, of the one written
    later. `rank` is the place in the leaderboard that was asked for, 0 outside it: equals share it (1, 2, 2, 4).
    `top_points` and `top_escobas` are the most in one ranked match: see `record_of`.

    Over all rule systems, `rated` is the number of matches that have changed the rating, and `mu` and `sigma` are the
    rating after the one written last; `rated_at` is when the latest ended. `sources`, JSON, says where the points came
    from: only of all time, and over all rule systems.
    """

    guild_id: int
    period: str
    user_id: int
    name: str = ""
    matches: int = 0
    wins: int = 0
    points: int = 0
    escobas: int = 0
    rounds: int = 0
    streak: int = 0
    best_streak: int = 0
    practice_matches: int = 0
    practice_wins: int = 0
    last_at: datetime | None = None
    last_result_id: int = 0
    top_points: int = 0
    top_escobas: int = 0
    preset: str = EVERY_PRESET
    season_points: int = 0
    rated: int = 0
    mu: float | None = None
    sigma: float | None = None
    rated_at: datetime | None = None
    sources: str | None = None
    rank: int = 0

    @property
    def rate(self) -> float:
        """The share of the ranked matches that were won, 0 to 1."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def rating(self) -> float | None:
        """The value that RATING orders by; None without a rated match.

        Of all time, the older a rating, the less certain it is; the order is the same on any later day. A season's
        ratings are those after its latest matches.
        """
        if self.mu is None or self.sigma is None or self.rated_at is None:
            return None
        rating = Rating(self.mu, self.sigma)
        return rating.key((self.rated_at - _EPOCH) / _DAY) if self.period == ALL_TIME else rating.value

    def rating_at(self, moment: datetime) -> Rating | None:
        """Return the rating at a moment, by which RATING orders; in a season, the rating after its latest match."""
        if self.mu is None or self.sigma is None or self.rated_at is None:
            return None
        rating = Rating(self.mu, self.sigma)
        return aged(rating, self.rated_at, moment) if self.period == ALL_TIME else rating

    @property
    def points_by_source(self) -> dict[str, int]:
        """The points of all time by the item they came from: see `bot.engine.scoring`."""
        return read_sources(self.sources)

    def after(self, player: PlayerResult, result: MatchResult, result_id: int) -> Standing:
        """Return the standing after one more match, which is later than all those counted so far."""
        latest = replace(self, name=player.name, last_at=result.ended_at, last_result_id=result_id)
        if result.friendly:
            return latest
        if not result.ranked:
            return replace(
                latest,
                practice_matches=self.practice_matches + 1,
                practice_wins=self.practice_wins + player.won,
            )
        counted = latest._counted(player, result, result_id) if player.counts else latest
        if self.preset != EVERY_PRESET or player.new_mu is None:
            return counted
        rated_at = result.ended_at if self.rated_at is None else max(self.rated_at, result.ended_at)
        return replace(counted, rated=self.rated + 1, mu=player.new_mu, sigma=player.new_sigma, rated_at=rated_at)

    def _counted(self, player: PlayerResult, result: MatchResult, result_id: int) -> Standing:
        """The standing with the sums of one more ranked match."""
        streak = self.streak + 1 if player.won else 0
        played = replace(
            self,
            matches=self.matches + 1,
            wins=self.wins + player.won,
            rounds=self.rounds + result.rounds,
            streak=streak,
            best_streak=max(self.best_streak, streak),
        )
        return played if player.gains is False else played._gained(player, result, result_id)

    def _gained(self, player: PlayerResult, result: MatchResult, result_id: int) -> Standing:
        """The standing with what a ranked match has brought somebody who may gain by it."""
        gained = replace(
            self,
            points=self.points + player.points,
            escobas=self.escobas + player.escobas,
            top_points=max(self.top_points, record_of(player.points, result_id)),
            top_escobas=max(self.top_escobas, record_of(player.escobas, result_id)),
            season_points=self.season_points + _season_points(player, result),
        )
        if self.preset != EVERY_PRESET or self.period != ALL_TIME or player.sources is None:
            return gained
        both = (read_sources(self.sources), read_sources(player.sources))
        return replace(gained, sources=sources_of(both))


def _season_points(player: PlayerResult, result: MatchResult) -> int:
    nth = result.nth if player.nth is None else player.nth
    if nth is None or nth > FULL_MATCHES or not player.stayed:
        return 0
    return FOR_A_WIN if player.won else FOR_A_MATCH


def aged(rating: Rating, since: datetime, moment: datetime) -> Rating:
    """Return a rating as it is at a moment, if there has been no rated match `since`."""
    return rating.after((moment - since) / _DAY)


def read_sources(sources: str | None) -> dict[str, int]:
    return {} if sources is None else json.loads(sources)


def sources_of(parts: Iterable[Mapping[str, int]]) -> str:
    """Add up points by source; the text is the same for the same sums."""
    points = Counter[str]()
    for part in parts:
        points.update(part)
    return json.dumps(points, sort_keys=True, separators=(",", ":"))


_ADDED_UP: Final = ("matches", "wins", "points", "escobas", "rounds", "practice_matches", "practice_wins")
_HIGHEST: Final = ("best_streak", "top_points", "top_escobas")


def together(standings: Iterable[Standing]) -> Standing | None:
    """Add up a person's standings of all time on several servers; None if there are none.

    A rating, a place and a current streak belong to one server, so the sum has none. Its server is that of the latest
    match.
    """
    found = sorted(standings, key=lambda standing: (standing.last_at or _EPOCH, standing.guild_id))
    if not found:
        return None
    latest = found[-1]
    sums = {name: sum(getattr(standing, name) for standing in found) for name in _ADDED_UP}
    highest = {name: max(getattr(standing, name) for standing in found) for name in _HIGHEST}
    sources = sources_of(standing.points_by_source for standing in found)
    own = Standing(latest.guild_id, latest.period, latest.user_id, latest.name, last_at=latest.last_at)
    return replace(own, sources=sources, **sums, **highest)


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A part of a leaderboard; `total` counts the players of the whole list."""

    rows: tuple[Standing, ...]
    total: int


Key = tuple[str, int, str]
"""A period, a user and a preset, on one server."""
KEY: Final = ("guild_id", "period", "user_id", "preset")
"""The columns that identify a standing."""
COLUMNS: Final = tuple(name for name in Standing.__dataclass_fields__ if name != "rank")
"""The columns a standing is made of."""


def rate_of(wins: int, matches: int) -> int:
    """Compute the share of wins as an integer, by which an index can be ordered.

    Equal shares are equal numbers and a larger share is a larger number, up to a million matches: two shares then
    differ by more than the last unit.
    """
    return wins * _WHOLE // matches if matches else 0


def record_of(value: int, result_id: int) -> int:
    """Write a record as an integer: greater for a higher value, then for the result written first. 0 for none."""
    return value << RESULT_BITS | LAST_RESULT - result_id if value > 0 else 0


def read_record(record: int) -> tuple[int, int]:
    """Split a record into its value and the result that reached it first.

    >>> read_record(record_of(27, 5))
    (27, 5)
    """
    return (record >> RESULT_BITS, LAST_RESULT - (record & LAST_RESULT)) if record else (0, 0)
