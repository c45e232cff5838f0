"""The menus of a server's defaults, for those who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.engine.rules import PRESETS, TARGETS
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.house import House
from bot.ui.clicks.press import Handler, Press
from bot.ui.delivery.permissions import may_manage
from bot.ui.screens.house_editor import DECK_NAMES, HINTS, PACES, PICTURES, TALKS, TURNS, USUAL, Default, house_layout
from bot.ui.words.texts import languages


def check_manages(interaction: discord.Interaction[Any]) -> None:
    """Let only those go on who may manage the server.

    Raises:
        Refusal: for everybody else.
    """
    if not may_manage(interaction):
        raise Refusal(RefusalCode.NOT_MANAGER)


def changed(house: House, default: Default, value: str) -> House:
    """The defaults after a choice.

    Raises:
        Refusal: for a value that was never offered.
    """
    usual = value == USUAL
    if default is Default.PRESET and value in PRESETS:
        return replace(house, preset=value)
    if default is Default.TARGET and (usual or value in map(str, TARGETS)):
        return replace(house, target=None if usual else int(value))
    if default is Default.TURN and (usual or value in TURNS):
        return replace(house, turn=None if usual else int(value))
    if default is Default.PACE and (usual or value in PACES):
        return replace(house, computer=None if usual else float(value))
    if default is Default.LANGUAGE and (usual or value in languages()):
        return replace(house, language=None if usual else value)
    if default is Default.DECK and value in DECK_NAMES:
        return replace(house, deck=value)
    if default is Default.HINTS and value in HINTS:
        return replace(house, hints=value == "on")
    if default is Default.PICTURES and value in PICTURES:
        return replace(house, pictures=value == "on")
    if default is Default.TALK and value in TALKS:
        return replace(house, talk=value == "yes")
    raise Refusal(RefusalCode.STALE)


async def choose(default: Default, press: Press) -> None:
    """Keep the choice, and show the editor as it stands."""
    check_manages(press.interaction)
    manager = press.host.manager
    guild_id = press.interaction.guild_id or 0
    house = changed(await manager.houses.of(guild_id), default, press.value)
    await manager.houses.settle(guild_id, house)
    await press.reply.update_private(house_layout(house, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {default: partial(choose, default) for default in Default}
