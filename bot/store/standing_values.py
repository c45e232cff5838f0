"""A row of the standings: what a person's matches in a period add up to; and the periods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from bot.store.rows import MatchResult, Metric, PlayerResult

ALL_TIME: Final = "all"
"""The period that every match is in."""
Key = tuple[str, int]
"""A period and a user, of one server."""
_WHOLE: Final = (1 << 40) - 1
"""The rate of who has won every match, as it is kept."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Standing:
    """A row: what a person's matches in a period add up to.

    `streak` is how many of the latest ranked matches were won in a row. `last_at` and `last_result_id` are of the
    latest match, ranked or not; of two that ended at the same moment it is the one that was written later.
    """

    guild_id: int
    period: str
    user_id: int
    name: str
    matches: int
    wins: int
    points: int
    escobas: int
    rounds: int
    streak: int
    best_streak: int
    practice_matches: int
    practice_wins: int
    last_at: datetime
    last_result_id: int

    @classmethod
    def empty(cls, guild_id: int, period: str, user_id: int) -> Standing:
        """That of nobody's matches."""
        return cls(guild_id, period, user_id, "", *(0,) * 9, last_at=_NEVER, last_result_id=0)

    def then(self, player: PlayerResult, result: MatchResult, result_id: int) -> Standing:
        """The row after one more match, which is later than all that it counts."""
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
        )

    def places(self, rates_from: int) -> dict[Metric, int]:
        """The lists that the person is in, with what each of them compares."""
        if not self.matches:
            return {}
        found = {Metric.WINS: self.wins, Metric.POINTS: self.points, Metric.ESCOBAS: self.escobas}
        if self.matches >= rates_from:
            found[Metric.RATE] = rate_of(self.wins, self.matches)
        return found


def rate_of(wins: int, matches: int) -> int:
    """The share of wins as a whole number. Equal shares are equal numbers, and of two others the larger is larger.

    So it is up to a million matches: then two shares differ by more than the last unit.
    """
    return wins * _WHOLE // matches if matches else 0


def month_of(moment: datetime) -> str:
    """The period that is the calendar's month of a moment, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def period_since(since: datetime | None) -> str:
    """The period that begins at a moment: None for that of all time. ValueError if none begins there."""
    if since is None:
        return ALL_TIME
    begins = since.astimezone(UTC)
    if begins != begins.replace(day=1, hour=0, minute=0, second=0, microsecond=0):
        raise ValueError("standings are kept by month of UTC")
    return month_of(since)
