"""The editor of a server's rated matches and its role for players, for those who may manage the server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final, cast

from bot.tables.errors import Refusal, RefusalCode
from bot.ui.kit.choices import Note
from bot.ui.kit.ids.server import ClubSetting
from bot.ui.kit.press import Handler, Press
from bot.ui.server.clicks.choosing import change_settings, handlers_of, keep
from bot.ui.server.screens.club_settings import PLAYERS, RATED, club_settings_layout
from bot.ui.transport.permissions import check_may_mention
from bot.ui.transport.trouble import NETWORK
from bot.ui.words.refusals import refusal

log = logging.getLogger(__name__)


async def _open(press: Press) -> None:
    await _show(press)


async def _choose_role(press: Press) -> None:
    if press.value and press.value not in _roles_of(press):  # Discord vouches for these: they are on this server
        raise Refusal(RefusalCode.STALE)
    if press.value == str(press.guild_id):
        await _show(press, (PLAYERS, refusal(Refusal(RefusalCode.ROLE_OF_ALL), press.t)))
    else:
        role_id = int(press.value) if press.value else None
        await keep(press, PLAYERS, change_settings(press, players_role=role_id), _show)


def _roles_of(press: Press) -> Mapping[str, Any]:
    """The chosen roles by their ids, as Discord describes them."""
    data = cast("dict[str, Any]", press.interaction.data or {})
    return data.get("resolved", {}).get("roles", {})


async def _show(press: Press, note: Note | None = None) -> None:
    """Show the editor as it stands, and, if the role can't be mentioned, why."""
    settings = await press.host.guild_settings.get(press.guild_id)
    role = settings.players_role
    if role is not None:
        try:
            await check_may_mention(press.interaction, role)
        except Refusal as error:
            note = note or (PLAYERS, refusal(error, press.t))
            if error.code is RefusalCode.ROLE_GONE:
                settings = settings.changed(players_role=None)
        except NETWORK as error:
            log.info("Could not find out whether a role can be mentioned (%s)", type(error).__name__)
    await press.reply.update_private(club_settings_layout(settings, press.t, note=note))


HANDLERS: Final[Mapping[str, Handler]] = {
    ClubSetting.OPEN: _open,
    PLAYERS: _choose_role,
    **handlers_of([RATED], change_settings, _show),
}
