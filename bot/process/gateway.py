"""The bot's connection to Discord's gateway: its shards, when each may identify, the daily budget of sessions, and the
close codes that end it."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, Protocol

import discord
import yarl
from discord.ext import commands

from bot.process.guild_cache import GuildCache
from bot.shards import Shards

log = logging.getLogger(__name__)

RESERVE: Final = 20
"""How many of the day's sessions a start leaves unused, for shards that can't resume and for the operator."""
LEAST_PAUSE: Final = 5.0
"""The fewest seconds between two looks at a budget that is used up, whatever Discord says about its reset."""

TURN_SECONDS: Final = 4.0
"""How long a shard's turn to identify stays valid; after that it waits for another."""

SHARDING_REQUIRED: Final = 4011
_NO_INTENTS: Final = 4014
REFUSALS: Final[Mapping[int, str]] = MappingProxyType(
    {
        4004: "Discord refused the token: check ESCOBA_TOKEN",
        4010: "Discord knows no such shard of this bot: check ESCOBA_SHARDS",
        SHARDING_REQUIRED: "Discord requires more shards than this bot has: start it again, and it uses as many;"
        " if ESCOBA_SHARDS sets their number, raise it in all processes",
        4012: "Discord no longer speaks the version of its gateway that this bot speaks: update the bot",
        4013: "Discord doesn't know an intent that this bot requests: update the bot",
        _NO_INTENTS: "Discord doesn't allow this bot an intent that it requests: see the Bot page of its application",
    }
)
"""The close codes that make reconnecting pointless, each with what to tell the operator."""


class IdentifyGate(Protocol):
    """Spaces out the sessions that several processes start, as Discord requires."""

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Wait until a session of a bucket may start.

        `come`: it may start already; only count the time until the next one from now.
        """
        ...


class GatewayRefused(Exception):
    """Discord has closed a connection for good. `str()` explains why in one line; `code` is Discord's close code."""

    def __init__(self, code: int) -> None:
        super().__init__(REFUSALS.get(code, f"Discord closed the connection with code {code}"))
        self.code = code

    @classmethod
    def of(cls, error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired) -> GatewayRefused:
        return cls(error.code if isinstance(error, discord.ConnectionClosed) else _NO_INTENTS)

    @property
    def again(self) -> bool:
        """Whether starting again may succeed."""
        return self.code == SHARDING_REQUIRED or self.code not in REFUSALS


class ShardedBot(commands.AutoShardedBot):
    """A bot that runs the given shards in this process, or as many as Discord recommends.

    Args:
        shards: the shards of this process, and how many there are in all; None for as many as Discord recommends.
        gate: decides when a shard may identify; None if discord.py's own spacing is enough, within one process.
        has_table: whether there is a table in a channel or thread, awake or not.
        options: passed on to discord.py.
    """

    session_starts_left: int | None = None
    """How many sessions the token could still start today when last checked; None before the first check."""

    _refused: asyncio.Future[int] | None = None
    """While shards are being launched: gets the close code if one of them is refused."""

    _buckets: int = 1
    """Discord's `max_concurrency`: how many shards may identify at the same time, each in a bucket of its own."""

    def __init__(
        self,
        *args: Any,
        shards: Shards | None = None,
        gate: IdentifyGate | None = None,
        has_table: Callable[[int], bool] = lambda channel_id: False,
        **options: Any,
    ) -> None:
        self._has_table = has_table
        if shards is not None:
            options |= {"shard_count": shards.count, "shard_ids": list(shards.numbers)}
        super().__init__(*args, **options)
        self._gate = gate
        self._turn_at: dict[int, float] = {}
        """When each shard that hasn't identified yet got its turn."""
        self._before_ready: dict[int, list[discord.Guild]] = {}
        self._was_ready = False

    def _get_state(self, **options: Any) -> GuildCache:
        """Called by discord.py for what remembers servers and parses their events."""
        self._guild_cache = GuildCache(
            has_table=self._has_table,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )
        return self._guild_cache

    def hears(self, thread_id: int) -> bool:
        """Whether the bot is in a private thread."""
        return self._guild_cache.hears(thread_id)

    @property
    def shards_connected(self) -> int:
        return sum(not shard.is_closed() for shard in self.shards.values())

    @property
    def served_shards(self) -> Shards:
        """The shards of this process. It doesn't know servers of other shards, even if the bot is in them."""
        count = self.shard_count or 1
        return Shards(tuple(self.shard_ids or range(count)), count)

    @property
    def shard_states(self) -> Mapping[int, tuple[bool, float]]:
        """For each shard of this process: whether it is connected, and its heartbeat latency in seconds."""
        latencies = dict(self.latencies)
        known = {number: (not info.is_closed(), latencies[number]) for number, info in self.shards.items()}
        expected = self.shard_ids or range(self.shard_count or 0)
        return {number: known.get(number, (False, math.nan)) for number in expected} or known

    async def launch_shards(self) -> None:
        """Connect every shard, once the daily budget of sessions allows it.

        discord.py reads no shard's events until the last one is launched, five seconds each: without this override a
        bot that is refused at its first shard would use up a session for every one.

        Raises:
            GatewayRefused: if Discord refuses a shard for good.
            discord.GatewayNotFound: if Discord doesn't say where the gateway is.
        """
        await self._wait_for_budget()
        self._refused = asyncio.get_running_loop().create_future()
        launching = asyncio.create_task(super().launch_shards())
        try:
            await asyncio.wait({launching, self._refused}, return_when=asyncio.FIRST_COMPLETED)
            if self._refused.done():
                raise GatewayRefused(self._refused.result())
        finally:
            self._refused.cancel()
            self._refused = None
            if not launching.done():
                launching.cancel()
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([launching])
        await launching

    async def _wait_for_budget(self) -> None:
        """Wait while the budget is nearly used up: one session too many, and Discord resets the token."""
        warned = False
        while True:
            shards, _, limit = await self.http.get_bot_gateway()
            needed = len(self.shard_ids or range(self.shard_count or shards))
            self._buckets = max(1, limit["max_concurrency"])
            left = self.session_starts_left = limit["remaining"]
            if left >= min(needed + RESERVE, limit["total"]):
                return
            seconds = max(limit["reset_after"] / 1000, LEAST_PAUSE)
            if not warned:
                log.warning(
                    "Discord lets this token start only %s more of its %s sessions a day, and each of %s shards needs "
                    "one: waiting for %.1f hours, or Discord would reset the token. Is something restarting the bot?",
                    left,
                    limit["total"],
                    needed,
                    seconds / 3600,
                )
                warned = True
            await asyncio.sleep(seconds)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Remember the servers of a shard that starts a new session: the bot may have left some of them."""
        if shard_id is not None and self.get_shard(shard_id) is not None:
            self._before_ready[shard_id] = [guild for guild in self.guilds if guild.shard_id == shard_id]
        if self._gate is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        since = time.monotonic() - self._turn_at.pop(shard_id, -math.inf)
        # If the shard got its turn before it connected, the next one's wait counts from now.
        await self._gate.turn(shard_id % self._buckets, come=since < TURN_SECONDS)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard once it has its turn: Discord would cut off a connection that stays silent while waiting."""
        if self._gate is not None:
            await self._gate.turn(shard_id % self._buckets)
            self._turn_at[shard_id] = time.monotonic()
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def on_ready(self) -> None:
        self._was_ready = True
        log.info("Connected to %s servers in %s shards", len(self.guilds), len(self.shards))

    async def on_shard_connect(self, shard_id: int) -> None:
        """Drop the servers that a new session no longer lists; discord.py would keep them.

        This happens here because `on_shard_ready` may still arrive late for the session that was lost before.
        """
        for guild in self._before_ready.pop(shard_id, []):
            if self.get_guild(guild.id) is guild:
                self._connection._remove_guild(guild)  # pyright: ignore[reportPrivateUsage] - there is no other way
                self.dispatch("guild_missing", guild.id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Log that a shard has its servers again, after the bot's start."""
        if self._was_ready:
            log.info("Shard %s has reconnected in a new session", shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        log.info("Shard %s has resumed its session", shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Notice a refusal while shards are being launched."""
        code = self._get_websocket(shard_id=shard_id).socket.close_code
        if code in REFUSALS and code is not None and self._refused is not None and not self._refused.done():
            self._refused.set_result(code)
