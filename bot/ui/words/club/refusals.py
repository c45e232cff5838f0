"""The reasons why results aren't handed out, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.club.refusals import ClubRefusal
from bot.platform.language.texts import N_

CLUB_REFUSALS: Final[dict[ClubRefusal, str]] = {
    ClubRefusal.EXPORTED_JUST_NOW: N_(
        "Someone downloaded the results less than ten minutes ago. Please try again later."
    ),
}
