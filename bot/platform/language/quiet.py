"""The hours of the night in which somebody is told nothing that can wait."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from bot.platform.clock import Breaks
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
        return next(((begin, end) for begin, end in self._nights(at, at) if begin <= at < end), None)

    def _nights(self, first: datetime, last: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The quiet hours that begin between the day before a time and the day of another."""
        zone = zone_named(self.zone)
        day, last_day = first.astimezone(zone).date() - timedelta(days=1), last.astimezone(zone).date()
        while day <= last_day:
            until = day + timedelta(days=self.last <= self.first)
            begin, end = datetime.combine(day, time(self.first), zone), datetime.combine(until, time(self.last), zone)
            yield begin.astimezone(UTC), end.astimezone(UTC)
            day += timedelta(days=1)

    def awake(self, at: datetime, seconds: float, breaks: Breaks) -> datetime:
        """The time at which somebody has had so many seconds, a few hours at most, besides these hours and breaks."""
        last = breaks.after(at, seconds) + timedelta(days=1)
        nights = [(begin.timestamp(), end.timestamp()) for begin, end in self._nights(at, last)]
        return Breaks([*breaks.times, *nights]).after(at, seconds)

    def hour_after(self, hour: int) -> int:
        """The hour itself, or that of their end if it is one of them."""
        return self.last if (hour - self.first) % 24 < (self.last - self.first) % 24 else hour

    def after(self, at: datetime) -> datetime:
        """The time itself, or the end of the quiet hours that it falls into."""
        span = self.span(at)
        return at if span is None else span[1]

    def before(self, at: datetime, deadline: datetime) -> datetime:
        """The time for a notice that is due at a time because of a deadline: early enough before the quiet hours, if
        little of the day is left after them, or else at their end."""
        night = self.span(deadline) or self.span(deadline - LEAST)
        return self.after(at if night is None else min(at, night[0] - LEAST))
