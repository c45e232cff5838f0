"""The private pages of a person's preferences about tables: what each can be, and how it reads."""

from datetime import date
from typing import Final

from bot.platform.language.calendar import written_date
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.settings.choices import Choice
from bot.tables.settings import QUIET, SlowNotice, TablePreferences, TurnNotice
from bot.tables.words.names import TEMPO_NAMES


def _hours_text(hours: str) -> str:
    first, dash, last = hours.partition("-")
    return f"{first}:00 – {last}:00" if dash else NC_("setting", "Off")


DIGEST_HOUR: Final = Choice(
    "digest_hour",
    N_("**Hour of the private message**"),
    dict.fromkeys(range(24), NC_("time", "{n}:00")),
    about=N_("By the clock of your time zone, or of this server if you have chosen none."),
)
QUIET_HOURS: Final = Choice(
    "quiet_hours",
    N_("**Quiet hours**"),
    {hours: _hours_text(hours) for hours in QUIET},
    about=N_("In these hours I tell you nothing of slow matches: what comes up waits until they are over."),
)
TURN_NOTICE: Final = Choice(
    "turn_notice",
    N_("**When it's your turn**"),
    {
        TurnNotice.AT_ONCE: N_("Tell me at once"),
        TurnNotice.LATER: N_("Tell me when I haven't clicked for a while"),
        TurnNotice.NEVER: N_("Never tell me"),
    },
    about=N_("I can mention you in a short message with a link to the table."),
)
SLOW_NOTICE: Final = Choice(
    "slow_notice",
    N_("**In slow matches**"),
    {
        SlowNotice.MENTION: N_("The same, and once more before time runs out"),
        SlowNotice.PRIVATE: N_("In a private message, as it comes"),
        SlowNotice.DAILY: N_("Once a day, in a private message"),
        SlowNotice.NEVER: N_("Never tell me"),
    },
    about=N_("Where a turn takes a day or more, or has no time limit."),
)
DECK: Final = Choice(
    "deck",
    NC_("heading", "**Deck**"),
    {
        None: N_("As on the server"),
        "spanish": N_("Spanish cards"),
        "french": N_("French cards: diamonds are oros"),
    },
    about=N_("For what only you see."),
)
TEXT_ONLY: Final = Choice(
    "text_only",
    NC_("heading", "**Pictures**"),
    {False: NC_("setting", "On"), True: N_("Text only")},
    about=N_("With text only, whatever only you see comes without pictures."),
)
TEMPO: Final = Choice(
    "tempo", N_("**Pace of my tables**"), TEMPO_NAMES, about=N_("New lobbies of yours begin with it.")
)
HOLIDAYS: Final = Choice(
    "holidays",
    NC_("heading", "**Holidays**"),
    {},
    about=N_(
        "On these days your clocks in slow matches stand still, and the others see until when. A missed slow turn "
        "spends one of them first. The days are those of your time zone."
    ),
)
CHOICES: Final = (TURN_NOTICE, SLOW_NOTICE, DIGEST_HOUR, QUIET_HOURS, DECK, TEXT_ONLY, TEMPO)
"""The preferences that a menu of options sets."""


def holidays_ahead(preferences: TablePreferences, today: date) -> list[tuple[date, date]]:
    """The holidays that aren't over."""
    return [holiday for holiday in preferences.holidays if holiday[1] >= today]


def span_text(first: date, last: date, t: Words) -> str:
    """Write the days from one to another in brief."""
    days = [written_date("yMMMd", day, t) for day in (first, last)]
    return days[0] if first == last else f"{days[0]} – {days[1]}"
