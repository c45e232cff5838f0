"""The private editor of a server's defaults for matches and its role for players, for those who may manage it."""

from __future__ import annotations

from typing import Final

from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.choices import Choice, Note, newer_text, parts_below, stored_parts
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, ClubSetting, DaySetting
from bot.ui.layout import Component, Layout, box_of, button, role_menu, row
from bot.ui.server.screens.zone_settings import zone_button
from bot.ui.words.texts import N_, Words

RATED: Final = Choice(
    "rated",
    N_("**New matches**"),
    {
        True: N_("Rated: they count for the leaderboard and ratings"),
        False: N_("Friendly: they don't count"),
    },
)
PLAYERS: Final = "players_role"
"""The setting that a menu of roles sets."""


def club_settings_layout(settings: GuildSettings, t: Words, *, note: Note | None = None) -> Layout:
    """The editor. `note`: the menu just used, and what came of it."""
    return box_of(
        FELT,
        t("## 🏅 Matches and players") + "\n" + t("Changes are saved at once. Anyone in a lobby can make it friendly."),
        newer_text(t) if settings.unreadable else None,
        *stored_parts(RATED, settings, SETTINGS, t, note),
        t("**Role to call for players**")
        + "\n"
        + t("With *Look for players*, a lobby mentions it, at most once in ten minutes."),
        row(role_menu(SETTINGS.custom_id(PLAYERS), settings.players_role, placeholder=t("No role"))),
        *parts_below(settings, PLAYERS, note, t),
        row(zone_button(t), button(SETTINGS.custom_id(DaySetting.BACK), t("Back"), emoji="⚙️")),
    )


def club_button(t: Words) -> Component:
    """The button of the settings that opens the editor."""
    return button(SETTINGS.custom_id(ClubSetting.OPEN), t("Matches and players…"), emoji="🏅")
