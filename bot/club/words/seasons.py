"""Seasons in words."""

from __future__ import annotations

from bot.club.rules.seasons import ALL_TIME, bounds
from bot.platform.language.calendar import written_date
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words

_MONTH = "yMMMM"
_QUARTER = "yQQQQ"


def period_name(period: str, t: Words) -> str:
    """Name a season, as for a heading; or "All time".

    >>> from bot.platform.language.texts import words
    >>> period_name("2026-11", words("en")), period_name("2026-Q4", words("es"))
    ('November 2026', '4.º trimestre de 2026')
    """
    if period == ALL_TIME:
        return t.context("menu", "All time")
    skeleton = _QUARTER if "Q" in period else _MONTH
    return capital(written_date(skeleton, bounds(period)[0], t))
