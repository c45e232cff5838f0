"""What is kept in memory for a server that has the day's position in a channel."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from bot.store import DayChannel
from bot.ui.training.boards.day_step import DayShown
from bot.ui.transport.shown import Shown


@dataclass(slots=True, eq=False)
class DayMessageState:
    """A server's row, and what is known of its latest message."""

    row: DayChannel
    known: DayShown = field(default_factory=DayShown)
    shown: Shown = field(default_factory=Shown)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stored: bool = True
    """Whether the store has the row in this state."""
    absent: bool = False
    """Whether the bot wasn't in the server when its message was last looked after."""
    queued: bool = False
    """Whether its message is about to be looked after."""
    not_before: datetime | None = None
    failures: int = 0
