"""What a table waits for: one thing at a time, done when its time has come while nothing else happens there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.tables.clock import Clock

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]

RETRY_SECONDS = 5.0
"""After so long a table whose time could not be served (the store refused, say) begins to wait anew."""


class Alarm:
    """A table's place on the clock. Setting it replaces what it was set to.

    `meant_for` is whatever its table names the situation by that it was set in, None when it is to be set anew.

    Args:
        clock: the scheduler of all deadlines.
        table_id: by this the clock knows it.
        lock: held while work is done.
        anew: begins to wait anew after work that failed.
    """

    __slots__ = ("_anew", "_clock", "_closed", "_lock", "_table_id", "_waits_for", "meant_for")

    def __init__(self, clock: Clock, table_id: int, lock: asyncio.Lock, anew: Work) -> None:
        self.meant_for: object = None
        self._clock = clock
        self._table_id = table_id
        self._lock = lock
        self._anew = anew
        self._waits_for: Work | None = None
        self._closed = False

    def set(self, seconds: float, work: Work, *, first: Work | None = None) -> datetime:
        """Do some work in so many seconds; returns the instant.

        A call that had to wait while somebody's click set the alarm to something else is dropped.

        Args:
            seconds: in how many.
            work: what is done, with the lock held.
            first: what is done before that, while others may use the table.
        """

        async def ring() -> None:
            if first is not None and self._waits_for is ring:
                await self._tried(first)
            async with self._lock:
                if self._waits_for is ring:
                    await self._tried(work)

        when = self._clock.now() + timedelta(seconds=seconds)
        if not self._closed:
            self._waits_for = ring
            self._clock.schedule(self._table_id, when, ring)
        return when

    async def _tried(self, work: Work) -> None:
        try:
            await work()
        except Exception:
            log.exception("Table %s: what its time had come for failed", self._table_id)
            self.try_again()

    def unset(self) -> None:
        """Wait for nothing."""
        self._waits_for = None
        self._clock.cancel(self._table_id)

    def try_again(self) -> None:
        """Begin to wait anew after a while."""
        self.meant_for = None
        self.set(RETRY_SECONDS, self._anew)

    def close(self) -> None:
        """Wait for nothing any more, whatever it is set to from now on; work under way ends by itself."""
        self._closed = True
        self.unset()
