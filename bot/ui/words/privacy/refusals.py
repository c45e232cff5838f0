"""The reasons why a person's data isn't fetched or erased, for the person who asked."""

from __future__ import annotations

from typing import Final

from bot.platform.language.texts import N_
from bot.tables.server.refusals import PrivacyRefusal

PRIVACY_REFUSALS: Final[dict[PrivacyRefusal, str]] = {
    PrivacyRefusal.NOT_ERASED: N_(
        "I can't save anything right now, so your data isn't erased yet. You may have left your tables already. "
        "Please try again soon."
    ),
    PrivacyRefusal.DATA_BUSY: N_(
        "I'm still working on what you asked about your data. Please wait until that is done."
    ),
    PrivacyRefusal.DATA_JUST_NOW: N_("You have just had your data. Try again in ten minutes."),
}
