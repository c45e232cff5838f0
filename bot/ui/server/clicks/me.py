"""The menus of a person's own choices."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.server.preferences import Preferences
from bot.tables.turn import TurnNotice
from bot.ui.kit.ids.server import PreferencesMenu, PreferencesRef
from bot.ui.kit.press import Press
from bot.ui.kit.screen import Screen, without_reference
from bot.ui.server.screens.me import me_layout
from bot.ui.words.refusals import refusal


def changed(choices: Preferences, menu: PreferencesMenu, value: str) -> Preferences:
    """The preferences after a choice.

    Raises:
        Refusal: for a value that was never offered.
    """
    if menu is PreferencesMenu.TURN_NOTICE and value in list(TurnNotice):
        return replace(choices, turn_notice=TurnNotice(value))
    raise Refusal(RefusalCode.STALE)


async def choose(menu: PreferencesMenu, press: Press) -> None:
    """Keep the choice, and show the screen as it stands; a refusal is explained below the menu."""
    preferences, person_id = press.host.preferences, press.person.id
    refused: str | None = None
    try:
        await preferences.save(person_id, changed(preferences.get(person_id), menu, press.value))
    except Refusal as error:
        refused = refusal(error, press.t)
    await press.reply.update_private(me_layout(preferences.get(person_id), press.t, refused=refused))


SCREEN: Final = Screen(
    "preferences", PreferencesRef, without_reference({menu: partial(choose, menu) for menu in PreferencesMenu})
)
