"""Whether a table's channel takes messages: what Discord's refusals mean, and when to try again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

import discord

from bot.tables.clock import Clock
from bot.tables.pace import spread

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
PROBE_SECONDS: Final = 5.0
"""How long after a refused probe no other is made, however often people click."""
_LONGEST_WAIT: Final = 300.0
_MOST_DOUBLINGS: Final = 10


class Access(Enum):
    """Whether something may be sent to a channel now."""

    OPEN = auto()
    CLOSED = auto()
    """The bot is muted there, or Discord has said when to come back."""
    PROBING = auto()
    """The bot was muted there, and is trying out whether it still is."""


class ChannelAccess:
    """Keeps track of whether a table's channel takes messages.

    After a failure the table is shown again after longer and longer waits, or when Discord allows it. Tables whose
    messages fail at the same instant, as in an outage, aren't all tried again at the same instant.

    Args:
        clock: says when to try again.
        table_id: the table whose channel it is.
        retry: shows the table again.
    """

    __slots__ = (
        "_clock",
        "_failures",
        "_refused_at",
        "_retry",
        "_retry_set",
        "_table_id",
        "_until",
        "muted",
        "probing",
    )

    def __init__(self, clock: Clock, table_id: int, retry: Callable[[], None]) -> None:
        self._clock = clock
        self._table_id = table_id
        self._retry = retry
        self._retry_set = False
        self._failures = 0
        self._until: datetime | None = None
        """The time at which Discord has said to come back."""
        self._refused_at: datetime | None = None
        """When a probe was refused."""
        self.muted = False
        """Whether the bot may not write there; the game waits until it has written there again."""
        self.probing = False

    @property
    def now(self) -> Access:
        if self._until is not None and self._clock.now() < self._until:
            return Access.CLOSED  # any attempt before then would be one too many
        if self.probing:
            return Access.PROBING
        return Access.CLOSED if self.muted else Access.OPEN

    def probe(self) -> bool:
        """Allow one attempt to write where the bot is muted; False if another was refused a moment ago."""
        if self._refused_at is not None and (self._clock.now() - self._refused_at).total_seconds() < PROBE_SECONDS:
            return False
        self.probing = True
        return True

    def mute(self) -> bool:
        """Note that the bot may not write there; returns whether that is new."""
        if self.probing:
            self.probing, self._refused_at = False, self._clock.now()
        was_muted, self.muted = self.muted, True
        return not was_muted

    def open(self) -> bool:
        """Note that the channel has taken a message; returns whether the bot was muted before."""
        self._failures = 0
        self.probing, self._refused_at = False, None
        was_muted, self.muted = self.muted, False
        return was_muted

    def retry_after(self, error: BaseException) -> None:
        """Schedule the next attempt after one that has failed."""
        limited = isinstance(error, discord.RateLimited)
        self._failures += not self._retry_set
        if self._retry_set and not limited:
            return  # a move caused this attempt between two others: the next one stays when it was scheduled
        if isinstance(error, discord.RateLimited):
            wait = error.retry_after
            self._until = self._clock.now() + timedelta(seconds=wait)
        else:
            wait = min(RETRY_SECONDS * 2 ** min(self._failures - 1, _MOST_DOUBLINGS), _LONGEST_WAIT)
        log.warning(
            "Table %s could not be shown (%s); trying again in %.0f s", self._table_id, type(error).__name__, wait
        )
        self._retry_set = True
        self._clock.after(("show", self._table_id), wait * (1 + spread(self._table_id)), self._try_again)

    async def _try_again(self) -> None:
        self._retry_set, self._until = False, None
        self._retry()
