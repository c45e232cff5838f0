"""The handlers of a list of choices, of a server or a person: what opens each, keeps what was chosen, and shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any

from bot.platform.kit.press import Handler, Handling, Press
from bot.platform.language.refusals import refusal
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.tables.server.guild_settings import GuildSettingsCache
from bot.ui.ids.server import ListVerb

Change = Callable[..., Awaitable[None]]
"""Stores what was chosen by the press: values by the names of their fields."""
Show = Callable[[Press, Note | None], Handling]
"""Shows a screen as it stands."""
ShowOne = Callable[[Choice, Press, Note | None], Handling]
"""Shows the screen of a choice as it stands."""
ShowAll = Callable[[Press, str | None], Handling]
"""Shows the list as it stands, with the field of the choice just made, if any."""


def list_handlers(screens: Mapping[str, Handler], show_all: ShowAll) -> dict[str, Handler]:
    """The handlers of the list itself. `screens`: shows the screen of each choice, by its field."""

    async def change(press: Press) -> None:
        if press.value not in screens:
            raise Refusal(CommonRefusal.STALE)
        await screens[press.value](press)

    return {ListVerb.OPEN: lambda press: show_all(press, None), ListVerb.CHANGE: change}


def screens_of(choices: Iterable[Choice], show: ShowOne) -> dict[str, Handler]:
    """Make the handlers that show the screen of each choice, by its field."""

    def opening(choice: Choice) -> Handler:
        return lambda press: show(choice, press, None)

    return {choice.field: opening(choice) for choice in choices}


def handlers_of(choices: Iterable[Choice], change: Change, show: ShowOne, show_all: ShowAll) -> dict[str, Handler]:
    """A handler for the menu of each choice, by its verb: the field."""

    async def choose(choice: Choice, press: Press) -> None:
        async def work() -> None:
            await change(press, **{choice.field: choice.read(press.value)})

        await keep(press, choice.field, work(), shown_after(choice, partial(show, choice), show_all))

    return {choice.field: partial(choose, choice) for choice in choices}


def shown_after(which: Choice, show: Show, show_all: ShowAll) -> Show:
    """Return what shows what came of a choice: the list with the new value, or again, if it was refused, its screen
    (`show`)."""

    def shown(press: Press, note: Note | None) -> Handling:
        return show_all(press, which.field) if note is None else show(press, note)

    return shown


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
    await press.host.of(GuildSettingsCache).change(press.guild_id, **changes)
