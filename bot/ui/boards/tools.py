"""What everything that delivers works with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.operating.meter import Meter
from bot.store import Store
from bot.tables.clock import Clock
from bot.tables.data.preferences import PreferencesCache
from bot.tables.table import Table
from bot.ui.screens.display import Display
from bot.ui.transport.channels import Channels
from bot.ui.transport.gallery import Gallery


@dataclass(frozen=True, slots=True)
class Tools:
    """Shared by all tables.

    Attributes:
        channels: through which to speak.
        store: where messages' ids are noted, and people's standings read.
        gallery: where pictures come from.
        clock: says how old a message is, and when to try again.
        meter: is told what is shown.
        people: knows who doesn't want to be told.
        spawn: does what nobody need wait for.
        display: how tables are shown in a language, on a server.
        lose: is told of a table whose channel or server is no more.
    """

    channels: Channels
    store: Store
    gallery: Gallery
    clock: Clock
    meter: Meter
    preferences: PreferencesCache
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    display: Callable[[str, int | None], Display]
    lose: Callable[[Table], Awaitable[None]]
