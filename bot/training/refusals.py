"""The reasons why training refuses an action, as codes that `bot.ui` puts into words."""

from bot.platform.refusal import RefusalCode


class TrainingRefusal(RefusalCode):
    """The reason why a hint, a review or a position is refused."""

    NO_HINTS = "no_hints"
    """The match is ranked, or its server has hints turned off."""
    NO_ADVICE = "no_advice"
    """The moves can't be analysed now."""
    NO_REVIEWS = "no_reviews"
    """This bot can't review matches."""
    NO_REVIEW = "no_review"
    """This person has no match to review, or its log is no longer kept."""
    REVIEWING = "reviewing"
    """A review for this person is already being made."""
    TOO_MANY_REVIEWS = "too_many_reviews"
    """The person has asked for reviews again and again."""
    NO_POSITION = "no_position"
    """The day hasn't come yet, or its position isn't the one that was answered."""
    DAY_CLOSED = "day_closed"
    """The position of a day can't be solved any more."""
