"""The private screen of a role that a server has chosen for something, and why one is refused."""

from typing import Final

from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import Layout, role_menu, row
from bot.platform.settings.choices import Choice, Note, parts_below
from bot.platform.settings.documents import Choices
from bot.platform.settings.ids import SETTINGS
from bot.platform.settings.listing import SETTINGS_LIST
from bot.platform.transport.reward_roles import RoleFlaw, UnfitRole

_FLAWS: Final = {
    RoleFlaw.GONE: N_("That role no longer exists."),
    RoleFlaw.EVERYONE: N_("Everyone has that role."),
    RoleFlaw.MANAGED: N_("That role belongs to an app, to boosting or to a subscription: nobody can be given it."),
    RoleFlaw.POWERFUL: N_(
        "That role allows too much for a prize: {powers}. Take that from the role or its channels, or choose another."
    ),
    RoleFlaw.OPENING: N_(
        "That role opens what isn't for everyone: {channels}. Take that from the role, or choose another."
    ),
    RoleFlaw.NOT_YOURS: N_(
        "To choose that role, you must be able to give it yourself: with the permission **Manage Roles**, and a role "
        "above it."
    ),
    RoleFlaw.NOT_ALLOWED: N_(
        "For that I need the permission **Manage Roles**, which I don't ask for otherwise. Give it to my role in the "
        "server's settings, then try again."
    ),
    RoleFlaw.TOO_HIGH: N_(
        "That role is above mine, so I can't give it. Move my role above it in the server's settings."
    ),
}
_CHANNELS: Final = 3
"""The most channels that a refusal names."""
_POWERS: Final = {
    "administrator": NC_("permission", "Administrator"),
    "manage_guild": N_("Manage Server"),
    "manage_roles": N_("Manage Roles"),
    "manage_channels": N_("Manage Channels"),
    "manage_messages": N_("Manage Messages"),
    "manage_threads": N_("Manage Threads"),
    "manage_webhooks": N_("Manage Webhooks"),
    "manage_nicknames": N_("Manage Nicknames"),
    "manage_events": N_("Manage Events"),
    "kick_members": N_("Kick Members"),
    "ban_members": N_("Ban Members"),
    "moderate_members": N_("Time Out Members"),
    "mention_everyone": N_("Mention @everyone, @here and All Roles"),
    "view_audit_log": N_("View Audit Log"),
}


def role_text(which: Choice, settings: Choices, t: Words) -> str:
    """The chosen role, in the list."""
    role = getattr(settings, which.field)
    return t.context("role", "None") if role is None else f"<@&{role}>"


def role_layout(which: Choice, settings: Choices, t: Words, note: Note | None = None) -> Layout:
    """The screen of a role. `note`: why it was refused, or can't be used as things stand."""
    chosen = getattr(settings, which.field)
    menu = role_menu(SETTINGS.custom_id(which.field), chosen, placeholder=t("No role"))
    return SETTINGS_LIST.page(which, t, row(menu), *parts_below(settings, which.field, note, t))


def unfit_text(unfit: UnfitRole, t: Words) -> str:
    """Say why a role can't be a reward, and what can be done about it."""
    names = (t(_POWERS[power]) if power in _POWERS else power.replace("_", " ").title() for power in unfit.powers)
    channels = [f"<#{channel}>" for channel in unfit.channels[:_CHANNELS]]
    if len(unfit.channels) > len(channels):
        channels.append("…")
    powers = ", ".join(f"**{name}**" for name in names)
    return t(_FLAWS[unfit.flaw], powers=powers, channels=", ".join(channels))
