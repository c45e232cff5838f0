"""Keeps what was chosen in a menu of a server's settings or of a person's preferences, and shows its screen again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from bot.tables.errors import Refusal
from bot.ui.kit.choices import Choice, Note
from bot.ui.kit.press import Handler, Handling, Press
from bot.ui.words.refusals import refusal

Change = Callable[..., Awaitable[None]]
"""Stores what was chosen by the press: values by the names of their fields."""
Show = Callable[[Press, Note | None], Handling]
"""Shows the screen as it stands."""


def handlers_of(choices: Iterable[Choice], change: Change, show: Show) -> dict[str, Handler]:
    """A handler for the menu of each choice, by its verb: the field."""

    async def choose(choice: Choice, press: Press) -> None:
        async def work() -> None:
            await change(press, **{choice.field: choice.read(press.value)})

        await keep(press, choice.field, work(), show)

    return {choice.field: partial(choose, choice) for choice in choices}


async def keep(press: Press, name: str, work: Awaitable[None], show: Show) -> None:
    """Keep a choice, and show its screen; a refusal is explained below the menu of the field."""
    note: Note | None = None
    try:
        await work
    except Refusal as error:
        note = name, refusal(error, press.t)
    await show(press, note)


async def change_settings(press: Press, **changes: Any) -> None:
    """Change settings of the server where the press was made."""
    await press.host.guild_settings.change(press.guild_id, **changes)
