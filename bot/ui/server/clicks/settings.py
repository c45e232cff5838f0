"""A server's settings and the screen of each, as one kind of screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.ui.kit.ids.server import SettingsRef, SettingsVerb
from bot.ui.kit.press import Handler, Press
from bot.ui.kit.screen import Screen, without_reference
from bot.ui.server.clicks import day_settings, guild_settings, own_rules, results, role_settings, zone_settings

_PARTS: Final = (guild_settings, role_settings, day_settings, zone_settings, results)
_SCREENS: Final[Mapping[str, Handler]] = {
    **{field: show for part in _PARTS for field, show in part.SCREENS.items()},
    **own_rules.SCREENS,
}


async def _open(press: Press) -> None:
    await guild_settings.show_settings(press)


async def _change(press: Press) -> None:
    """Show the screen of the chosen setting."""
    if press.value not in _SCREENS:
        raise Refusal(RefusalCode.STALE)
    await _SCREENS[press.value](press)


SCREEN: Final = Screen(
    "settings",
    SettingsRef,
    without_reference(
        {
            SettingsVerb.OPEN: _open,
            SettingsVerb.CHANGE: _change,
            **{verb: handler for part in _PARTS for verb, handler in part.HANDLERS.items()},
        }
    ),
    forms={SettingsVerb.ZONE: zone_settings.read_zone},
    managers_only=True,
)
