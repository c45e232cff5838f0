"""The menus of a person's own choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.preferences import Preferences, TurnNotice
from bot.ui.clicks.press import Handler, Press
from bot.ui.screens.me import PreferencesMenu, me_layout


def changed(choices: Preferences, menu: PreferencesMenu, value: str) -> Preferences:
    """The choices after another.

    Raises:
        Refusal: for a value that was never offered.
    """
    if menu is PreferencesMenu.TOLD and value in list(TurnNotice):
        return replace(choices, told=TurnNotice(value))
    raise Refusal(RefusalCode.STALE)


async def choose(menu: PreferencesMenu, press: Press) -> None:
    """Keep the choice, and show the screen as it stands."""
    preferences, person_id = press.host.manager.preferences, press.person.id
    choices = changed(preferences.of(person_id), menu, press.value)
    await preferences.choose(person_id, choices)
    await press.reply.update_private(me_layout(choices, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {menu: partial(choose, menu) for menu in PreferencesMenu}
