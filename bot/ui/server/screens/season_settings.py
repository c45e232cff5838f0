"""The private editor of a server's seasons and rewards, with its results as a file, for those who may manage it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.club.seasons import SeasonLength
from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.choices import Choice, Note, newer_text, parts_below, stored_parts
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, DaySetting, SeasonSetting
from bot.ui.layout import Component, Layout, box_of, button, file_of, layout_of, role_menu, row
from bot.ui.server.screens.broken_off import broken_off_button
from bot.ui.transport.reward_roles import RoleFlaw, UnfitRole
from bot.ui.words.texts import N_, Words

SEASON: Final = Choice(
    "season",
    N_(
        "**Season**\nEach season starts from zero, so that anyone can win it. With the first match after its end, "
        "its podium is posted in that channel. Ratings go on from season to season."
    ),
    {
        SeasonLength.MONTH: N_("A season is a month"),
        SeasonLength.QUARTER: N_("A season is a quarter of a year"),
        SeasonLength.NONE: N_("No seasons"),
    },
)
PASSES_ON: Final = Choice(
    "passes_on",
    N_("**When the next podium is made**"),
    {
        True: N_("Whoever had them from the podium before loses them"),
        False: N_("Whoever has them keeps them"),
    },
)
WINNER: Final = "winner_role"
PODIUM: Final = "podium_role"
"""The settings that menus of roles set."""
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
    "administrator": N_("Administrator"),
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


def season_settings_layout(
    settings: GuildSettings,
    t: Words,
    *,
    unfit: Mapping[int, UnfitRole] | None = None,
    note: Note | None = None,
    said: str | None = None,
) -> Layout:
    """The editor.

    Args:
        settings: the server's choices.
        t: the words.
        unfit: which of the chosen roles can't be given as things stand, and why.
        note: the menu just used, and why it changed nothing.
        said: what came of another click.
    """

    def role_parts(which: str, heading: str, role_id: int | None) -> list[Component | str]:
        flawed = None if role_id is None else (unfit or {}).get(role_id)
        chosen = None if flawed is not None and flawed.flaw is RoleFlaw.GONE else role_id
        below = parts_below(settings, which, note, t)
        if flawed is not None and not below:
            below = [f"⚠️ {unfit_text(flawed, t)}"]
        return [heading, row(role_menu(SETTINGS.custom_id(which), chosen, placeholder=t("No role"))), *below]

    in_season = settings.season is not SeasonLength.NONE
    return box_of(
        FELT,
        t("## 🏆 Season and rewards"),
        newer_text(t) if settings.unreadable else None,
        said,
        *stored_parts(SEASON, settings, SETTINGS, t, note),
        *(role_parts(WINNER, t("**Role for the winner**"), settings.winner_role) if in_season else ()),
        *(role_parts(PODIUM, t("**Role for the first three**"), settings.podium_role) if in_season else ()),
        *(stored_parts(PASSES_ON, settings, SETTINGS, t, note) if in_season and settings.reward_roles else ()),
        t("**Results**") + "\n" + t("All matches of this server as a table, for a spreadsheet."),
        row(
            button(SETTINGS.custom_id(SeasonSetting.EXPORT), t("Download CSV"), emoji="📄"),
            broken_off_button(t),
            button(SETTINGS.custom_id(DaySetting.BACK), t("Back"), emoji="⚙️"),
        ),
    )


def season_button(t: Words) -> Component:
    """The button of the settings that opens the editor."""
    return button(SETTINGS.custom_id(SeasonSetting.OPEN), t("Seasons and results…"), emoji="🏆")


def unfit_text(unfit: UnfitRole, t: Words) -> str:
    """Say why a role can't be a reward, and what can be done about it."""
    names = (t(_POWERS[each]) if each in _POWERS else each.replace("_", " ").title() for each in unfit.powers)
    channels = [f"<#{each}>" for each in unfit.channels[:_CHANNELS]]
    if len(unfit.channels) > len(channels):
        channels.append("…")
    powers = ", ".join(f"**{name}**" for name in names)
    return t(_FLAWS[unfit.flaw], powers=powers, channels=", ".join(channels))


def export_text(shown: int, total: int, t: Words) -> str:
    """The text beside the file. `shown`: how many matches are in the file."""
    if not total:
        return t("No match finished here yet. `/escoba play` starts one.")
    if shown < total:
        return t("The latest {shown} matches of {total}: a file takes no more.", shown=shown, total=total)
    return t.plural("The one match of this server.", "All {n} matches of this server.", total)


def export_layout(text: str, name: str) -> Layout:
    """The message with the file, which Discord shows only through a component."""
    return layout_of(text, file_of(name))
