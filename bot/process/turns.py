"""The order in which shards may start sessions: Discord allows one every five seconds for each of its buckets of
shards."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from typing import Final, Protocol

BETWEEN_SECONDS = 5.25
"""Time between two sessions of a bucket: Discord's five seconds, and a margin for the network."""
VALID_SECONDS: Final = 4.0
"""The time that a shard's turn to identify stays valid; after that it waits for another."""


class IdentifyGate(Protocol):
    """Spaces out the sessions that several processes start, as Discord requires."""

    async def turn(self, bucket: int, *, starts_now: bool = False) -> None:
        """Wait until a session of a bucket may start.

        `starts_now`: this one may start already; only count the time until the next one from now.
        """
        ...


class LocalGate:
    """Spaces out the sessions of this process, if it is the only one."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = BETWEEN_SECONDS if seconds is None else seconds
        self._started: dict[int, float] = {}

    async def turn(self, bucket: int, *, starts_now: bool = False) -> None:
        if not starts_now and bucket in self._started:
            await asyncio.sleep(self._started[bucket] + self._seconds - time.monotonic())
        self._started[bucket] = time.monotonic()


class SessionTurns:
    """Gives the shards of this process their turns, those of a bucket one after the other, first come first served.

    `buckets` is Discord's `max_concurrency`: how many shards may identify at once, each in a bucket of its own.
    """

    def __init__(self, gate: IdentifyGate) -> None:
        self.buckets = 1
        self._gate = gate
        self._queues: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._given: dict[int, float] = {}
        """The times when shards that haven't identified yet got their turns."""

    async def wait(self, shard_id: int) -> None:
        """Wait for a shard's turn, before it connects: Discord would cut off a connection that stays silent."""
        bucket = shard_id % self.buckets
        async with self._queues[bucket]:
            await self._gate.turn(bucket)
            self._given[shard_id] = time.monotonic()

    async def use(self, shard_id: int) -> None:
        """Call this when the connected shard identifies: the next one's wait counts from now."""
        given = self._given.pop(shard_id, None)
        if given is not None and time.monotonic() - given < VALID_SECONDS:
            await self._gate.turn(shard_id % self.buckets, starts_now=True)
        else:
            await self.wait(shard_id)
            del self._given[shard_id]
