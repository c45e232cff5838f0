"""The pages of a person's preferences about tables."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from bot.platform.kit.host import Host
from bot.platform.kit.screen import Press
from bot.platform.language.texts import Words
from bot.platform.settings.choices import Choice
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.pages import OwnPages, SettingPage
from bot.platform.settings.zone_screen import OWN_ZONE
from bot.platform.settings.zones import zone_page
from bot.tables.clicks.holidays import add_holidays, ask_holidays, remove_holiday, show_holidays
from bot.tables.parts import TableParts
from bot.tables.screens.holidays import ASK
from bot.tables.screens.preferences import (
    DECK,
    DIGEST_HOUR,
    HOLIDAYS,
    QUIET_HOURS,
    SLOW_NOTICE,
    TEMPO,
    TEXT_ONLY,
    TURN_NOTICE,
    holidays_ahead,
    span_text,
)
from bot.tables.settings import TablePreferences


async def digest_from(press: Press) -> Mapping[str, Any]:
    """Find what is stored along with a choice about the daily message: its hour is that of the server they are on."""
    settings = await press.host.of(GuildSettingsCache).of(press.server, LanguageSettings)
    return {"digest_zone": settings.zone, "digest_locale": press.t.language, "digest_refused": False}


async def _hour(host: Host, person_id: int) -> tuple[TablePreferences, bool]:
    """The preferences, and whether they get a daily message."""
    told = host.of(TableParts).digests.tells(person_id)
    return host.of(PreferencesCache).cached(person_id, TablePreferences), told


def _hour_text(which: Choice, now: tuple[TablePreferences, bool], t: Words) -> str | None:
    preferences, told = now
    hours = dict.fromkeys((preferences.digest_hour, preferences.told_at))  # quiet hours put it off
    return f"{' → '.join(which.text(hour, t) for hour in hours)} ({preferences.own_zone})" if told else None


async def _holidays(host: Host, person_id: int) -> list[tuple[date, date]]:
    preferences = host.of(PreferencesCache).cached(person_id, TablePreferences)
    return holidays_ahead(preferences, host.tools.clock.now().date())


def _holidays_text(which: Choice, ahead: list[tuple[date, date]], t: Words) -> str:
    return ", ".join(span_text(*each, t) for each in ahead) or t("No dates yet")


TURN_NOTICE_PAGE: Final = OwnPages.menu_page(TURN_NOTICE, TablePreferences)
SLOW_NOTICE_PAGE: Final = OwnPages.menu_page(SLOW_NOTICE, TablePreferences, along=digest_from)
HOUR_PAGE: Final = OwnPages.menu_page(DIGEST_HOUR, TablePreferences, value=_hour_text, read=_hour, along=digest_from)
QUIET_PAGE: Final = OwnPages.menu_page(QUIET_HOURS, TablePreferences)
ZONE_PAGE: Final = zone_page(OwnPages, TablePreferences, OWN_ZONE)
SHOWN_PAGES: Final = tuple(OwnPages.menu_page(each, TablePreferences) for each in (DECK, TEXT_ONLY, TEMPO))
HOLIDAYS_PAGE: Final = SettingPage(
    choice=HOLIDAYS,
    show=show_holidays,
    kind=TablePreferences,
    read=_holidays,
    value=_holidays_text,
    handlers={ASK: ask_holidays, HOLIDAYS.field: remove_holiday},
    forms={ASK: add_holidays},
)
