"""The pages of roles in a server's settings: those that people get as a reward, and those that are mentioned."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from bot.platform.kit.screen import Press
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.documents import Choices
from bot.platform.settings.pages import ServerPages, SettingPage, Value, note_of
from bot.platform.settings.role_screen import role_layout, role_text, unfit_text
from bot.platform.transport.permissions import check_may_mention
from bot.platform.transport.reward_roles import RoleFlaw, unfit_roles
from bot.platform.transport.trouble import NETWORK

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Purpose:
    """The use of the roles that are chosen.

    Attributes:
        flaw_to_chooser: says why whoever made a press can't choose a role; None if they can.
        flaw_now: says why a role can't be used, if it can't, and whether it is gone.
    """

    flaw_to_chooser: Callable[[Press, int], Awaitable[str | None]]
    flaw_now: Callable[[Press, int], Awaitable[tuple[str | None, bool]]]


async def _no_reward_to_chooser(press: Press, role_id: int) -> str | None:
    unfit = await unfit_roles(press.interaction.client, press.guild_id, [role_id], press.interaction.user.id)
    return unfit_text(unfit[role_id], press.t) if role_id in unfit else None


async def _no_reward(press: Press, role_id: int) -> tuple[str | None, bool]:
    unfit = (await unfit_roles(press.interaction.client, press.guild_id, [role_id])).get(role_id)
    return (None, False) if unfit is None else (unfit_text(unfit, press.t), unfit.flaw is RoleFlaw.GONE)


async def _not_mentioned_to_chooser(press: Press, role_id: int) -> str | None:
    return CommonRefusal.ROLE_OF_ALL.reason(press.t) if role_id == press.guild_id else None


async def _not_mentioned(press: Press, role_id: int) -> tuple[str | None, bool]:
    try:
        await check_may_mention(press.interaction, press.guild_id, role_id)
    except Refusal as error:
        return error.reason(press.t), error.code is CommonRefusal.ROLE_GONE
    return None, False


REWARD: Final = Purpose(_no_reward_to_chooser, _no_reward)
"""The bot gives it to people."""
MENTIONED: Final = Purpose(_not_mentioned_to_chooser, _not_mentioned)
"""The bot mentions it."""


def role_page(which: Choice, kind: type[Choices], purpose: Purpose, value: Value = role_text) -> SettingPage:
    """Make the page of a role, which is a field of a server's choices of a kind."""

    async def choose(press: Press) -> None:
        """Set the chosen role, or none, unless it is unfit for what it is for."""
        role_id: int | None = None
        if press.value:
            data = cast("dict[str, Any]", press.interaction.data or {})
            if press.value not in data.get("resolved", {}).get("roles", {}):  # Discord vouches for these
                raise Refusal(CommonRefusal.STALE)
            role_id = int(press.value)
        if role_id is not None and (flaw := await purpose.flaw_to_chooser(press, role_id)) is not None:
            await show(press, (which.field, flaw))
            return
        note = await note_of(press, which, ServerPages.change(press, kind, **{which.field: role_id}))
        settings, flawed = await now(press)
        if note is None and flawed is None:
            await press.host.of(ServerPages).show(press, which.field)
        else:
            await press.reply.update_private(role_layout(which, settings, press.t, note or flawed))

    async def show(press: Press, note: Note | None = None) -> None:
        settings, flaw = await now(press)
        await press.reply.update_private(role_layout(which, settings, press.t, note or flaw))

    async def now(press: Press) -> tuple[Choices, Note | None]:
        """Return the settings, without a role that is gone, and why the role can't be used as things stand, if it
        can't."""
        settings: Choices = await ServerPages.choices(press, kind)
        role_id: int | None = getattr(settings, which.field)
        if role_id is None:
            return settings, None
        try:
            flaw, gone = await purpose.flaw_now(press, role_id)
        except NETWORK as error:
            log.info("Could not find out whether a role can be used (%s)", type(error).__name__)
            return settings, None
        note = None if flaw is None else (which.field, flaw)
        return settings.changed(**{which.field: None}) if gone else settings, note

    return SettingPage(choice=which, show=show, kind=kind, value=value, handlers={which.field: choose})
