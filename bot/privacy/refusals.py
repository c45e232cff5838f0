"""The reasons why a request about a person's data is refused."""

from bot.platform.language.texts import N_
from bot.platform.refusals import RefusalCode


class PrivacyRefusal(RefusalCode):
    """The reason why a person's data isn't fetched or erased."""

    NOT_ERASED = N_(
        "I can't save anything right now, so your data isn't erased yet. You may have left your tables already. "
        "Please try again soon."
    )
    DATA_BUSY = N_("I'm still working on what you asked about your data. Please wait until that is done.")
    DATA_JUST_NOW = N_("You have just had your data. Try again in ten minutes.")
