"""The roles that the best of a season get and that a lobby mentions, for those who may manage the server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, cast

from bot.platform.kit.press import Handler, Press
from bot.platform.language.refusals import refusal
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.choosing import change_settings, keep
from bot.platform.settings.role_screen import role_layout, unfit_text
from bot.platform.transport.permissions import check_may_mention
from bot.platform.transport.reward_roles import RoleFlaw, unfit_roles
from bot.platform.transport.trouble import NETWORK
from bot.tables.server.guild_settings import GuildSettings, GuildSettingsCache
from bot.ui.server.clicks.guild_settings import show_settings
from bot.ui.server.screens.guild_settings import PLAYERS, ROLES

log = logging.getLogger(__name__)


async def _choose(which: Choice, press: Press) -> None:
    """Set the chosen role, or none, unless it is unfit for what it is for."""
    role_id: int | None = None
    if press.value:
        data = cast("dict[str, Any]", press.interaction.data or {})
        if press.value not in data.get("resolved", {}).get("roles", {}):  # Discord vouches for these
            raise Refusal(CommonRefusal.STALE)
        role_id = int(press.value)
    if role_id is not None and (flaw := await _flaw_to_chooser(which, role_id, press)) is not None:
        await _show(which, press, (which.field, flaw))
    else:
        await keep(press, which.field, change_settings(press, **{which.field: role_id}), partial(_show_after, which))


async def _flaw_to_chooser(which: Choice, role_id: int, press: Press) -> str | None:
    """Say why somebody can't choose a role; None if they can."""
    if which is PLAYERS:
        return refusal(Refusal(CommonRefusal.ROLE_OF_ALL), press.t) if role_id == press.guild_id else None
    unfit = await unfit_roles(press.interaction.client, press.guild_id, [role_id], press.interaction.user.id)
    return unfit_text(unfit[role_id], press.t) if role_id in unfit else None


async def _show_after(which: Choice, press: Press, note: Note | None) -> None:
    """Show all settings with the new role, or its screen if it was refused or can't be used."""
    settings, flaw = await _now(which, press)
    if note is None and flaw is None:
        await show_settings(press, which.field)
    else:
        await press.reply.update_private(role_layout(which, settings, press.t, note or flaw))


async def _show(which: Choice, press: Press, note: Note | None = None) -> None:
    settings, flaw = await _now(which, press)
    await press.reply.update_private(role_layout(which, settings, press.t, note or flaw))


async def _now(which: Choice, press: Press) -> tuple[GuildSettings, Note | None]:
    """Return the settings, without a role that is gone, and why the role can't be used as things stand, if it can't."""
    settings = await press.host.of(GuildSettingsCache).get(press.guild_id)
    role_id: int | None = getattr(settings, which.field)
    if role_id is None:
        return settings, None
    try:
        flaw, gone = await _flaw_now(which, role_id, press)
    except NETWORK as error:
        log.info("Could not find out whether a role can be used (%s)", type(error).__name__)
        return settings, None
    note = None if flaw is None else (which.field, flaw)
    return settings.changed(**{which.field: None}) if gone else settings, note


async def _flaw_now(which: Choice, role_id: int, press: Press) -> tuple[str | None, bool]:
    """Say why a role can't be used, if it can't, and whether it is gone."""
    if which is PLAYERS:
        try:
            await check_may_mention(press.interaction, press.guild_id, role_id)
        except Refusal as error:
            return refusal(error, press.t), error.code is CommonRefusal.ROLE_GONE
        return None, False
    unfit = (await unfit_roles(press.interaction.client, press.guild_id, [role_id])).get(role_id)
    return (None, False) if unfit is None else (unfit_text(unfit, press.t), unfit.flaw is RoleFlaw.GONE)


HANDLERS: Final[Mapping[str, Handler]] = {each.field: partial(_choose, each) for each in ROLES}
SCREENS: Final[Mapping[str, Handler]] = {each.field: partial(_show, each) for each in ROLES}
