"""The fixtures of the tests that play by clicks."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from bot.platform.kit.screen import Handling, Press
from bot.platform.layout import Layout
from bot.process import host, parts
from bot.tables.boards import panel
from bot.tables.clicks.press import SCREEN
from bot.tables.ids.game import COUNTED, FROM_ANYWHERE, Ref, Verb
from bot.tables.live.manager import TableManager
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.settings import TablePreferences
from tests.support.escoba import RoomOf, room

ONCE: Final = {Verb.AGREE, Verb.LEAVE, Verb.CONFIRM_LEAVE, Verb.THREAD}
"""The verbs that change a lobby, but that nobody can repeat without one that is counted."""
OF_GAMES: Final = re.compile(f"'custom_id': '{Ref.kind}:([a-z]+)")


@pytest.fixture
def room_of(tmp_path: Path) -> RoomOf:
    """Opens a server with members and the bot, with its database in the test's own folder."""
    return partial(room, tmp_path)


@pytest.fixture(autouse=True)
def verbs_have_their_marks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compares the marks of a game's verbs with what their presses do, and where their buttons are, in every test."""
    lacking: set[tuple[str, Verb]] = set()

    async def handle(verb: Verb, handler: Callable[..., Handling], press: Press, ref: Ref, *written: Any) -> None:
        table = press.host.of(TableManager).get(ref.game)
        before = None if table is None or table.phase is not Phase.LOBBY else table.version
        await handler(press, ref, *written)
        if table is None or before is None or table.phase is not Phase.LOBBY or table.version == before:
            return
        if COUNTED not in verb.marks and verb not in ONCE:
            lacking.add(("COUNTED", verb))

    def panel_layout(view: TableView, *args: Any, **how: Any) -> Layout:
        layout = made(view, *args, **how)
        verbs = {Verb(each) for each in OF_GAMES.findall(str(layout.to_components()))}
        if not view.alone:  # else it is only where they play
            lacking.update(("FROM_ANYWHERE", verb) for verb in verbs if FROM_ANYWHERE not in verb.marks)
        return layout

    for handlers in (SCREEN.handlers, SCREEN.forms):
        for verb, handler in handlers.items():
            monkeypatch.setitem(handlers, verb, partial(handle, Verb(verb), handler))
    made = panel.panel_layout
    monkeypatch.setattr(panel, "panel_layout", panel_layout)
    yield
    assert not lacking


@pytest.fixture
def never_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has quiet hours: worlds begin at midnight."""
    for module in (parts, host):
        monkeypatch.setattr(module, "quiet_of", lambda *_: None)
    monkeypatch.setattr(TablePreferences, "quiet", None)
