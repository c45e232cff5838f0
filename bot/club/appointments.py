"""Dates and times as people type them, and the same time of each week, in a time zone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Final

FURTHEST: Final = timedelta(days=92)
"""The longest time ahead for an appointment."""
_DAY: Final = timedelta(days=1)
_WEEK: Final = 7 * 24 * 60
"""Minutes of a week."""
_WEEKDAYS: Final = (
    ("monday", "lunes"),
    ("tuesday", "martes"),
    ("wednesday", "miercoles"),
    ("thursday", "jueves"),
    ("friday", "viernes"),
    ("saturday", "sabado"),
    ("sunday", "domingo"),
)
_MONTHS: Final = (
    ("january", "enero"),
    ("february", "febrero"),
    ("march", "marzo"),
    ("april", "abril"),
    ("may", "mayo"),
    ("june", "junio"),
    ("july", "julio"),
    ("august", "agosto"),
    ("september", "septiembre", "setiembre"),
    ("october", "octubre"),
    ("november", "noviembre"),
    ("december", "diciembre"),
)
_SHORTEST: Final = 3
"""Letters to which the names of weekdays and months may be cut."""
_AHEAD: Final = {"today": 0, "tonight": 0, "hoy": 0, "tomorrow": 1, "manana": 1, "pasado manana": 2}
_LATE: Final = frozenset(("tonight", "noche", "tarde", "evening", "night", "afternoon"))
"""Words that make 9 the twenty-first hour."""
_FILLERS: Final = frozenset(
    "a al at by de del el en esta este in la las next of on por proximo que the this viene".split()
)
_MONTH: Final = "|".join(
    sorted(
        {name[:cut] for names in _MONTHS for name in names for cut in range(_SHORTEST, len(name) + 1)},
        key=len,
        reverse=True,
    )
)
_IN_YEAR: Final = r"(?:,?(?: de| of)? (?P<year>\d{4})\b)?"
_DATES: Final = (
    re.compile(r"(?<![\d/-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:t(?=\d)|(?![\d/-]))"),
    re.compile(r"(?<![\d/-])(?P<one>\d{1,2})[/-](?P<other>\d{1,2})(?:[/-](?P<year>\d{4}|\d{2}))?(?![\d/-])"),
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: de| of)? (?P<name>{_MONTH})\b\.?{_IN_YEAR}"),
    re.compile(rf"\b(?P<name>{_MONTH})\b\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[:.h]\d| ?[ap]m){_IN_YEAR}"),
)
_TIMES: Final = (
    re.compile(
        r"(?<![\d:.])(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?: ?(?:h|hs|hrs|horas))? ?(?P<half>[ap]m)?(?![\w:])"
    ),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2}) ?(?P<half>[ap]m)(?!\w)"),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2}) ?(?:h|hs|hrs|horas)(?!\w)"),
    re.compile(r"\b(?:a las|at) (?P<hour>\d{1,2})(?![\w:./-])"),
)


class Unclear(StrEnum):
    """The reason why what somebody typed is no appointment."""

    NO_TIME = "no_time"
    """It can't be read, or has no time of day."""
    NO_SUCH_DATE = "no_such_date"
    """No month has that day, or that date is another weekday."""
    WHICH_DATE = "which_date"
    """Day and month can't be told apart, as in 3/4."""
    NO_SUCH_TIME = "no_such_time"
    """The clocks go forward past that time on that day."""
    PAST = "past"
    TOO_FAR = "too_far"
    """It is further ahead than `FURTHEST`."""


class UnclearAppointment(Exception):
    """Text that can't be taken for an appointment."""

    def __init__(self, why: Unclear) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(frozen=True, slots=True)
class _Date:
    """A date as it was typed."""

    day: int
    month: int
    year: int | None

    def candidates(self, today: date) -> Iterator[date]:
        """List the dates that it may be: with its year one, else those of two years."""
        for year in (self.year,) if self.year is not None else (today.year, today.year + 1):
            try:
                yield date(year, self.month, self.day)
            except ValueError:  # the 29th of February, or no date of any year
                continue


def read_appointment(text: str, now: datetime, zone: tzinfo, *, month_first: bool = False) -> datetime:
    """Read a date and a time, such as "21:30", "vie 21:30", "27/11 21:30", "nov 27 9 pm" or "2026-11-27 21:30".

    Words are Spanish or English. What isn't said is the next that comes: "21:30" may be tomorrow, a date without a
    year next year's. If the clocks go back and a time comes twice, it is the first one.

    Args:
        text: as it was typed.
        now: the present, with a time zone.
        zone: the zone in which the text is meant.
        month_first: whether the reader might write the month before the day, so that 3/4 isn't clear.

    Returns:
        The moment, in UTC.

    Raises:
        UnclearAppointment: if there is none, or it is past or too far ahead.
    """
    words = _plain(text)
    on, words = _date_in(words, month_first=month_first)
    clock, words = _clock_in(words)
    weekday, ahead = _day_in(words)
    if ahead is not None and not (on is None and weekday is None):
        raise UnclearAppointment(Unclear.NO_TIME)
    past: datetime | None = None
    for each in _days(now.astimezone(zone).date(), on, weekday, ahead):
        moment = _moment(each, clock, zone)
        if moment <= now:
            past = moment
            continue
        if on is not None and weekday not in (None, each.weekday()):
            raise UnclearAppointment(Unclear.NO_SUCH_DATE)
        if moment <= now + FURTHEST:
            return moment
        missed = past is not None and now - past < moment - now
        raise UnclearAppointment(Unclear.PAST if missed else Unclear.TOO_FAR)
    raise UnclearAppointment(Unclear.NO_SUCH_DATE if past is None else Unclear.PAST)


def read_day(text: str, today: date, *, month_first: bool = False) -> date:
    """Read a date without a time, such as "27/11", "3 Aug", "vie" or "tomorrow": the next that comes, today included.

    Raises:
        UnclearAppointment: if there is none, or it is past.
    """
    on, words = _date_in(_plain(text), month_first=month_first)
    weekday, ahead = _day_in(words)
    if (on, weekday, ahead) == (None, None, None):
        raise UnclearAppointment(Unclear.NO_TIME)
    days = list(_days(today, on, weekday, ahead))
    coming = [day for day in days if day >= today]
    if not coming:
        raise UnclearAppointment(Unclear.PAST if days else Unclear.NO_SUCH_DATE)
    if weekday not in (None, coming[0].weekday()):
        raise UnclearAppointment(Unclear.NO_SUCH_DATE)
    return coming[0]


def minute_of_week(moment: datetime, zone: tzinfo) -> int:
    """The minutes from the beginning of Monday to a moment, by the clocks of a zone.

    >>> minute_of_week(datetime(2026, 11, 23, 1, 30, tzinfo=UTC), UTC)
    90
    """
    local = moment.astimezone(zone)
    return (local.weekday() * 24 + local.hour) * 60 + local.minute


def next_in_week(minute: int, after: datetime, zone: tzinfo) -> datetime:
    """The first moment after another at which the clocks of a zone show a minute of the week.

    On a day on which the clocks go forward past it, it is as much later; where it comes twice, it is the first.
    """
    weekday, clock = divmod(minute % _WEEK, 24 * 60)
    at, day = time(*divmod(clock, 60)), after.astimezone(zone).date() - _DAY
    while True:
        if day.weekday() == weekday:
            moment = datetime.combine(day, at, zone).astimezone(UTC)
            if moment > after:
                return moment
        day += _DAY


def _plain(text: str) -> str:
    """Reduce text to small letters without accents, single spaces, and "am" or "pm" in one word."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    words = " ".join("".join(each for each in letters if not unicodedata.combining(each)).split())
    words = re.sub(r"(?<=[\d ])([ap])\. ?m\b\.?", r"\1m", words)
    words = re.sub(r"\b(?:de|por) la manana\b", "am", words)
    return re.sub(r"\b(?:de|por) la (?:tarde|noche)\b", "pm", words)


def _date_in(words: str, *, month_first: bool) -> tuple[_Date | None, str]:
    """Find the date in a text, and the text without it."""
    for pattern in _DATES:
        if found := pattern.search(words):
            parts = found.groupdict()
            left = f"{words[: found.start()]} {words[found.end() :]}"
            year = None if parts["year"] is None else int(parts["year"])
            year = year + 2000 if year is not None and year < 100 else year
            if "one" in parts:
                day, month = int(parts["one"]), int(parts["other"])
                if month_first and day != month and max(day, month) <= 12:
                    raise UnclearAppointment(Unclear.WHICH_DATE)
                if month_first and day <= 12 < month:
                    day, month = month, day
            else:
                day = int(parts["day"])
                month = int(parts["month"]) if "month" in parts else _named(parts["name"], _MONTHS) + 1
            return _Date(day, month, year), left
    return None, words


def _clock_in(words: str) -> tuple[time, str]:
    """Find the time of day in a text, and the text without it."""
    for pattern in _TIMES:
        if found := pattern.search(words):
            parts = found.groupdict()
            left = f"{words[: found.start()]} {words[found.end() :]}"
            hour, half = int(parts["hour"]), parts.get("half")
            said = half is not None
            if not said and _LATE & set(left.split()) and hour < 12:
                half, said = "pm", True
            if pattern is _TIMES[-1] and hour <= 12 and not said:  # nobody knows whether in the morning
                raise UnclearAppointment(Unclear.NO_TIME)
            if half is not None and hour <= 12:
                hour = hour % 12 + (12 if half == "pm" else 0)
            try:
                return time(hour, int(parts.get("minute") or 0)), left
            except ValueError:
                break
    raise UnclearAppointment(Unclear.NO_TIME)


def _day_in(words: str) -> tuple[int | None, int | None]:
    """Read what is left of a text: a weekday, or how many days ahead; there may be nothing else in it."""
    weekday: int | None = None
    ahead: int | None = None
    text = words.replace("pasado manana", "pasado+manana")
    for word in re.split(r"[ ,;.]+", text):
        named = _named(word, _WEEKDAYS) if len(word) >= _SHORTEST else -1
        days = _AHEAD.get(word.replace("+", " "))
        if named >= 0 and weekday is None:
            weekday = named
        elif days is not None and ahead is None:
            ahead = days
        elif word and word not in _FILLERS and word not in _LATE:
            raise UnclearAppointment(Unclear.NO_TIME)
    return weekday, ahead


def _named(word: str, names: tuple[tuple[str, ...], ...]) -> int:
    """Find the place of a name, which may be cut short; -1 if there is none."""
    return next((at for at, some in enumerate(names) if any(each.startswith(word) for each in some)), -1)


def _days(today: date, on: _Date | None, weekday: int | None, ahead: int | None) -> Iterator[date]:
    """List the days that may be meant, in order."""
    if on is not None:
        yield from on.candidates(today)
    elif weekday is not None:
        first = today + ((weekday - today.weekday()) % 7) * _DAY
        yield from (first, first + 7 * _DAY)
    elif ahead is not None:
        yield today + ahead * _DAY
    else:
        yield from (today, today + _DAY)


def _moment(day: date, clock: time, zone: tzinfo) -> datetime:
    local = datetime.combine(day, clock, zone)
    moment = local.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise UnclearAppointment(Unclear.NO_SUCH_TIME)
    return moment
