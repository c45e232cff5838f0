"""A server's settings and the screen of each, as one kind of screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.platform.kit.press import Handler
from bot.platform.kit.screen import Screen, without_reference
from bot.platform.settings import roles, zones
from bot.platform.settings.choosing import list_handlers
from bot.ui.ids.server import SettingsRef, SettingsVerb
from bot.ui.server.clicks import guild_settings, results
from bot.ui.tables.clicks import own_rules
from bot.ui.training.clicks import day_settings

_PARTS: Final = (guild_settings, roles, day_settings, zones, results)
_SCREENS: Final[Mapping[str, Handler]] = {
    **{field: show for part in _PARTS for field, show in part.SCREENS.items()},
    **own_rules.SCREENS,
}


SCREEN: Final = Screen(
    "settings",
    SettingsRef,
    without_reference(
        {
            **list_handlers(_SCREENS, guild_settings.show_settings),
            **{verb: handler for part in _PARTS for verb, handler in part.HANDLERS.items()},
        }
    ),
    forms={SettingsVerb.ZONE: zones.read_zone},
    managers_only=True,
)
