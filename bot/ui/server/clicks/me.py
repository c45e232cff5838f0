"""A person's own choices: all of them, and those that a menu of options sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.platform.kit.press import Handler, Press
from bot.platform.kit.screen import Screen, without_reference
from bot.platform.language.time_zones import UTC_NAME
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.choosing import handlers_of, list_handlers, screens_of
from bot.tables.server.guild_settings import GuildSettingsCache
from bot.tables.server.preferences import PreferencesCache
from bot.ui.ids.server import PreferencesRef, PreferencesVerb
from bot.ui.server.screens.me import CHOICES, HOLIDAYS, me_layout, preference_layout
from bot.ui.tables.clicks.holidays import add_holidays, ask_holidays, remove_holiday, show_holidays, today_of


async def change_preferences(press: Press, **changes: Any) -> None:
    """Change preferences of whoever made the press; the hour of a daily message is that of the server they are on."""
    if {"slow_notice", "day_notice", "digest_hour"} & changes.keys():
        zone = UTC_NAME if press.server is None else (await press.host.of(GuildSettingsCache).get(press.server)).zone
        changes |= {"digest_zone": zone, "digest_locale": press.t.language, "digest_refused": False}
    await press.host.of(PreferencesCache).change(press.person.id, **changes)


async def show_preferences(press: Press, changed: str | None = None) -> None:
    """Show all preferences as they stand, in the language chosen by now. `changed`: the one that was just set."""
    t, preferences = press.display.words, press.host.of(PreferencesCache).get(press.person.id)
    await press.reply.update_private(me_layout(preferences, t, today=today_of(press), changed=changed))


async def _show(which: Choice, press: Press, note: Note | None = None) -> None:
    preferences = press.host.of(PreferencesCache).get(press.person.id)
    await press.reply.update_private(preference_layout(which, preferences, press.t, note))


_SCREENS: Final[Mapping[str, Handler]] = {
    **screens_of(CHOICES, _show),
    HOLIDAYS.field: show_holidays,
}
SCREEN: Final = Screen(
    "preferences",
    PreferencesRef,
    without_reference(
        {
            **list_handlers(_SCREENS, show_preferences),
            **handlers_of(CHOICES, change_preferences, _show, show_preferences),
            PreferencesVerb.HOLIDAY: ask_holidays,
            HOLIDAYS.field: remove_holiday,
        }
    ),
    forms={PreferencesVerb.HOLIDAY: add_holidays},
)
