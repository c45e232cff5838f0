"""The choice of a server's time zone: typed into a form, and picked from a menu if that can mean several."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from discord.ui import Label, Modal, TextInput

from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.choices import Note, newer_text, parts_below
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, ClubSetting, ZoneSetting
from bot.ui.layout import Component, Layout, box_of, button, menu, option, row
from bot.ui.words.texts import Words
from bot.ui.words.zones import zone_text

ZONE: Final = "zone"
"""The setting that the menu sets."""
_MOST: Final = 25
_LONGEST: Final = 60


def zone_settings_layout(
    settings: GuildSettings, now: datetime, t: Words, *, found: Sequence[str] = (), note: Note | None = None
) -> Layout:
    """The screen. `found`: the zones that somebody may have meant; `note`: what came of the latest click."""
    offered = [option(each, each, chosen=False, description=zone_text(each, now, t)) for each in found[:_MOST]]
    choice: list[Component | str] = []
    if offered:
        label = t("Which one?")
        choice = [f"**{label}**", row(menu(SETTINGS.custom_id(ZONE), offered, placeholder=label))]
    return box_of(
        FELT,
        t("## 🕘 Time zone")
        + "\n"
        + t("The start of a tournament is written in this time zone. Everyone reads it in their own."),
        newer_text(t) if settings.unreadable else None,
        f"**{zone_text(settings.zone, now, t)}**",
        *parts_below(settings, ZONE, note, t),
        *choice,
        row(
            button(SETTINGS.custom_id(ZoneSetting.ASK), t("Choose another…"), emoji="🌍"),
            button(SETTINGS.custom_id(ClubSetting.OPEN), t("Back"), emoji="🏅"),
        ),
    )


def zone_button(t: Words) -> Component:
    """The button that opens the screen."""
    return button(SETTINGS.custom_id(ZoneSetting.OPEN), t("Time zone…"), emoji="🕘")


def zone_form(t: Words) -> Modal:
    """The form for a city or a country."""
    form = Modal(title=t("Time zone"), custom_id=SETTINGS.custom_id(ZoneSetting.ASK))
    field = TextInput[Any](custom_id="zone", min_length=1, max_length=_LONGEST, placeholder="Madrid")
    form.add_item(Label(text=t("A city or a country"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
