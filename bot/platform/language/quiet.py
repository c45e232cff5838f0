"""The hours of the night in which somebody is told nothing that can wait."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from bot.platform.language.calendar import zone_named

LEAST: Final = timedelta(hours=3)
"""The least time that somebody has by day between the last notice of something and its deadline."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Somebody's quiet hours: from one hour to another by the clock of a zone, over midnight if the first is later."""

    zone: str
    first: int
    last: int

    @classmethod
    def read(cls, hours: str, zone: str) -> "Quiet | None":
        """The quiet hours in a text such as 23-8; None if it has none."""
        first, dash, last = hours.partition("-")
        return cls(zone, int(first), int(last)) if dash else None

    def span(self, at: datetime) -> tuple[datetime, datetime] | None:
        """The quiet hours that a time falls into; None if it falls into none."""
        zone = zone_named(self.zone)
        today = at.astimezone(zone).date()
        for day in (today - timedelta(days=1), today):
            begin = datetime.combine(day, time(self.first), zone).astimezone(UTC)
            until = day + timedelta(days=self.last <= self.first)
            end = datetime.combine(until, time(self.last), zone).astimezone(UTC)
            if begin <= at < end:
                return begin, end
        return None

    def after(self, at: datetime) -> datetime:
        """The time itself, or the end of the quiet hours that it falls into."""
        span = self.span(at)
        return at if span is None else span[1]

    def before(self, at: datetime, deadline: datetime) -> datetime:
        """The time for a notice that is due at a time because of a deadline: early enough before the quiet hours, if
        little of the day is left after them, or else at their end."""
        night = self.span(deadline) or self.span(deadline - LEAST)
        return self.after(at if night is None else min(at, night[0] - LEAST))
