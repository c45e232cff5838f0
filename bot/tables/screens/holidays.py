"""A person's holidays: those to come, their removal, and the form for more."""

from datetime import date
from typing import Any, Final

from discord.ui import Label, Modal, TextInput

from bot.platform.language.texts import Words
from bot.platform.layout import Layout, button, menu, option, row
from bot.platform.settings.choices import Note, parts_below
from bot.platform.settings.ids import PREFERENCES
from bot.platform.settings.listing import PREFERENCES_LIST
from bot.tables.log.holidays import MOST_DAYS, days_in
from bot.tables.screens.preferences import HOLIDAYS, holidays_ahead, span_text
from bot.tables.settings import TablePreferences

ASK: Final = "holiday"
"""The verb of the button that opens the form for holidays, and of that form."""
_LONGEST: Final = 40
_MOST_LISTED: Final = 25


def holidays_layout(preferences: TablePreferences, today: date, t: Words, note: Note | None = None) -> Layout:
    """The screen of somebody's holidays. `note`: why the latest click changed nothing."""
    left = MOST_DAYS - days_in(preferences.holidays, today.year)
    lines = [f"🌴 {span_text(first, last, t)}" for first, last in holidays_ahead(preferences, today)]
    lines.append("-# " + t.plural("{n} day left this year", "{n} days left this year", left))
    offered = [
        option(span_text(first, last, t), first.isoformat(), chosen=False)
        for first, last in holidays_ahead(preferences, today)
        if last > today
    ]
    choice = [row(menu(PREFERENCES.custom_id(HOLIDAYS.field), offered[:_MOST_LISTED], placeholder=t("Remove which?")))]
    add = button(PREFERENCES.custom_id(ASK), t("Add holidays…"), emoji="🌴")
    below = parts_below(preferences, HOLIDAYS.field, note, t)
    return PREFERENCES_LIST.page(HOLIDAYS, t, "\n".join(lines), *below, *(choice if offered else ()), buttons=[add])


def holiday_form(t: Words) -> Modal:
    """The form for the first and the last day."""
    form = Modal(title=t.context("form", "Holidays"), custom_id=PREFERENCES.custom_id(ASK))
    for name, label in (("first", t("First day")), ("last", t("Last day"))):
        field = TextInput[Any](custom_id=name, min_length=1, max_length=_LONGEST, placeholder=t("3 Aug"))
        form.add_item(Label(text=label, component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
