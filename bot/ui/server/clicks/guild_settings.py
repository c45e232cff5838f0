"""A server's settings: all of them, and those that a menu of options sets, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.club.rule_set import number_of
from bot.platform.kit.host import Host
from bot.platform.kit.press import Handler, Press
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.choosing import change_settings, handlers_of, keep, screens_of, shown_after
from bot.store.server.rule_sets import RuleSets
from bot.tables.server.guild_settings import GuildSettingsCache
from bot.tables.server.rule_sets import config_of, saved_rules
from bot.ui.server.parts import ServerParts
from bot.ui.server.screens.guild_settings import CHOICES, PRESET, Current, choice_layout, guild_settings_layout


async def _choose_preset(press: Press) -> None:
    """Keep the rule system, or the server's own rules, that new games begin with."""
    await keep(press, PRESET.field, _set_preset(press), shown_after(PRESET, partial(_show, PRESET), show_settings))


async def _set_preset(press: Press) -> None:
    if (number := number_of(press.value)) is None:
        await change_settings(press, preset=PRESET.read(press.value), rule_set=None)
    else:
        config = config_of(await saved_rules(press.host.of(RuleSets), press.guild_id), press.value)
        # the target is that of the set, until another is chosen
        await change_settings(press, preset=config.preset, rule_set=number, target=None)


async def _show(which: Choice, press: Press, note: Note | None = None) -> None:
    now = await _current(press.host, press.guild_id)
    await press.reply.update_private(choice_layout(which, now, press.t, note))


async def show_settings(press: Press, changed: str | None = None) -> None:
    """Show all settings as they stand. `changed`: the one that was just set."""
    layout = await settings_layout(press.host, press.guild_id, press.t, changed)
    await press.reply.update_private(layout)


async def settings_layout(host: Host, guild_id: int, t: Words, changed: str | None = None) -> Layout:
    """All settings of a server.

    Raises:
        StoreError: if they can't be read.
    """
    return guild_settings_layout(await _current(host, guild_id), t, changed=changed)


async def _current(host: Host, guild_id: int) -> Current:
    settings, usual = await host.of(GuildSettingsCache).get(guild_id), host.of(GuildSettingsCache).defaults.pace
    day, sets = host.of(ServerParts).day_messages.row_of(guild_id), await saved_rules(host.of(RuleSets), guild_id)
    return Current(settings, usual, day, sets)


HANDLERS: Final[Mapping[str, Handler]] = {
    PRESET.field: _choose_preset,
    **handlers_of(CHOICES, change_settings, _show, show_settings),
}
SCREENS: Final[Mapping[str, Handler]] = screens_of((PRESET, *CHOICES), _show)
