"""The menus of a server's defaults, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.club.rule_set import number_of
from bot.tables.server.rule_sets import config_of, saved_rules
from bot.ui.kit.choices import Note
from bot.ui.kit.host import Host
from bot.ui.kit.press import Handler, Press
from bot.ui.layout import Layout
from bot.ui.server.clicks.choosing import change_settings, handlers_of, keep
from bot.ui.server.parts import ServerParts
from bot.ui.server.screens.guild_settings import CHOICES, PRESET, guild_settings_layout
from bot.ui.words.texts import Words


async def _choose_preset(press: Press) -> None:
    """Keep the rule system, or the server's own rules, that new games begin with."""
    await keep(press, PRESET.field, _set_preset(press), show_settings)


async def _set_preset(press: Press) -> None:
    if (number := number_of(press.value)) is None:
        await change_settings(press, preset=PRESET.read(press.value), rule_set=None)
    else:
        config = config_of(await saved_rules(press.host.store, press.guild_id), press.value)
        # the target is that of the set, until another is chosen
        await change_settings(press, preset=config.preset, rule_set=number, target=None)


async def show_settings(press: Press, note: Note | None = None) -> None:
    """Show the editor as it stands. `note`: the menu just used, and why it changed nothing."""
    layout = await settings_layout(press.host, press.guild_id, press.t, note)
    await press.reply.update_private(layout)


async def settings_layout(host: Host, guild_id: int, t: Words, note: Note | None = None) -> Layout:
    """The editor of a server's defaults.

    Raises:
        StoreError: if they can't be read.
    """
    settings, usual = await host.guild_settings.get(guild_id), host.guild_settings.defaults.pace
    day, sets = host.of(ServerParts).day_messages.row_of(guild_id), await saved_rules(host.store, guild_id)
    return guild_settings_layout(settings, usual, t, day=day, sets=sets, note=note)


HANDLERS: Final[Mapping[str, Handler]] = {
    PRESET.field: _choose_preset,
    **handlers_of(CHOICES, change_settings, show_settings),
}
