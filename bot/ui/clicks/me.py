"""The menus of a person's own choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.tables.data.preferences import Preferences
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.turn import TurnNotice
from bot.ui.clicks.press import Handler, Press
from bot.ui.screens.me import PreferencesMenu, me_layout


def changed(choices: Preferences, menu: PreferencesMenu, value: str) -> Preferences:
    """The choices after another.

    Raises:
        Refusal: for a value that was never offered.
    """
    if menu is PreferencesMenu.TURN_NOTICE and value in list(TurnNotice):
        return replace(choices, turn_notice=TurnNotice(value))
    raise Refusal(RefusalCode.STALE)


async def choose(menu: PreferencesMenu, press: Press) -> None:
    """Keep the choice, and show the screen as it stands."""
    preferences, person_id = press.host.preferences, press.person.id
    choices = changed(preferences.get(person_id), menu, press.value)
    await preferences.save(person_id, choices)
    await press.reply.update_private(me_layout(choices, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {menu: partial(choose, menu) for menu in PreferencesMenu}
