"""The choice of a time zone: by what its clocks show now, or typed into a form, and picked if that can mean several."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from discord.ui import Label, Modal, TextInput

from bot.platform.language.calendar import likely_zones, zone_named, zone_text
from bot.platform.language.texts import N_, Words
from bot.platform.layout import Component, Layout, button, menu, option, row
from bot.platform.settings.choices import Choice, Note, parts_below
from bot.platform.settings.documents import Choices
from bot.platform.settings.listing import Listing

_MOST: Final = 24
_LONGEST: Final = 60
ASK: Final = "zoneask"
"""The verb of the button that opens the form for another time zone, and of that form."""
SERVERS: Final = "usual"
"""The option for the zone of whatever server somebody is on."""
ZONE: Final = Choice(
    "zone",
    N_("**Time zone**"),
    {},
    about=N_("The start of a tournament is written in this time zone. Everyone reads it in their own."),
)
OWN_ZONE: Final = Choice(
    "zone",
    N_("**Time zone**"),
    {},
    about=N_("For your quiet hours and the hour of your private message."),
)


def zone_layout(
    listing: Listing,
    which: Choice,
    choices: Choices,
    now: datetime,
    t: Words,
    *,
    found: Sequence[str] = (),
    note: Note | None = None,
) -> Layout:
    """The screen. `found`: the zones that somebody may have meant, by default those that are likely for their language;
    `note`: what came of the latest click."""
    zone: str | None = getattr(choices, which.field)
    offered = [
        option(f"{now.astimezone(zone_named(each)):%H:%M} · {_city(each)}", each, chosen=each == zone, description=each)
        for each in (found or likely_zones(t.language))[:_MOST]
    ]
    if which is OWN_ZONE:
        offered.insert(0, option(t("As on the server"), SERVERS, chosen=zone is None))
    asked = t("Which one?") if found else t("What time is it with you now?")
    choice: Component = row(menu(listing.ref.custom_id(which.field), offered, placeholder=asked))
    another = button(listing.ref.custom_id(ASK), t("Choose another…"), emoji="🌍")
    below = parts_below(choices, which.field, note, t)
    return listing.page(which, t, f"**{value_text(zone, now, t)}**", *below, choice, buttons=[another])


def value_text(zone: str | None, now: datetime, t: Words) -> str:
    return t("As on the server") if zone is None else zone_text(zone, now, t)


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def zone_form(listing: Listing, t: Words) -> Modal:
    """The form for a city or a country."""
    form = Modal(title=t("Time zone"), custom_id=listing.ref.custom_id(ASK))
    field = TextInput[Any](custom_id="zone", min_length=1, max_length=_LONGEST, placeholder="Madrid")
    form.add_item(Label(text=t("A city or a country"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
