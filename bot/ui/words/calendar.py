"""Dates as people write them, and the words for days and months in which they type them."""

from __future__ import annotations

import re
from datetime import date
from functools import cache, reduce
from operator import add
from typing import Final, Literal

from babel import Locale
from babel.dates import format_skeleton, get_day_names, get_month_names

from bot.club.appointments import ENGLISH, CalendarWords, plain_words
from bot.ui.words.texts import NC_, Words, words

_WIDTHS: Final[tuple[Literal["wide", "abbreviated"], ...]] = ("wide", "abbreviated")
_AHEAD: Final = {
    0: NC_("day", "today"),
    1: NC_("day", "tomorrow"),
    2: NC_("day", "the day after tomorrow"),
}
_FIRST: Final = {"fr": "1er", "it": "1º", "pt_BR": "1º"}
"""The first day of a month in languages where it has an ordinal number, which Babel doesn't know."""


_BASQUE: Final = re.compile(r"(\d+)\((a|e)\)")
"""A number with an ending that depends on how it is said, which Babel leaves open: "8(a)", "2026(e)ko"."""


def written_date(skeleton: str, day: date, t: Words) -> str:
    """Write a date in the form that a skeleton such as "MMMMd" stands for: in French the first is "1er décembre".

    >>> written_date("yMMMMd", date(2025, 5, 8), words("eu")), written_date("MMMMd", date(2026, 1, 31), words("eu"))
    ('2025eko maiatzaren 8a', 'urtarrilaren 31')
    """
    text = _BASQUE.sub(_declined, format_skeleton(skeleton, day, locale=t.language))
    first = _FIRST.get(t.language) if day.day == 1 else None
    return text if first is None else re.sub(r"\b1\b", first, text, count=1)


def _declined(number: re.Match[str]) -> str:
    """Write a number's ending, in Basque: e after one, five, ten and fifteen; none after eleven, which ends in it."""
    said = int(number[1]) % 20  # Basque counts in twenties
    ending = "e" if said in (1, 5, 10, 15) else ""
    return number[1] + (ending if number[2] == "e" else "" if said == 11 else "a")


def calendar_words(*spoken: Words) -> CalendarWords:
    """Return the words for days of some languages; those of English and Spanish are always understood."""
    return reduce(add, (_calendar_of(t) for t in dict.fromkeys((words("es"), *spoken))), ENGLISH)


@cache
def _calendar_of(t: Words) -> CalendarWords:
    days = [get_day_names(width, "stand-alone", t.language) for width in _WIDTHS]
    months = [get_month_names(width, "stand-alone", t.language) for width in _WIDTHS]
    return CalendarWords(
        tuple(tuple(_typed(names[at]) for names in days) for at in range(7)),
        tuple(tuple(_typed(names[at]) for names in months) for at in range(1, 13)),
        tuple((_typed(t(name)), ahead) for ahead, name in _AHEAD.items()),
    )


def _typed(name: str) -> str:
    return plain_words(name).rstrip(".")


def puts_month_first(locale: str) -> bool:
    """Whether people write the month before the day there: in the United States, of all languages that Discord has."""
    return Locale.parse(locale, sep="-").date_formats["short"].pattern.startswith("M")
