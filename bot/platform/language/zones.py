"""Time zones in words, and the zones that somebody may mean who types a city or a country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from operator import contains, eq
from typing import cast

from babel import Locale
from babel.dates import get_timezone_location

from bot.platform.language.catalogues import languages
from bot.platform.language.spelling import normalized_name
from bot.platform.language.texts import Words
from bot.platform.language.time_zones import countries_of_zones, zone_named


def zone_text(name: str, now: datetime, t: Words) -> str:
    """Name a time zone, and say what its clocks show."""
    return t("{zone} (it's {time} there)", zone=name, time=f"{now.astimezone(zone_named(name)):%H:%M}")


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
