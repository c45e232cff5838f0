"""The menus of a person's own choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.preferences import Preferences, TurnNotice
from bot.ui.clicks.press import Handler, Press
from bot.ui.screens.me import Choice, me_layout


def changed(choices: Preferences, choice: Choice, value: str) -> Preferences:
    """The choices after another.

    Raises:
        Refusal: for a value that was never offered.
    """
    if choice is Choice.TOLD and value in list(TurnNotice):
        return replace(choices, told=TurnNotice(value))
    raise Refusal(RefusalCode.STALE)


async def choose(choice: Choice, press: Press) -> None:
    """Keep the choice, and show the screen as it stands."""
    preferences, person_id = press.host.manager.preferences, press.person.id
    choices = changed(preferences.of(person_id), choice, press.value)
    await preferences.choose(person_id, choices)
    await press.reply.update_private(me_layout(choices, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {choice: partial(choose, choice) for choice in Choice}
