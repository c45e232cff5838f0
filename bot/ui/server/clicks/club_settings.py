"""The editor of a server's rated matches and its role for players, for those who may manage the server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from bot.tables.errors import Refusal, RefusalCode
from bot.ui.kit.ids.server import ClubSetting
from bot.ui.kit.press import Handler, Press
from bot.ui.server.screens.club_settings import NATURES, RATED, club_settings_layout
from bot.ui.transport.permissions import check_may_mention
from bot.ui.transport.trouble import NETWORK
from bot.ui.words.refusals import refusal

log = logging.getLogger(__name__)


async def _open(press: Press) -> None:
    await _show(press)


async def _choose_nature(press: Press) -> None:
    if press.value not in NATURES:
        raise Refusal(RefusalCode.STALE)
    await _save(press, ClubSetting.RATED, rated=press.value == RATED)


async def _choose_role(press: Press) -> None:
    if press.value and press.value not in _roles_of(press):  # Discord vouches for these: they are on this server
        raise Refusal(RefusalCode.STALE)
    if press.value == str(press.guild_id):
        await _show(press, (ClubSetting.PLAYERS, refusal(Refusal(RefusalCode.ROLE_OF_ALL), press.t)))
    else:
        await _save(press, ClubSetting.PLAYERS, players_role=int(press.value) if press.value else None)


def _roles_of(press: Press) -> Mapping[str, Any]:
    """The chosen roles by their ids, as Discord describes them."""
    data = cast("dict[str, Any]", press.interaction.data or {})
    return data.get("resolved", {}).get("roles", {})


async def _save(press: Press, which: ClubSetting, **changes: Any) -> None:
    """Keep a choice, and show the editor as it stands; a refusal is explained below the menu."""
    guild_settings, note = press.host.guild_settings, None
    settings = await guild_settings.get(press.guild_id)
    try:
        await guild_settings.save(press.guild_id, replace(settings, **changes))
    except Refusal as error:
        note = which, refusal(error, press.t)
    await _show(press, note)


async def _show(press: Press, note: tuple[ClubSetting, str] | None = None) -> None:
    """Show the editor as it stands, and, if the role can't be mentioned, why."""
    settings = await press.host.guild_settings.get(press.guild_id)
    role = settings.players_role
    if role is not None:
        try:
            await check_may_mention(press.interaction, role)
        except Refusal as error:
            note = note or (ClubSetting.PLAYERS, refusal(error, press.t))
            if error.code is RefusalCode.ROLE_GONE:
                settings = replace(settings, players_role=None)
        except NETWORK as error:
            log.info("Could not find out whether a role can be mentioned (%s)", type(error).__name__)
    await press.reply.update_private(club_settings_layout(settings, press.t, note=note))


HANDLERS: Final[Mapping[str, Handler]] = {
    ClubSetting.OPEN: _open,
    ClubSetting.RATED: _choose_nature,
    ClubSetting.PLAYERS: _choose_role,
}
