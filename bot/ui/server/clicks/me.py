"""The menus of a person's own choices."""

from __future__ import annotations

from typing import Any, Final

from bot.ui.kit.choices import Note
from bot.ui.kit.ids.server import PreferencesRef
from bot.ui.kit.press import Press
from bot.ui.kit.screen import Screen, without_reference
from bot.ui.server.clicks.choosing import handlers_of
from bot.ui.server.screens.me import CHOICES, me_layout


async def _change(press: Press, **changes: Any) -> None:
    await press.host.preferences.change(press.person.id, **changes)


async def _show(press: Press, note: Note | None) -> None:
    await press.reply.update_private(me_layout(press.host.preferences.get(press.person.id), press.t, note=note))


SCREEN: Final = Screen("preferences", PreferencesRef, without_reference(handlers_of(CHOICES, _change, _show)))
