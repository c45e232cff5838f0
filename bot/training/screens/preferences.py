"""A person's wish to hear of the daily puzzle, in words."""

from typing import Final

from bot.platform.language.texts import N_
from bot.platform.settings.choices import Choice
from bot.training.settings import DayNotice

DAY_NOTICE: Final = Choice(
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
)
