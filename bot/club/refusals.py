"""The reasons why the club refuses an action."""

from bot.platform.language.texts import N_
from bot.platform.refusals import RefusalCode


class ClubRefusal(RefusalCode):
    """The reason why results aren't handed out."""

    EXPORTED_JUST_NOW = N_("Someone downloaded the results less than ten minutes ago. Please try again later.")
