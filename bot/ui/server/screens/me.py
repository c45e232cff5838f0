"""A person's private screen of their own preferences, which hold on every server, and the way to their data."""

from __future__ import annotations

from itertools import chain
from typing import Final

from bot.tables.server.preferences import Preferences
from bot.tables.turn import TurnNotice
from bot.ui.kit.choices import Choice, Note, newer_text, stored_parts
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import PreferencesRef, PrivacyRef, PrivacyVerb
from bot.ui.layout import Layout, box_of, button, row
from bot.ui.words.texts import N_, Words

CHOICES: Final = (
    Choice(
        "turn_notice",
        N_("**When it's your turn** I can mention you in a short message with a link to the table."),
        {
            TurnNotice.AT_ONCE: N_("Tell me at once when it's my turn"),
            TurnNotice.LATER: N_("Tell me when I haven't clicked for a while"),
            TurnNotice.NEVER: N_("Never tell me"),
        },
    ),
)


def me_layout(preferences: Preferences, t: Words, *, note: Note | None = None) -> Layout:
    """The screen. `note`: the menu just used, and why it changed nothing."""
    menus = (stored_parts(each, preferences, PreferencesRef(), t, note) for each in CHOICES)
    return box_of(
        FELT,
        t("## 👤 For you alone") + "\n" + t("These go for you on every server. Changes are saved at once."),
        newer_text(t) if preferences.unreadable else None,
        *chain.from_iterable(menus),
        row(button(PrivacyRef().custom_id(PrivacyVerb.SEE), t("Your data"), emoji="🔒")),
    )
