"""A table's alarm: the table waits for one thing at a time, which is done while nothing else happens there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from datetime import datetime, timedelta

from bot.platform.clock import Callback, Clock

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
"""Seconds until a table is armed again after something failed (the store refused, say)."""


class Alarm:
    """A table's entry on the clock. Setting it replaces the previous setting.

    `situation` identifies what the table was waiting for when the alarm was set. `failed`: what it was set for couldn't
    be done, so the table has to set it again.

    Args:
        clock: the scheduler of all deadlines.
        table_id: the table's number, by which logs name it.
        lock: held during callbacks.
        rearm: called a while after a callback has failed.
        key: its key on the clock, if the table has another alarm besides; the table's number by default.
    """

    __slots__ = ("_clock", "_current", "_key", "_lock", "_rearm", "_table_id", "closed", "failed", "situation")

    def __init__(self, clock: Clock, table_id: int, lock: asyncio.Lock, rearm: Callback, key: Hashable = None) -> None:
        self.situation: object = None
        self.failed = False
        self._clock = clock
        self._table_id = table_id
        self._key = table_id if key is None else key
        self._lock = lock
        self._rearm = rearm
        self._current: Callback | None = None
        self.closed = False

    def set(
        self, seconds: float, callback: Callback, *, first: Callback | None = None, lasts: bool = False
    ) -> datetime:
        """Call back in this many seconds; returns the time of the call.

        A call that is still waiting for the lock when somebody's click sets the alarm to something else is dropped.

        Args:
            seconds: from now.
            callback: called with the lock held.
            first: called before `callback` and without the lock, so that others can use the table meanwhile.
            lasts: whether this is a duration, at the end of which nobody loses anything (see `Clock`).
        """

        async def ring() -> None:
            if first is not None and self._current is ring:
                await self._attempt(first)
            async with self._lock:
                if self._current is ring:
                    await self._attempt(callback)

        when = self._clock.now() + timedelta(seconds=seconds)
        self.failed = False
        if not self.closed:
            self._current = ring
            self._clock.schedule(self._key, when, ring, lasts=lasts)
        return when

    async def _attempt(self, callback: Callback) -> None:
        try:
            await callback()
        except Exception:
            log.exception("Table %s: a scheduled action failed", self._table_id)
            self.retry_later()

    def unset(self) -> None:
        self._current = None
        self._clock.cancel(self._key)

    def retry_later(self) -> None:
        """Arm the table again in a while."""
        self.set(RETRY_SECONDS, self._rearm, lasts=True)
        self.failed = True

    def close(self) -> None:
        """Ignore all further settings; a callback that is running is left to finish."""
        self.closed = True
        self.unset()
