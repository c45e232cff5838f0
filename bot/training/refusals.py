"""The reasons why training refuses an action."""

from bot.platform.language.texts import N_
from bot.platform.refusals import RefusalCode


class TrainingRefusal(RefusalCode):
    """The reason why a hint, a review or a position is refused."""

    NO_HINTS = N_("There are no hints in this match.")
    """The match is ranked, or its server has hints turned off."""
    NO_ADVICE = N_("I can't think that through right now. Please try again soon.")
    """The moves can't be analysed now."""
    NO_REVIEWS = N_("This bot isn't set up to review matches.")
    NO_REVIEW = N_("You have no match to review here: it must have been played to the end, and not too long ago.")
    REVIEWING = N_("I'm still working on another review for you. Wait for it, or cancel it.")
    TOO_MANY_REVIEWS = N_(
        "You asked for several reviews in a row, and they take me a while. Please wait a few minutes."
    )
    NO_POSITION = N_("I have no puzzle for that day. Please try again in a few minutes.")
    """The day hasn't come yet, or its position isn't the one that was answered."""
    DAY_CLOSED = N_("That puzzle is too old. `/escoba today` has a new one every day.")
