"""The private pages of a server's settings about its seasons: what each can be, and how it reads."""

from typing import Final

from bot.club.rules.seasons import SeasonLength
from bot.club.settings import ClubSettings
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.settings.choices import Choice
from bot.platform.settings.pages import text_of
from bot.platform.settings.role_screen import role_text

SEASON: Final = Choice(
    "season",
    NC_("heading", "**Season**"),
    {
        SeasonLength.MONTH: N_("A month"),
        SeasonLength.QUARTER: N_("A quarter"),
        SeasonLength.NONE: NC_("length of seasons", "None"),
    },
    about=N_(
        "Each season starts from zero; ratings go on. With the first match after its end, its podium is posted in "
        "that channel."
    ),
)
PASSES_ON: Final = Choice(
    "passes_on",
    N_("**Earlier podium**"),
    {True: N_("Loses its roles"), False: N_("Keeps its roles")},
    about=N_("What becomes of its roles when the next podium is made."),
)
WINNER: Final = Choice("winner_role", N_("**Winner's role**"), {}, about=N_("For the first of each season."))
PODIUM: Final = Choice("podium_role", N_("**Podium's role**"), {}, about=N_("For the first three of each season."))


def role_value(which: Choice, settings: ClubSettings, t: Words) -> str | None:
    """The role of the best of a season, in a few words; None where there are no seasons."""
    return None if settings.season is SeasonLength.NONE else role_text(which, settings, t)


def passes_on_value(which: Choice, settings: ClubSettings, t: Words) -> str | None:
    """Say in a few words what becomes of such roles; None where there are none."""
    if settings.season is SeasonLength.NONE or not settings.reward_roles:
        return None
    return text_of(which, settings, t)
