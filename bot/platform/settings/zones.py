"""The choice of a server's time zone, for those who may manage the server."""

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.platform.kit.screen import Press
from bot.platform.language.calendar import countries_of_zones, zones_for
from bot.platform.language.texts import Words
from bot.platform.people import safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.ids import SettingsRef
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.pages import ServerPages, SettingPage
from bot.platform.settings.zone_screen import ASK, ZONE, zone_form, zone_settings_layout


async def _ask(press: Press) -> None:
    await press.reply.modal(zone_form(press.t))


async def _read(press: Press, _: SettingsRef, written: Sequence[str]) -> None:
    """Keep the zone of the city or country that was typed, or offer those that it has."""
    typed = written[0] if written else ""
    found = await asyncio.to_thread(zones_for, typed)  # the first search collects the names in all languages
    if len(found) == 1:
        await _keep(press, found[0])
    elif found:
        await _show_zones(press, found=found)
    else:
        text = press.t(
            "I know no time zone like “{typed}”. Write a large city near you, or a country.", typed=safe(typed)
        )
        await _show_zones(press, (ZONE.field, text))


async def _choose(press: Press) -> None:
    if press.value not in countries_of_zones():
        raise Refusal(CommonRefusal.STALE)
    await _keep(press, press.value)


async def _keep(press: Press, zone: str) -> None:
    await ServerPages.keep(press, ZONE, ServerPages.change(press, LanguageSettings, zone=zone), _show_zones)


async def _show_zones(press: Press, note: Note | None = None, *, found: Sequence[str] = ()) -> None:
    settings = await ServerPages.choices(press, LanguageSettings)
    now = press.host.tools.clock.now()
    await press.reply.update_private(zone_settings_layout(settings, now, press.t, found=found, note=note))


def _value(which: Choice, settings: LanguageSettings, t: Words) -> str:
    return settings.zone


PAGE: Final = SettingPage(
    choice=ZONE,
    show=_show_zones,
    kind=LanguageSettings,
    value=_value,
    handlers={ASK: _ask, ZONE.field: _choose},
    forms={ASK: _read},
)
