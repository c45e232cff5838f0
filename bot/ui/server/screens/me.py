"""A person's private screen of their own preferences, which hold on every server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.tables.server.preferences import Preferences
from bot.tables.turn import TurnNotice
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import PreferencesMenu, PreferencesRef
from bot.ui.layout import Component, Layout, box_of, menu, option, row
from bot.ui.words.texts import N_, Words

TURN_NOTICES: Final[Mapping[TurnNotice, str]] = {
    TurnNotice.AT_ONCE: N_("Tell me at once when it's my turn"),
    TurnNotice.LATER: N_("Tell me when I haven't clicked for a while"),
    TurnNotice.NEVER: N_("Never tell me"),
}


def me_layout(preferences: Preferences, t: Words, *, refused: str | None = None) -> Layout:
    """The screen. `refused`: why the latest choice changed nothing."""
    return box_of(
        FELT,
        t("## 👤 For you alone") + "\n" + t("These go for you on every server. Changes are saved at once."),
        t("**When it's your turn** I can mention you in a short message with a link to the table."),
        _menu(PreferencesMenu.TURN_NOTICE, preferences.turn_notice, TURN_NOTICES, t),
        None if refused is None else f"⚠️ {refused}",
    )


def _menu(which: PreferencesMenu, chosen: str, values: Mapping[TurnNotice, str], t: Words) -> Component:
    options = [option(t(text), value, chosen=value == chosen) for value, text in values.items()]
    return row(menu(PreferencesRef().custom_id(which), options))
