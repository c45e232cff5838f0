"""The editors of a server's settings, as one kind of screen."""

from __future__ import annotations

from typing import Final

from bot.ui.kit.ids.server import SettingsRef, ZoneSetting
from bot.ui.kit.screen import Screen, without_reference
from bot.ui.server.clicks import club_settings, day_settings, guild_settings, season_settings, zone_settings

SCREEN: Final = Screen(
    "settings",
    SettingsRef,
    without_reference(
        {
            **guild_settings.HANDLERS,
            **day_settings.HANDLERS,
            **season_settings.HANDLERS,
            **club_settings.HANDLERS,
            **zone_settings.HANDLERS,
        }
    ),
    forms={ZoneSetting.ASK: zone_settings.read_zone},
    managers_only=True,
)
