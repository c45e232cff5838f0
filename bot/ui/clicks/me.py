"""The menus of a person's own choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.people import Choices, Told
from bot.ui.clicks.press import Handler, Press
from bot.ui.screens.me import Choice, me_layout


def changed(choices: Choices, choice: Choice, value: str) -> Choices:
    """The choices after another.

    Raises:
        Refusal: for a value that was never offered.
    """
    if choice is Choice.TOLD and value in list(Told):
        return replace(choices, told=Told(value))
    raise Refusal(RefusalCode.STALE)


async def choose(choice: Choice, press: Press) -> None:
    """Keep the choice, and show the screen as it stands."""
    people, person_id = press.host.manager.people, press.person.id
    choices = changed(people.of(person_id), choice, press.value)
    await people.choose(person_id, choices)
    await press.reply.update_private(me_layout(choices, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {choice: partial(choose, choice) for choice in Choice}
