"""The reasons why a match can't be shown again."""

from bot.platform.language.texts import N_
from bot.platform.refusals import RefusalCode


class ReplayRefusal(RefusalCode):
    """The reason why a match can't be shown again."""

    NO_REPLAY = N_(
        "I can only replay a match that you have played on this server and that is over. `/escoba games` lists yours."
    )
    NO_LOG = N_("Only the result of that match is left: how it was played is no longer kept.")
    NO_CLIP = N_("Nobody took anything in that match, so there is no moment to make a clip of.")
