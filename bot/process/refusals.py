"""The refusals of all subjects: what each subject's codes mean is declared here, once."""

from __future__ import annotations

from bot.platform.language.refusals import declare
from bot.ui.words.club.refusals import CLUB_REFUSALS
from bot.ui.words.privacy.refusals import PRIVACY_REFUSALS
from bot.ui.words.replays.refusals import REPLAY_REFUSALS
from bot.ui.words.tables.refusals import RULE_REFUSALS, TABLE_REFUSALS
from bot.ui.words.tournaments.refusals import TOURNAMENT_REFUSALS
from bot.ui.words.training.refusals import TRAINING_REFUSALS


def declare_refusals() -> None:
    """Declare what the codes of all subjects mean, before anybody is refused anything."""
    declare(RULE_REFUSALS)
    declare(CLUB_REFUSALS)
    declare(TABLE_REFUSALS)
    declare(TOURNAMENT_REFUSALS)
    declare(TRAINING_REFUSALS)
    declare(REPLAY_REFUSALS)
    declare(PRIVACY_REFUSALS)
