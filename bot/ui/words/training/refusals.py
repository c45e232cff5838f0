"""The reasons why training refuses something, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.platform.language.texts import N_
from bot.training.refusals import TrainingRefusal

TRAINING_REFUSALS: Final[dict[TrainingRefusal, str]] = {
    TrainingRefusal.NO_HINTS: N_("There are no hints in this match."),
    TrainingRefusal.NO_ADVICE: N_("I can't think that through right now. Please try again soon."),
    TrainingRefusal.NO_REVIEWS: N_("This bot isn't set up to review matches."),
    TrainingRefusal.NO_REVIEW: N_(
        "You have no match to review here: it must have been played to the end, and not too long ago."
    ),
    TrainingRefusal.REVIEWING: N_("I'm still working on another review for you. Wait for it, or cancel it."),
    TrainingRefusal.TOO_MANY_REVIEWS: N_(
        "You asked for several reviews in a row, and they take me a while. Please wait a few minutes."
    ),
    TrainingRefusal.NO_POSITION: N_("I have no puzzle for that day. Please try again in a few minutes."),
    TrainingRefusal.DAY_CLOSED: N_("That puzzle is too old. `/escoba today` has a new one every day."),
}
