"""The reasons why a match can't be shown again, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.platform.language.texts import N_
from bot.replays.refusals import ReplayRefusal

REPLAY_REFUSALS: Final[dict[ReplayRefusal, str]] = {
    ReplayRefusal.NO_REPLAY: N_(
        "I can only replay a match that you have played on this server and that is over. `/escoba games` lists yours."
    ),
    ReplayRefusal.NO_LOG: N_("Only the result of that match is left: how it was played is no longer kept."),
    ReplayRefusal.NO_CLIP: N_("Nobody took anything in that match, so there is no moment to make a clip of."),
}
