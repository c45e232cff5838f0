"""The reasons why a replay refuses an action, as codes that `bot.ui` puts into words."""

from bot.platform.refusal import RefusalCode


class ReplayRefusal(RefusalCode):
    """The reason why a match can't be shown again."""

    NO_REPLAY = "no_replay"
    """This person has no such match on the server, or it isn't over."""
    NO_LOG = "no_log"
    """The log of a match is no longer kept."""
    NO_CLIP = "no_clip"
    """Nothing happened in a match that a clip could be made of."""
