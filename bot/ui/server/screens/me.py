"""A person's private list of their own preferences, which hold on every server, and the way to their data."""

from __future__ import annotations

from datetime import date
from typing import Final

from bot.platform.language.calendar import written_date
from bot.platform.language.texts import N_, NC_, LanguageNames, Words
from bot.platform.layout import Layout, button, row
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.listing import Listing
from bot.tables.server.preferences import DayNotice, Preferences
from bot.tables.turn import SlowNotice, TurnNotice
from bot.ui.ids.server import PREFERENCES, PrivacyRef, PrivacyVerb
from bot.ui.words.tables.tempos import TEMPO_NAMES

_LIST: Final = Listing(PREFERENCES, "👤")
page: Final = _LIST.page
DIGEST_HOUR: Final = Choice(
    "digest_hour",
    N_("**Hour of the private message**"),
    dict.fromkeys(range(24), NC_("time", "{n}:00")),
    about=N_("By the clock of this server, or UTC where there is none."),
)
CHOICES: Final = (
    Choice(
        "turn_notice",
        N_("**When it's your turn**"),
        {
            TurnNotice.AT_ONCE: N_("Tell me at once"),
            TurnNotice.LATER: N_("Tell me when I haven't clicked for a while"),
            TurnNotice.NEVER: N_("Never tell me"),
        },
        about=N_("I can mention you in a short message with a link to the table."),
    ),
    Choice(
        "slow_notice",
        N_("**In slow matches**"),
        {
            SlowNotice.MENTION: N_("The same, once a turn"),
            SlowNotice.DAILY: N_("Once a day, in a private message"),
            SlowNotice.NEVER: N_("Never tell me"),
        },
        about=N_("Where a turn takes a day or more, or has no time limit."),
    ),
    Choice(
        "day_notice",
        N_("**Daily puzzle**"),
        {
            DayNotice.NEVER: N_("Don't tell me"),
            DayNotice.SERVER: N_("Mention me in the server's message"),
            DayNotice.PRIVATE: N_("In a private message"),
        },
        about=N_(
            "Where a server posts the puzzle and you solved one there in the last month, I can mention you in it. Or I "
            "write to you while you haven't solved it."
        ),
    ),
    DIGEST_HOUR,
    Choice(
        "language",
        NC_("heading", "**Language**"),
        LanguageNames(N_("As in Discord")),
        about=N_("For what only you see. Everyone reads a table in the language of the server."),
    ),
    Choice(
        "deck",
        NC_("heading", "**Deck**"),
        {
            None: N_("As on the server"),
            "spanish": N_("Spanish cards"),
            "french": N_("French cards: diamonds are oros"),
        },
        about=N_("For what only you see."),
    ),
    Choice(
        "text_only",
        NC_("heading", "**Pictures**"),
        {False: NC_("setting", "On"), True: N_("Text only")},
        about=N_("With text only, whatever only you see comes without pictures."),
    ),
    Choice("tempo", N_("**Pace of my tables**"), TEMPO_NAMES, about=N_("New lobbies of yours begin with it.")),
)
"""The preferences that a menu of options sets."""
HOLIDAYS: Final = Choice(
    "holidays",
    NC_("heading", "**Holidays**"),
    {},
    about=N_(
        "On these days your clocks in slow matches stand still, and the others see until when. The days are those of "
        "UTC."
    ),
)
LISTED: Final = (*CHOICES, HOLIDAYS)
"""All that is listed with its value, in order; each has a screen that its field names."""


def me_layout(preferences: Preferences, t: Words, *, today: date = date.min, changed: str | None = None) -> Layout:
    """All preferences, and the menu that opens the screen of one. `changed`: the one just set, if any."""
    heading = t("## 👤 For you alone") + "\n-# " + t("These go for you on every server.")
    if preferences.digest_refused:
        heading += "\n⚠️ " + t("Discord didn't let me send you a private message, so I've turned those off.")
    daily = preferences.hears_daily
    values = [(each, _value(each, preferences, t)) for each in CHOICES if daily or each is not DIGEST_HOUR]
    holidays = ", ".join(span_text(*each, t) for each in holidays_ahead(preferences, today))
    values.append((HOLIDAYS, holidays or t("No dates yet")))
    data = row(button(PrivacyRef().custom_id(PrivacyVerb.SEE), t("Your data"), emoji="🔒"))
    return _LIST.layout(heading, preferences, values, t, data, changed=changed)


def _value(which: Choice, preferences: Preferences, t: Words) -> str:
    value = which.text(getattr(preferences, which.field), t)
    return f"{value} ({preferences.digest_zone})" if which is DIGEST_HOUR else value


def preference_layout(which: Choice, preferences: Preferences, t: Words, note: Note | None = None) -> Layout:
    """The screen of a preference that a menu of options sets. `note`: why it changed nothing."""
    return _LIST.choice(which, preferences, t, note)


def holidays_ahead(preferences: Preferences, today: date) -> list[tuple[date, date]]:
    """The holidays that aren't over."""
    return [each for each in preferences.holidays if each[1] >= today]


def span_text(first: date, last: date, t: Words) -> str:
    """Write the days from one to another in brief."""
    days = [written_date("yMMMd", day, t) for day in (first, last)]
    return days[0] if first == last else f"{days[0]} – {days[1]}"
