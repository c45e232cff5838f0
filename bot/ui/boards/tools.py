"""What everything that shows tables works with."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.store import Store
from bot.tables.clock import Clock
from bot.tables.data.preferences import PreferencesCache
from bot.tables.manager import TableManager
from bot.ui.screens.display import Display
from bot.ui.transport.channels import Channels
from bot.ui.transport.gallery import Gallery


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
        spawn: runs what nothing waits for.
    """

    manager: TableManager
    preferences: PreferencesCache
    display: Callable[[str, int | None], Display]
    store: Store
    clock: Clock
    channels: Channels
    gallery: Gallery
    spawn: Callable[[Coroutine[Any, Any, None]], None]
