"""Days, months and time zones in words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cache, reduce
from importlib.resources import files
from operator import add, contains, eq
from typing import Final, Literal, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_skeleton, get_day_names, get_month_names, get_timezone_location

from bot.platform.language.appointments import CalendarWords, plain_words
from bot.platform.language.catalogues import languages, words
from bot.platform.language.spelling import normalized_name
from bot.platform.language.texts import Words

UTC_NAME: Final = "UTC"


@cache
def countries_of_zones() -> Mapping[str, str]:
    """The IANA names of the zones that are offered, each with the code of its country; UTC has none."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text("utf-8")
    lines = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    return {UTC_NAME: "", **{name: country for country, _, name, *_ in lines}}


def zone_name(name: str) -> str:
    """Return the IANA name of a time zone if there is such a zone.

    Raises:
        ValueError: if there is none.
    """
    zone_named(name)
    return name


def zone_named(name: str) -> ZoneInfo:
    """The time zone with an IANA name.

    Raises:
        ValueError: if there is none.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError) as error:  # a folder is an OSError, and a path a ValueError
        raise ValueError("no such time zone") from error


def zone_text(name: str, now: datetime, t: Words) -> str:
    """Name a time zone, and say what its clocks show."""
    return t("{zone} (it's {time} there)", zone=name, time=f"{now.astimezone(zone_named(name)):%H:%M}")


_LIKELY: Final = {
    "ca": "Europe/Madrid Europe/Andorra Europe/Paris Europe/Rome Atlantic/Canary",
    "en": "America/New_York America/Chicago America/Denver America/Los_Angeles Europe/London Europe/Dublin "
    "Australia/Sydney Pacific/Auckland Asia/Kolkata Africa/Johannesburg America/Toronto Europe/Madrid",
    "es": "Europe/Madrid America/Mexico_City America/Bogota America/Lima America/Caracas America/La_Paz "
    "America/Santiago America/Argentina/Buenos_Aires America/Montevideo America/Asuncion America/Guayaquil "
    "America/Guatemala America/Costa_Rica America/El_Salvador America/Tegucigalpa America/Managua America/Panama "
    "America/Santo_Domingo America/Havana America/Puerto_Rico America/Tijuana Atlantic/Canary America/New_York",
    "eu": "Europe/Madrid Europe/Paris Atlantic/Canary",
    "fr": "Europe/Paris Europe/Brussels Europe/Zurich America/Toronto Africa/Casablanca Africa/Algiers Africa/Tunis "
    "Africa/Abidjan Africa/Kinshasa Indian/Reunion America/Martinique Pacific/Noumea",
    "gl": "Europe/Madrid Europe/Lisbon Atlantic/Canary America/Argentina/Buenos_Aires",
    "it": "Europe/Rome Europe/Zurich Europe/Madrid Europe/London America/New_York America/Argentina/Buenos_Aires",
    "pt_BR": "America/Sao_Paulo America/Manaus America/Cuiaba America/Fortaleza America/Bahia America/Rio_Branco "
    "America/Noronha Europe/Lisbon",
}
"""Zones in which many speak a language, the likeliest first."""
_LIKELY_FIRST: Final = {
    "es_AR": "America/Argentina/Buenos_Aires America/Montevideo America/Asuncion",
    "es_419": "America/Mexico_City America/Bogota America/Lima",
}


def likely_zones(language: str) -> list[str]:
    """List zones that are likely for somebody who speaks a language, by their IANA names, the likeliest first.

    >>> likely_zones("es_AR")[:2], likely_zones("pt_BR")[0]
    (['America/Argentina/Buenos_Aires', 'America/Montevideo'], 'America/Sao_Paulo')
    """
    spoken = _LIKELY.get(language) or _LIKELY.get(language.partition("_")[0], _LIKELY["en"])
    return list(dict.fromkeys(f"{_LIKELY_FIRST.get(language, '')} {spoken} {UTC_NAME}".split()))


def zones_for(typed: str) -> list[str]:
    """List the zones that somebody may mean, by their IANA names: those of the city that they typed, or else all whose
    city, country or name contains it, in any of the bot's languages.

    >>> zones_for("madrid")
    ['Europe/Madrid']
    >>> zones_for("Uruguay")
    ['America/Montevideo']
    """
    wanted = _normalized(typed)
    if not wanted:
        return []
    known = _names()
    for fits in (eq, _begins, contains):
        found = [zone for zone, names in known.items() if any(fits(name, wanted) for name in names)]
        if found:
            return found
    return []


def _begins(name: str, wanted: str) -> bool:
    return any(part.startswith(wanted) for part in (name, *name.split("/")))


@cache
def _names() -> dict[str, frozenset[str]]:
    """The names by which each zone is found."""
    return {
        zone: frozenset(map(_normalized, _names_of(zone, country))) for zone, country in countries_of_zones().items()
    }


def _names_of(zone: str, country: str) -> Iterator[str]:
    yield zone
    yield zone.rpartition("/")[2]
    for language in languages() if country else ():
        territories = cast("Mapping[str, str]", Locale.parse(language).territories)
        yield get_timezone_location(zone, locale=language, return_city=True)
        yield territories.get(country, zone)


def _normalized(name: str) -> str:
    return normalized_name(name.replace("_", " "))


_WIDTHS: Final[tuple[Literal["wide", "abbreviated"], ...]] = ("wide", "abbreviated")
_FIRST: Final = {"fr": "1er", "it": "1º", "pt_BR": "1º"}
"""The first day of a month in languages where it has an ordinal number, which Babel doesn't know."""
_ENDINGS: Final = {"eu": ("an", "ean", "ak", "aren")}
"""Endings that stand in place of the last letter of a day's or month's name, in languages that decline it."""


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
    return reduce(add, (_calendar_of(t) for t in dict.fromkeys((words("en"), words("es"), *spoken))))


@cache
def _calendar_of(t: Words) -> CalendarWords:
    days = [get_day_names(width, "stand-alone", t.language) for width in _WIDTHS]
    months = [get_month_names(width, "stand-alone", t.language) for width in _WIDTHS]
    ahead = (t.context("day", "today"), t.context("day", "tomorrow"), t.context("day", "the day after tomorrow"))
    return CalendarWords(
        weekdays=tuple(_typed([names[at] for names in days], t) for at in range(7)),
        months=tuple(_typed([names[at] for names in months], t) for at in range(1, 13)),
        ahead=tuple((each, number) for number, said in enumerate(ahead) for each in _listed(said)),
        # Translators: what people type around 9 if they mean the morning, in every form. Commas separate.
        morning=_listed(t.context("typed", "in the morning, morning")),
        # Translators: what they type around 9 if they mean 21:00: words for afternoon, evening and night.
        late=_listed(
            t.context("typed", "in the evening, evening, at night, night, tonight, in the afternoon, afternoon")
        ),
        # Translators: what they type before a time of day: "Friday at 21".
        before=_listed(t.context("typed", "at")),
        # Translators: what they type after a time of day: "Friday 21 h".
        after=_listed(t.context("typed", "h, hrs, hours")),
        # Translators: single words around a day or a time that change nothing, in every form.
        fillers=_listed(t.context("typed", "a, at, by, in, it, next, o'clock, of, on, the, this")),
    )


def _listed(said: str) -> tuple[str, ...]:
    return tuple(plain_words(said).split(", "))


def _typed(names: Iterable[str], t: Words) -> tuple[str, ...]:
    """List the ways to type a day's or a month's names."""
    plain = [plain_words(name).rstrip(".") for name in names]
    return (*plain, *(name[:-1] + ending for name in plain for ending in _ENDINGS.get(t.language, ())))


def puts_month_first(locale: str) -> bool:
    """Whether people write the month before the day there: in the United States, of all languages that Discord has."""
    return Locale.parse(locale, sep="-").date_formats["short"].pattern.startswith("M")
