"""The menus of a server's defaults, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.club.rule_set import number_of
from bot.engine.rules import PRESETS, TARGETS
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.rule_sets import config_of, saved_rules
from bot.ui.kit.host import Host
from bot.ui.kit.ids.server import SettingsMenu
from bot.ui.kit.press import Handler, Press
from bot.ui.layout import Layout
from bot.ui.server.parts import ServerParts
from bot.ui.server.screens.guild_settings import (
    DECK_NAMES,
    HINTS,
    PACES,
    PICTURES,
    REACTIONS,
    TALKS,
    TURNS,
    USUAL,
    guild_settings_layout,
)
from bot.ui.words.refusals import refusal
from bot.ui.words.texts import Words, languages


def changed(settings: GuildSettings, menu: SettingsMenu, value: str) -> GuildSettings:
    """The defaults after a choice.

    Raises:
        Refusal: for a value that was never offered.
    """
    usual = value == USUAL
    if menu is SettingsMenu.PRESET and value in PRESETS:
        return replace(settings, preset=value, rule_set=None)
    if menu is SettingsMenu.TARGET and (usual or value in map(str, TARGETS)):
        return replace(settings, target=None if usual else int(value))
    if menu is SettingsMenu.TURN and (usual or value in TURNS):
        return replace(settings, turn=None if usual else int(value))
    if menu is SettingsMenu.PACE and (usual or value in PACES):
        return replace(settings, computer=None if usual else float(value))
    if menu is SettingsMenu.LANGUAGE and (usual or value in languages()):
        return replace(settings, language=None if usual else value)
    if menu is SettingsMenu.DECK and value in DECK_NAMES:
        return replace(settings, deck=value)
    if menu is SettingsMenu.HINTS and value in HINTS:
        return replace(settings, hints=value == "on")
    if menu is SettingsMenu.PICTURES and value in PICTURES:
        return replace(settings, pictures=value == "on")
    if menu is SettingsMenu.TALK and value in TALKS:
        return replace(settings, talk=value == "yes")
    if menu is SettingsMenu.REACTIONS and value in REACTIONS:
        return replace(settings, reactions=value == "yes")
    raise Refusal(RefusalCode.STALE)


async def choose(menu: SettingsMenu, press: Press) -> None:
    """Keep the choice, and show the editor as it stands; a refusal is explained below its menu."""
    guild_settings = press.host.guild_settings
    before = await guild_settings.get(press.guild_id)
    refused: tuple[SettingsMenu, str] | None = None
    try:
        if menu is SettingsMenu.PRESET and (number := number_of(press.value)) is not None:
            config = config_of(await saved_rules(press.host.store, press.guild_id), press.value)
            after = replace(before, preset=config.preset, rule_set=number, target=None)  # the set's, until changed
        else:
            after = changed(before, menu, press.value)
        await guild_settings.save(press.guild_id, after)
    except Refusal as error:
        refused = menu, refusal(error, press.t)
    await show_settings(press, refused)


async def show_settings(press: Press, refused: tuple[SettingsMenu, str] | None = None) -> None:
    """Show the editor as it stands. `refused`: the menu just used, and why it changed nothing."""
    layout = await settings_layout(press.host, press.guild_id, press.t, refused)
    await press.reply.update_private(layout)


async def settings_layout(
    host: Host, guild_id: int, t: Words, refused: tuple[SettingsMenu, str] | None = None
) -> Layout:
    """The editor of a server's defaults.

    Raises:
        StoreError: if they can't be read.
    """
    settings, usual = await host.guild_settings.get(guild_id), host.guild_settings.defaults.pace
    day, sets = host.of(ServerParts).day_messages.row_of(guild_id), await saved_rules(host.store, guild_id)
    return guild_settings_layout(settings, usual, t, day=day, sets=sets, refused=refused)


HANDLERS: Final[Mapping[str, Handler]] = {menu: partial(choose, menu) for menu in SettingsMenu}
