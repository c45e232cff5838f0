"""What to do about a table that could not be shown: whether it is worth another try, and when."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

import discord

from bot.tables.clock import Clock
from bot.tables.pace import spread
from bot.ui.transport.reply import is_passing

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
_LONGEST_WAIT: Final = 300.0
_MOST_DOUBLINGS: Final = 10
_GONE: Final = (10003, 10004)
"""The channel, or the server, is unknown."""
ARCHIVED: Final = 50083
"""The thread is archived: it takes no edits. A new message opens it again, unless it is locked."""
_LOCKED: Final = 160005


class Trouble(Enum):
    """What it means that Discord did not take a message."""

    PASSING = auto()
    """Another try may help."""
    SILENCED = auto()
    """The bot may not speak in the channel for now."""
    GONE = auto()
    """There is no such channel any more."""
    REFUSED = auto()
    """Discord doesn't like what was sent."""


def trouble_of(error: BaseException) -> Trouble:
    """What a failure means."""
    code = getattr(error, "code", 0)
    if isinstance(error, discord.Forbidden) or code in (ARCHIVED, _LOCKED):
        return Trouble.SILENCED
    if code in _GONE:
        return Trouble.GONE
    # What isn't found, without a word on what is unknown: so says what stands before Discord on a bad day.
    vague = isinstance(error, discord.NotFound) and not code
    return Trouble.PASSING if vague or is_passing(error) else Trouble.REFUSED


class Retries:
    """When a table is tried again: after longer and longer waits, or when Discord has said.

    Tables whose messages fail at the same instant, as in an outage, aren't all tried again at the same instant.
    """

    __slots__ = ("_again", "_clock", "_failures", "_table_id", "_until", "_waiting")

    def __init__(self, clock: Clock, table_id: int, again: Callable[[], None]) -> None:
        self._clock = clock
        self._table_id = table_id
        self._again = again
        self._failures = 0
        self._waiting = False
        self._until: datetime | None = None

    @property
    def told_to_wait(self) -> bool:
        """Whether Discord has said when to come again, and that isn't yet: each try before would be one too many."""
        return self._until is not None and self._clock.now() < self._until

    def shown(self) -> None:
        """It has worked."""
        self._failures = 0

    def failed(self, error: BaseException) -> None:
        """It has not: try again later."""
        limited = isinstance(error, discord.RateLimited)
        self._failures += not self._waiting
        if self._waiting and not limited:
            return  # it was a move between two tries: the next try comes when it was to come
        if isinstance(error, discord.RateLimited):
            wait = error.retry_after
            self._until = self._clock.now() + timedelta(seconds=wait)
        else:
            wait = min(RETRY_SECONDS * 2 ** min(self._failures - 1, _MOST_DOUBLINGS), _LONGEST_WAIT)
        log.warning(
            "Table %s could not be shown (%s); trying again in %.0f s", self._table_id, type(error).__name__, wait
        )
        self._waiting = True
        self._clock.after(("show", self._table_id), wait * (1 + spread(self._table_id)), self._try)

    async def _try(self) -> None:
        self._waiting, self._until = False, None
        self._again()
