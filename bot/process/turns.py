"""When shards may start sessions: Discord allows one every five seconds for each of its buckets of shards, and so many
a day for each token."""

import asyncio
import logging
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import discord

from bot.platform.transport.trouble import NETWORK

log = logging.getLogger(__name__)

BETWEEN_SECONDS = 5.25
"""Time between two sessions of a bucket: Discord's five seconds, and a margin for the network."""
VALID_SECONDS: Final = 4.0
"""The time that a shard's turn to identify stays valid; after that it waits for another."""
RESERVE: Final = 20
"""The number of the day's sessions that the bot leaves unused: one session too many, and Discord resets the token.
Other processes with the same token may use some at the same moment, and so may the operator."""
GATHER_SECONDS: Final = 0.25
"""Seconds before the day's limit is read again, so that shards which lose their sessions together read it once."""
READ_SECONDS: Final = 5.0
"""The longest wait for Discord's answer when the limit is read again."""
LEAST_PAUSE: Final = 5.0
"""The fewest seconds between two readings of a limit that is used up, whatever Discord says about its reset."""
LOOK_AGAIN_SECONDS: Final = 900.0
"""The most seconds between them: the machine may have slept meanwhile."""
_DAY: Final = 86_400.0


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


class SessionBudget:
    """The sessions that the token may still start today: read again before each one, and counted in between.

    `read` returns how many shards Discord recommends, and its `session_start_limit`.
    """

    def __init__(self, read: Callable[[], Awaitable[tuple[int, Mapping[str, int]]]]) -> None:
        self.buckets = 1
        """Discord's `max_concurrency`: how many shards may identify at once, each in a bucket of its own."""
        self.waiting = 0
        """The number of waits for the limit to be reset."""
        self._read = read
        self._queue = asyncio.Lock()
        self._recommended = 1
        self._total = 0
        self._left: int | None = None
        self._read_at = -math.inf
        self._resets_at = math.inf
        self._admitted: set[int] = set()
        """The shards that may start a session, and haven't yet."""

    @property
    def left(self) -> int | None:
        """The number of sessions as read, less those started since; None before the first reading."""
        if time.monotonic() >= self._resets_at:
            self._left, self._resets_at = self._total, time.monotonic() + _DAY
        return self._left

    async def wait(self, sessions: int | None) -> None:
        """Wait until so many sessions may be started; None for as many as Discord recommends.

        Raises:
            NETWORK, discord.GatewayNotFound: if the limit can't be read, and never could before.
        """
        warned = False
        while True:
            await self._refresh()
            needed, left = sessions or self._recommended, self.left or 0
            if left - len(self._admitted) >= min(needed + RESERVE, self._total):
                return
            seconds = max(self._resets_at - time.monotonic(), LEAST_PAUSE)
            if not warned and not self.waiting:
                log.warning(
                    "Discord lets this token start only %s more of its %s sessions a day, and each of %s shards needs "
                    "one: waiting for %.1f hours, until %s UTC, or Discord would reset the token. Is something "
                    "restarting the bot, or ending its sessions?",
                    left,
                    self._total,
                    needed,
                    seconds / 3600,
                    f"{datetime.now(UTC) + timedelta(seconds=seconds):%Y-%m-%d %H:%M}",
                )
                warned = True
            self.waiting += 1
            try:
                await asyncio.sleep(min(seconds, LOOK_AGAIN_SECONDS))
            finally:
                self.waiting -= 1

    async def admit(self, shard_id: int) -> None:
        """Wait until a shard may start a session."""
        self._admitted.discard(shard_id)
        await self.wait(1)
        self._admitted.add(shard_id)

    def spend(self, shard_id: int) -> None:
        """Count a session that a shard starts now."""
        self._admitted.discard(shard_id)
        self._left = max(0, (self.left or 0) - 1)

    async def _refresh(self) -> None:
        """Read the limit again, once for all who ask at about the same time; keep counting if it can't be read."""
        asked = time.monotonic()
        async with self._queue:
            if self._read_at >= asked:
                return
            known = self._left is not None
            try:
                await asyncio.sleep(GATHER_SECONDS if known else 0)
                async with asyncio.timeout(READ_SECONDS if known else None):
                    self._recommended, limit = await self._read()
                left, total, seconds = limit["remaining"], limit["total"], limit["reset_after"] / 1000
                self.buckets = max(1, limit["max_concurrency"])
            except (discord.GatewayNotFound, *NETWORK, LookupError, TypeError) as error:
                if not known:
                    raise
                log.warning("Can't read how many sessions the token may start today (%s)", type(error).__name__)
            else:
                self._left, self._total = left, total
                self._resets_at = time.monotonic() + (seconds or _DAY)
            self._read_at = time.monotonic()


class SessionTurns:
    """Gives the shards of this process their turns, those of a bucket one after the other, first come first served,
    as far as the day's budget of sessions goes."""

    def __init__(self, gate: IdentifyGate, budget: SessionBudget) -> None:
        self._gate = gate
        self._budget = budget
        self._queues: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._given: dict[int, float] = {}
        """The times when shards that haven't identified yet got their turns."""

    async def wait(self, shard_id: int) -> None:
        """Wait for a shard's turn, before it connects: Discord would cut off a connection that stays silent."""
        bucket = shard_id % self._budget.buckets
        async with self._queues[bucket]:
            await self._budget.admit(shard_id)
            await self._gate.turn(bucket)
            self._given[shard_id] = time.monotonic()

    async def use(self, shard_id: int) -> None:
        """Call this when the connected shard identifies, whatever led to that: the next one's wait counts from now."""
        given = self._given.pop(shard_id, None)
        if given is not None and time.monotonic() - given < VALID_SECONDS:
            await self._gate.turn(shard_id % self._budget.buckets, starts_now=True)
        else:
            await self.wait(shard_id)
            del self._given[shard_id]
        self._budget.spend(shard_id)
