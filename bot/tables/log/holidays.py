"""People's holidays: days of their zone on which their clocks in slow matches stand still."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

Holidays = tuple[tuple[date, date], ...]
"""Holidays in order, each with its first and its last day."""
MOST_DAYS: Final = 30
"""The days of a calendar year that may be holidays."""
_DAY: Final = timedelta(days=1)


def with_days(holidays: Holidays, first: date, last: date) -> Holidays:
    """Add the days from the first to the last; those of the years before last year are forgotten."""
    days = {day for day in _days(holidays) if day.year >= first.year - 1}
    return _joined(days | set(_days([(first, last)])))


def without_days(holidays: Holidays, first: date, today: date) -> Holidays:
    """Remove the holiday that begins with a day. What has begun of it counts, and today to its end."""
    removed = {day for day in _days(holiday for holiday in holidays if holiday[0] == first) if day > today}
    return _joined(set(_days(holidays)) - removed)


def days_in(holidays: Holidays, year: int) -> int:
    """Count the days of a year that are holidays."""
    return sum(day.year == year for day in _days(holidays))


def times_of(holidays: Holidays, zone: tzinfo) -> list[tuple[float, float]]:
    """Compute when each holiday begins and is over in a zone, in seconds since 1970."""
    return [(_midnight(first, zone), _midnight(last + _DAY, zone)) for first, last in holidays]


def _days(holidays: Iterable[tuple[date, date]]) -> list[date]:
    return [first + ahead * _DAY for first, last in holidays for ahead in range((last - first).days + 1)]


def _joined(days: set[date]) -> Holidays:
    firsts = sorted(day for day in days if day - _DAY not in days)
    lasts = sorted(day for day in days if day + _DAY not in days)
    return tuple(zip(firsts, lasts, strict=True))


def _midnight(day: date, zone: tzinfo) -> float:
    return datetime.combine(day, time(), zone).timestamp()
