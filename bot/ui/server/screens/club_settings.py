"""The private editor of a server's defaults for matches and its role for players, for those who may manage it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.colours import FELT
from bot.ui.layout import Component, Layout, box_of, button, menu, option, role_menu, row
from bot.ui.server.screens.day_settings import DaySetting
from bot.ui.words.texts import N_, Words


class ClubSetting(StrEnum):
    """A button or menu of the editor; the value is part of its custom_id, after the settings' own letter."""

    OPEN = "club"
    """Opens the editor."""
    RATED = "rated"
    PLAYERS = "players"
    """The role that a lobby may mention to find players."""


RATED, FRIENDLY = "rated", "friendly"
NATURES: Final = {
    RATED: N_("Rated: they count for the leaderboard and ratings"),
    FRIENDLY: N_("Friendly: they count for nothing"),
}


def club_settings_layout(
    settings: GuildSettings, kind: str, t: Words, *, note: tuple[ClubSetting, str] | None = None
) -> Layout:
    """The editor. `kind` begins its custom_ids; `note`: the menu just used, and what came of it."""
    nature = RATED if settings.rated else FRIENDLY
    natures = [option(t(name), value, chosen=value == nature) for value, name in NATURES.items()]
    headed: dict[ClubSetting, tuple[str, Component]] = {
        ClubSetting.RATED: (t("**New matches**"), menu(f"{kind}:{ClubSetting.RATED}", natures)),
        ClubSetting.PLAYERS: (
            t("**The role of those who want to play**")
            + "\n"
            + t("With *Look for players*, a lobby mentions it, at most once in ten minutes."),
            role_menu(f"{kind}:{ClubSetting.PLAYERS}", settings.players_role, placeholder=t("No role")),
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
        row(button(f"{kind}:{DaySetting.BACK}", t("Back"), emoji="⚙️")),
    )


def club_button(kind: str, t: Words) -> Component:
    """The button of the settings that opens the editor."""
    return button(f"{kind}:{ClubSetting.OPEN}", t("Matches and players…"), emoji="🏅")
