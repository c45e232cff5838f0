"""The choice of a server's time zone: typed into a form, and picked from a menu if that can mean several."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from discord.ui import Label, Modal, TextInput

from bot.platform.language.calendar import zone_text
from bot.platform.language.texts import N_, Words
from bot.platform.layout import Component, Layout, button, menu, option, row
from bot.platform.settings.choices import Choice, Note, parts_below
from bot.platform.settings.ids import SETTINGS
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.listing import SETTINGS_LIST

_MOST: Final = 25
_LONGEST: Final = 60
ASK: Final = "zoneask"
"""The verb of the button that opens the form for another time zone, and of that form."""
ZONE: Final = Choice(
    "zone",
    N_("**Time zone**"),
    {},
    about=N_("The start of a tournament is written in this time zone. Everyone reads it in their own."),
)


def zone_settings_layout(
    settings: LanguageSettings, now: datetime, t: Words, *, found: Sequence[str] = (), note: Note | None = None
) -> Layout:
    """The screen. `found`: the zones that somebody may have meant; `note`: what came of the latest click."""
    offered = [option(each, each, chosen=False, description=zone_text(each, now, t)) for each in found[:_MOST]]
    choice: list[Component] = []
    if offered:
        choice = [row(menu(SETTINGS.custom_id(ZONE.field), offered, placeholder=t("Which one?")))]
    another = button(SETTINGS.custom_id(ASK), t("Choose another…"), emoji="🌍")
    below = parts_below(settings, ZONE.field, note, t)
    return SETTINGS_LIST.page(ZONE, t, f"**{zone_text(settings.zone, now, t)}**", *below, *choice, buttons=[another])


def zone_form(t: Words) -> Modal:
    """The form for a city or a country."""
    form = Modal(title=t("Time zone"), custom_id=SETTINGS.custom_id(ASK))
    field = TextInput[Any](custom_id="zone", min_length=1, max_length=_LONGEST, placeholder="Madrid")
    form.add_item(Label(text=t("A city or a country"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
