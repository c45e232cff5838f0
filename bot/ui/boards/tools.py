"""The tools of everything that shows tables."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from discord import AllowedMentions

from bot.store import Store
from bot.tables.clock import Clock
from bot.tables.data.preferences import PreferencesCache
from bot.tables.manager import TableManager
from bot.tables.turn import TurnNotice
from bot.ui.screens.display import Display
from bot.ui.transport.channels import Channels
from bot.ui.transport.follow_ups import FollowUps
from bot.ui.transport.gallery import Gallery
from bot.ui.transport.mentions import everybody_of


@dataclass(frozen=True, slots=True)
class Tools:
    """Shared by all tables.

    Attributes:
        manager: takes the news that a table's channel is gone; its meter counts what is shown.
        preferences: who doesn't want to be notified.
        display: how tables are shown in a language, on a server.
        store: where messages' ids are noted, and people's standings read.
        clock: says how old a message is, and when to try again.
        channels: sends messages.
        gallery: where pictures come from.
        follow_ups: says whether there is room for a follow-up.
        spawn: runs a coroutine that nothing waits for.
    """

    manager: TableManager
    preferences: PreferencesCache
    display: Callable[[str, int | None], Display]
    store: Store
    clock: Clock
    channels: Channels
    gallery: Gallery
    follow_ups: FollowUps
    spawn: Callable[[Coroutine[Any, Any, None]], None]

    def willing(self, people: Iterable[int | None]) -> AllowedMentions:
        """Mentions of these people, except those who chose never to be pinged; None stands for a computer player."""
        known = [each for each in people if each is not None]
        return everybody_of(each for each in known if self.preferences.turn_notice(each) is not TurnNotice.NEVER)
