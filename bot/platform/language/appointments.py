"""Dates and times as people type them, and the same time of each week, in a time zone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import Final

FURTHEST: Final = timedelta(days=92)
"""The longest time ahead for an appointment."""
_DAY: Final = timedelta(days=1)
_WEEK: Final = 7 * 24 * 60
"""Minutes of a week."""
_SHORTEST: Final = 3
"""Letters to which the names of weekdays and months may be cut."""
Names = tuple[tuple[str, ...], ...]
"""The names of each weekday from Monday, or of each month."""
Phrases = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CalendarWords:
    """The words of a language for days, in small letters without accents.

    Attributes:
        weekdays: the names of each, Monday first. They may be cut to three letters, as long as one is meant.
        months: those of each month, January first.
        ahead: words such as "tomorrow", with the number of days ahead.
        morning: what makes 9 the ninth hour, such as "in the morning".
        late: what makes it the twenty-first, such as "tonight".
        before: words before an hour that has no minutes, such as "at".
        after: words after an hour, such as "h".
        fillers: words that change nothing, such as "on" and "next".
    """

    weekdays: Names
    months: Names
    ahead: tuple[tuple[str, int], ...]
    morning: Phrases
    late: Phrases
    before: Phrases
    after: Phrases
    fillers: Phrases

    def __add__(self, other: CalendarWords) -> CalendarWords:
        """Understand both languages."""
        return CalendarWords(
            tuple(one + more for one, more in zip(self.weekdays, other.weekdays, strict=True)),
            tuple(one + more for one, more in zip(self.months, other.months, strict=True)),
            self.ahead + other.ahead,
            self.morning + other.morning,
            self.late + other.late,
            self.before + other.before,
            self.after + other.after,
            self.fillers + other.fillers,
        )


_ORDINAL: Final = "(?:st|nd|rd|th|er|[o°]|an?)?"
"""The end of a day's number, as in 3rd, 1er, 1º and, in Basque, 8a and 8an."""
_IN_YEAR: Final = r"(?:,?(?: del?| of)? (?P<year>\d{4})\b)?"
_NUMBERS: Final = (
    re.compile(r"(?<![\d/-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:t(?=\d)|(?![\d/-]))"),
    re.compile(r"(?<![\d/-])(?P<one>\d{1,2})[/-](?P<other>\d{1,2})(?:[/-](?P<year>\d{4}|\d{2}))?(?![\d/-])"),
)


@lru_cache(maxsize=16)
def _dates(months: Names) -> tuple[re.Pattern[str], ...]:
    """Compile the ways to write a date."""
    cuts = {name[:cut] for names in months for name in names for cut in range(_SHORTEST, len(name) + 1)}
    month = "|".join(sorted((name for name in cuts if _named(name, months) >= 0), key=len, reverse=True))
    return (
        *_NUMBERS,
        re.compile(rf"(?<!\d)(?P<day>\d{{1,2}}){_ORDINAL}(?: de| of| d')? ?(?P<name>{month})\b\.?{_IN_YEAR}"),
        re.compile(rf"\b(?P<name>{month})\b\.? (?P<day>\d{{1,2}}){_ORDINAL}(?!\d|[:.]\d| ?h| ?[ap]m){_IN_YEAR}"),
    )


_HALF: Final = re.compile(r"\b[ap]m\b")


@lru_cache(maxsize=16)
def _times(before: Phrases, after: Phrases) -> tuple[re.Pattern[str], ...]:
    """Compile the ways to write a time; the last one says no more than an hour."""
    at, hours = _any_of(before), _any_of(after)
    return (
        re.compile(
            rf"(?<![\d:.])(?P<hour>\d{{1,2}})(?:[:.]| ?(?:{hours}) ?)(?P<minute>\d{{2}})"
            rf"(?: ?(?:{hours}))? ?(?P<half>[ap]m)?(?![\w:])"
        ),
        re.compile(rf"(?<![\d:.])(?P<hour>\d{{1,2}}) ?(?:(?:{hours}) ?)?(?P<half>[ap]m)(?!\w)"),
        re.compile(rf"(?<![\d:.])(?P<hour>\d{{1,2}}) ?(?:{hours})(?!\w)"),
        re.compile(rf"\b(?:{at}) (?P<hour>\d{{1,2}})(?![\w:./-])"),
    )


def _any_of(phrases: Phrases) -> str:
    """Write a pattern for any of some phrases, a longer one rather than its beginning."""
    return "|".join(re.escape(phrase) for phrase in sorted(set(phrases), key=len, reverse=True))


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


def read_appointment(
    text: str, now: datetime, zone: tzinfo, spoken: CalendarWords, *, month_first: bool = False
) -> datetime:
    """Read a date and a time, such as "21:30", "Fri 21:30", "27/11 21:30", "nov 27 9 pm" or "2026-11-27 21:30".

    What isn't said is the next that comes: "21:30" may be tomorrow, a date without a year next year's. If the clocks go
    back and a time comes twice, it is the first one.

    Args:
        text: as it was typed.
        now: the present, with a time zone.
        zone: the zone in which the text is meant.
        spoken: the words for days that may be used.
        month_first: whether the reader might write the month before the day, so that 3/4 isn't clear.

    Returns:
        The moment, in UTC.

    Raises:
        UnclearAppointment: if there is none, or it is past or too far ahead.
    """
    on, words = _date_in(_halved(plain_words(text), spoken), spoken, month_first=month_first)
    clock, words = _clock_in(words, spoken)
    weekday, ahead = _day_in(words, spoken)
    if ahead is not None and not (on is None and weekday is None):
        raise UnclearAppointment(Unclear.NO_TIME)
    past: datetime | None = None
    for day in _days(now.astimezone(zone).date(), on, weekday, ahead):
        moment = _moment(day, clock, zone)
        if moment <= now:
            past = moment
            continue
        if on is not None and weekday not in (None, day.weekday()):
            raise UnclearAppointment(Unclear.NO_SUCH_DATE)
        if moment <= now + FURTHEST:
            return moment
        missed = past is not None and now - past < moment - now
        raise UnclearAppointment(Unclear.PAST if missed else Unclear.TOO_FAR)
    raise UnclearAppointment(Unclear.NO_SUCH_DATE if past is None else Unclear.PAST)


def read_day(text: str, today: date, spoken: CalendarWords, *, month_first: bool = False) -> date:
    """Read a date without a time, such as "27/11", "3 Aug", "Fri" or "tomorrow": the next that comes, today included.

    Raises:
        UnclearAppointment: if there is none, or it is past.
    """
    on, words = _date_in(plain_words(text), spoken, month_first=month_first)
    weekday, ahead = _day_in(words, spoken)
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


def plain_words(text: str) -> str:
    """Reduce text to small letters without accents, single spaces, and "am" or "pm" in one word."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    words = " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
    return re.sub(r"(?<=[\d ])([ap])\. ?m\b\.?", r"\1m", words)


def _halved(words: str, spoken: CalendarWords) -> str:
    """Write the halves of the day, in whatever words, as "am" and "pm"."""
    for half, phrases in (("am", spoken.morning), ("pm", spoken.late)):
        words = re.sub(rf"\b(?:{_any_of(phrases)})\b", half, words)
    return words


def _date_in(words: str, spoken: CalendarWords, *, month_first: bool) -> tuple[_Date | None, str]:
    """Find the date in a text, and the text without it."""
    for pattern in _dates(spoken.months):
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
                month = int(parts["month"]) if "month" in parts else _named(parts["name"], spoken.months) + 1
            return _Date(day, month, year), left
    return None, words


def _clock_in(words: str, spoken: CalendarWords) -> tuple[time, str]:
    """Find the time of day in a text, and the text without it."""
    *clear, alone = _times(spoken.before, spoken.after)
    for pattern in (*clear, alone):
        if found := pattern.search(words):
            parts = found.groupdict()
            left = f"{words[: found.start()]} {words[found.end() :]}"
            hour, half = int(parts["hour"]), parts.get("half")
            if half is None and hour < 12 and (elsewhere := _HALF.search(left)):
                half = elsewhere[0]
            left = _HALF.sub("", left)
            if pattern is alone and hour <= 12 and half is None:  # nobody knows whether in the morning
                raise UnclearAppointment(Unclear.NO_TIME)
            if half is not None and hour <= 12:
                hour = hour % 12 + (12 if half == "pm" else 0)
            try:
                return time(hour, int(parts.get("minute") or 0)), left
            except ValueError:
                break
    raise UnclearAppointment(Unclear.NO_TIME)


def _day_in(words: str, spoken: CalendarWords) -> tuple[int | None, int | None]:
    """Read what is left of a text: a weekday, or how many days ahead; there may be nothing else in it."""
    weekday: int | None = None
    ahead: int | None = None
    for phrase, days in sorted(spoken.ahead, key=lambda each: -len(each[0])):  # "pasado mañana" before "mañana"
        if (found := re.search(rf"\b{re.escape(phrase)}\b", words)) and ahead is None:
            ahead, words = days, f"{words[: found.start()]} {words[found.end() :]}"
    for word in re.split(r"[ ,;.]+", words):
        named = _named(word, spoken.weekdays)
        if named >= 0 and weekday is None:
            weekday = named
        elif word and word not in spoken.fillers:
            raise UnclearAppointment(Unclear.NO_TIME)
    return weekday, ahead


def _named(word: str, names: Names) -> int:
    """Find the place of a name, which may be cut short; -1 if there is none, or more than one."""
    found = [at for at, some in enumerate(names) if word in some]
    if not found and len(word) >= _SHORTEST:
        found = [at for at, some in enumerate(names) if any(name.startswith(word) for name in some)]
    return found[0] if len(found) == 1 else -1


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
