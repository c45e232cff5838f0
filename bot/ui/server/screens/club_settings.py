"""The private editor of a server's defaults for matches and its role for players, for those who may manage it."""

from __future__ import annotations

from typing import Final

from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, ClubSetting, DaySetting
from bot.ui.layout import Component, Layout, box_of, button, menu, option, role_menu, row
from bot.ui.words.texts import N_, Words

RATED, FRIENDLY = "rated", "friendly"
NATURES: Final = {
    RATED: N_("Rated: they count for the leaderboard and ratings"),
    FRIENDLY: N_("Friendly: they count for nothing"),
}


def club_settings_layout(settings: GuildSettings, t: Words, *, note: tuple[ClubSetting, str] | None = None) -> Layout:
    """The editor. `note`: the menu just used, and what came of it."""
    nature = RATED if settings.rated else FRIENDLY
    natures = [option(t(name), value, chosen=value == nature) for value, name in NATURES.items()]
    headed: dict[ClubSetting, tuple[str, Component]] = {
        ClubSetting.RATED: (t("**New matches**"), menu(SETTINGS.custom_id(ClubSetting.RATED), natures)),
        ClubSetting.PLAYERS: (
            t("**The role of those who want to play**")
            + "\n"
            + t("With *Look for players*, a lobby mentions it, at most once in ten minutes."),
            role_menu(SETTINGS.custom_id(ClubSetting.PLAYERS), settings.players_role, placeholder=t("No role")),
        ),
    }
    parts: list[Component | str] = []
    for which, (heading, chooser) in headed.items():
        parts += [heading, row(chooser)]
        if note is not None and note[0] is which:
            parts.append(f"⚠️ {note[1]}")
    return box_of(
        FELT,
        t("## 🏅 Matches and players")
        + "\n"
        + t("Changes are saved at once. A lobby can be made friendly by anybody in it."),
        *parts,
        row(button(SETTINGS.custom_id(DaySetting.BACK), t("Back"), emoji="⚙️")),
    )


def club_button(t: Words) -> Component:
    """The button of the settings that opens the editor."""
    return button(SETTINGS.custom_id(ClubSetting.OPEN), t("Matches and players…"), emoji="🏅")
