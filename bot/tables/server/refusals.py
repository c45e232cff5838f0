"""The reasons why a request about a person's data is refused, as codes that `bot.ui` puts into words."""

from bot.platform.refusal import RefusalCode


class PrivacyRefusal(RefusalCode):
    """The reason why a person's data isn't fetched or erased."""

    NOT_ERASED = "not_erased"
    """A person's data couldn't be erased; they may have left their games already."""
    DATA_BUSY = "data_busy"
    """A request of this person about their data is already being handled."""
    DATA_JUST_NOW = "data_just_now"
    """The person has fetched their data not long ago."""
