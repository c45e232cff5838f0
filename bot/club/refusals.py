"""The reasons why the club refuses an action, as codes that `bot.ui` puts into words."""

from bot.platform.refusal import RefusalCode


class ClubRefusal(RefusalCode):
    """The reason why results aren't handed out."""

    EXPORTED_JUST_NOW = "exported_just_now"
    """Somebody fetched the server's results not long ago."""
