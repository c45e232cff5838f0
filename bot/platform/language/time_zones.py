"""The time zones that a server can choose: one for each country, or for each part of it with clocks of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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
