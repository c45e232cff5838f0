"""A standing: what a person's matches on a server add up to, of all time or in a month."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from bot.store.rows import MatchResult, PlayerResult

ALL_TIME: Final = "all"
"""The period of all matches. The other periods are months of UTC, such as "2026-03"."""
_WHOLE: Final = (1 << 40) - 1
RESULT_BITS: Final = 36
"""How many bits of a record are for its result; the others hold a value up to a hundred million."""
LAST_RESULT: Final = (1 << RESULT_BITS) - 1


class Metric(StrEnum):
    """What a leaderboard is ordered by."""

    WINS = "wins"
    RATE = "rate"
    POINTS = "points"
    ESCOBAS = "escobas"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person's matches in a period add up to; practice counts apart from the ranked matches.

    `streak` is how many of the latest ranked matches were won in a row, `best_streak` the longest such run. `name`,
    `last_at` and `last_result_id` are of the latest match, practice included; of two that ended at the same moment, of
    the one written later. `rank` is the place in the leaderboard that was asked for, 0 outside it: equal ones share it
    (1, 2, 2, 4). `top_points` and `top_escobas` are the most of a ranked match, see `record_of`.
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
    rank: int = 0

    @property
    def rate(self) -> float:
        """Share of the ranked matches that were won, 0 to 1."""
        return self.wins / self.matches if self.matches else 0.0

    def after(self, player: PlayerResult, result: MatchResult, result_id: int) -> Standing:
        """The standing after one more match, which is later than all that it counts."""
        latest = replace(self, name=player.name, last_at=result.ended_at, last_result_id=result_id)
        if not result.ranked:
            return replace(
                latest,
                practice_matches=self.practice_matches + 1,
                practice_wins=self.practice_wins + player.won,
            )
        streak = self.streak + 1 if player.won else 0
        return replace(
            latest,
            matches=self.matches + 1,
            wins=self.wins + player.won,
            points=self.points + player.points,
            escobas=self.escobas + player.escobas,
            rounds=self.rounds + result.rounds,
            streak=streak,
            best_streak=max(self.best_streak, streak),
            top_points=max(self.top_points, record_of(player.points, result_id)),
            top_escobas=max(self.top_escobas, record_of(player.escobas, result_id)),
        )


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a leaderboard; `total` counts the players of the whole list."""

    rows: tuple[Standing, ...]
    total: int


Key = tuple[str, int]
"""A period and a user, on one server."""
KEY: Final = ("guild_id", "period", "user_id")
"""The columns that identify a standing."""
COLUMNS: Final = tuple(name for name in Standing.__dataclass_fields__ if name != "rank")
"""The columns a standing is made of."""


def rate_of(wins: int, matches: int) -> int:
    """The share of wins as an integer, by which an index can be ordered.

    Equal shares are equal numbers and a larger share is a larger number, up to a million matches: two shares then
    differ by more than the last unit.
    """
    return wins * _WHOLE // matches if matches else 0


def record_of(value: int, result_id: int) -> int:
    """A record as an integer: the most is the greatest, and of equal ones the result written first. 0 for none."""
    return value << RESULT_BITS | LAST_RESULT - result_id if value > 0 else 0


def read_record(record: int) -> tuple[int, int]:
    """The value of a record, and the result that reached it first.

    >>> read_record(record_of(27, 5))
    (27, 5)
    """
    return (record >> RESULT_BITS, LAST_RESULT - (record & LAST_RESULT)) if record else (0, 0)


def month_of(moment: datetime) -> str:
    """The period of the calendar month in UTC that a moment is in."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def period_since(since: datetime | None) -> str:
    """The period that begins at a moment, that of all time for None. ValueError if none begins there."""
    if since is None:
        return ALL_TIME
    begins = since.astimezone(UTC)
    if begins != begins.replace(day=1, hour=0, minute=0, second=0, microsecond=0):
        raise ValueError("standings are kept by month of UTC")
    return month_of(since)
