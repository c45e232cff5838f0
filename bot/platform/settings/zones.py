"""The choice of a server's time zone, for those who may manage the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from bot.platform.kit.press import Handler, Press
from bot.platform.language.time_zones import countries_of_zones
from bot.platform.language.zones import zones_for
from bot.platform.people.names import safe
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.choices import Note
from bot.platform.settings.choosing import change_settings, keep, shown_after
from bot.platform.settings.zone_screen import zone_form, zone_settings_layout
from bot.tables.server.guild_settings import GuildSettingsCache
from bot.ui.ids.server import SettingsRef, SettingsVerb
from bot.ui.server.clicks.guild_settings import show_settings
from bot.ui.server.screens.guild_settings import ZONE


async def _ask(press: Press) -> None:
    await press.reply.modal(zone_form(press.t))


async def read_zone(press: Press, _: SettingsRef, written: Sequence[str]) -> None:
    """Keep the zone of the city or country that was typed, or offer those that it has."""
    typed = written[0] if written else ""
    found = await asyncio.to_thread(zones_for, typed)  # the first search collects the names in all languages
    if len(found) == 1:
        await keep(press, ZONE.field, change_settings(press, zone=found[0]), _shown)
    elif found:
        await _show(press, found=found)
    else:
        text = press.t(
            "I know no time zone like “{typed}”. Write a large city near you, or a country.", typed=safe(typed)
        )
        await _show(press, (ZONE.field, text))


async def _choose(press: Press) -> None:
    if press.value not in countries_of_zones():
        raise Refusal(CommonRefusal.STALE)
    await keep(press, ZONE.field, change_settings(press, zone=press.value), _shown)


async def _show(press: Press, note: Note | None = None, *, found: Sequence[str] = ()) -> None:
    settings = await press.host.of(GuildSettingsCache).get(press.guild_id)
    now = press.host.tools.clock.now()
    await press.reply.update_private(zone_settings_layout(settings, now, press.t, found=found, note=note))


_shown: Final = shown_after(ZONE, _show, show_settings)
HANDLERS: Final[Mapping[str, Handler]] = {SettingsVerb.ZONE: _ask, ZONE.field: _choose}
SCREENS: Final[Mapping[str, Handler]] = {ZONE.field: _show}
