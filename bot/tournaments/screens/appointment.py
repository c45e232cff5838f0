"""The form for a tournament's title and the time at which it begins, and the reasons why a time isn't understood."""

from __future__ import annotations

from typing import Any, Final

from discord.ui import Label, Modal, TextInput

from bot.platform.language.appointments import FURTHEST, Unclear
from bot.platform.language.texts import N_, Words
from bot.platform.language.time_zones import zone_named
from bot.platform.people.names import safe
from bot.tournaments.rules.setup import LONGEST_TITLE
from bot.tournaments.rules.tournament import Setup

TITLE: Final = "title"
WHEN: Final = "when"
"""The fields of the form, in this order."""
_LONGEST: Final = 60
_UNCLEAR: Final = {
    Unclear.NO_TIME: N_("I don't understand “{typed}”. Write a day and a time, such as Fri 21:30 or 27/11 21:30."),
    Unclear.NO_SUCH_DATE: N_("“{typed}” isn't a date I know. Write it like this: 27/11 21:30."),
    Unclear.WHICH_DATE: N_("“{typed}” could be two dates. Write the month as a word, such as 3 Dec 21:30."),
    Unclear.NO_SUCH_TIME: N_("“{typed}”: the clocks go forward then, so that time doesn't exist on that day."),
    Unclear.PAST: N_("“{typed}” is over already."),
    Unclear.TOO_FAR: N_("“{typed}” is too far ahead: it can be at most {days} days from now."),
}


def appointment_form(custom_id: str, zone: str, t: Words, *, setup: Setup | None = None) -> Modal:
    """The form. `setup`: that of an announced tournament, which may lose its time again."""
    form = Modal(title=t("Title and time"), custom_id=custom_id)
    start = None if setup is None else setup.start
    known = None if start is None else f"{start.moment.astimezone(zone_named(zone)):%Y-%m-%d %H:%M}"
    title = TextInput[Any](
        custom_id=TITLE, required=False, max_length=LONGEST_TITLE, default=setup.title or None if setup else None
    )
    when = TextInput[Any](
        custom_id=WHEN,
        required=setup is None,
        max_length=_LONGEST,
        default=known,
        placeholder=t("Fri 21:30"),
    )
    form.add_item(Label(text=t("Title, if it has one"), component=title))
    form.add_item(
        Label(text=t("When does it start?"), description=t("By the clocks of {zone}", zone=zone), component=when)
    )
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def unclear_text(why: Unclear, typed: str, t: Words) -> str:
    """Say why what somebody typed is no time at which a tournament can begin."""
    return t(_UNCLEAR[why], typed=safe(typed, longest=_LONGEST), days=FURTHEST.days)
