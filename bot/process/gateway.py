"""The bot's way to Discord's gateway: its shards, whose turn it is to begin a session, the day's budget of sessions,
and why Discord lets it in no more."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, Protocol

import discord
import yarl
from discord.ext import commands

from bot.shards import SNOWFLAKE_SHIFT, Shards

log = logging.getLogger(__name__)

RESERVE: Final = 20
"""How many of the day's sessions are left alone at a start: shards that can't resume need some, and so do you."""
LEAST_PAUSE: Final = 5.0
"""Seconds between two looks at a budget that is spent, whatever Discord says of its end."""

TURN_SECONDS: Final = 4.0
"""For so long a shard may use its turn to begin a session; then it waits for another."""

SHARDING_REQUIRED: Final = 4011
_NO_INTENTS: Final = 4014
REFUSALS: Final[Mapping[int, str]] = MappingProxyType(
    {
        4004: "Discord refused the token: check ESCOBA_TOKEN",
        4010: "Discord knows no such shard of this bot: check ESCOBA_SHARDS",
        SHARDING_REQUIRED: "Discord wants this bot in more shards than it has: start it again, and it takes as many;"
        " if ESCOBA_SHARDS says how many, raise that in all processes",
        4012: "Discord no longer speaks the version of its gateway that this bot speaks: update the bot",
        4013: "Discord doesn't know an intent that this bot asks for: update the bot",
        _NO_INTENTS: "Discord doesn't allow this bot an intent that it asks for: see the Bot page of its application",
    }
)
"""The close codes after which it is no use to come back as one was, in words."""


class Turns(Protocol):
    """Keeps the sessions that several processes begin as far apart as Discord wants them."""

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Wait until a session of a bucket may begin; `come`: it may, and the time until the next counts from now."""
        ...


class GatewayRefused(Exception):
    """Discord has closed a connection for good. `str()` is a line that says why; `code` is Discord's."""

    def __init__(self, code: int) -> None:
        super().__init__(REFUSALS.get(code, f"Discord closed the connection with code {code}"))
        self.code = code

    @classmethod
    def of(cls, error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired) -> GatewayRefused:
        """What discord.py's error means."""
        return cls(error.code if isinstance(error, discord.ConnectionClosed) else _NO_INTENTS)

    @property
    def again(self) -> bool:
        """Whether another start may go well."""
        return self.code == SHARDING_REQUIRED or self.code not in REFUSALS


class ShardedBot(commands.AutoShardedBot):
    """A bot in as many shards as Discord recommends, all of them in this process, or in those it is given.

    Args:
        shards: the shards of this process, and how many there are; None for all that Discord recommends.
        options: as discord.py takes them.
    """

    session_starts_left: int | None = None
    """How many sessions the token could still begin today when the bot looked last; None before."""

    _refused: asyncio.Future[int] | None = None
    """While shards are launched: the code with which one of them was refused."""

    _turns: Turns | None = None
    """Whose turn it is; None where discord.py keeps the shards of this process apart."""

    _buckets: int = 1
    """Discord's `max_concurrency`: so many shards may begin sessions at the same time, each of another bucket."""

    def __init__(self, *args: Any, shards: Shards | None = None, **options: Any) -> None:
        if shards is not None:
            options |= {"shard_count": shards.count, "shard_ids": list(shards.numbers)}
        super().__init__(*args, **options)
        self._has_turn: dict[int, float] = {}
        """The shards whose turn has come, and when."""
        self._before_ready: dict[int, list[discord.Guild]] = {}
        self._was_ready = False

    @property
    def shards_connected(self) -> int:
        """How many shards are connected."""
        return sum(not shard.is_closed() for shard in self.shards.values())

    def has_shard_of(self, guild_id: int) -> bool:
        """Whether a server is told of to one of the shards of this process; only then its absence means anything."""
        return self.shard_ids is None or self.shard_of(guild_id) in self.shard_ids

    def shard_of(self, guild_id: int) -> int:
        """The shard of a server."""
        return (guild_id >> SNOWFLAKE_SHIFT) % (self.shard_count or 1)

    @property
    def shard_states(self) -> Mapping[int, tuple[bool, float]]:
        """Of each shard of this process whether it is connected, and its heartbeat's seconds."""
        latencies = dict(self.latencies)
        known = {number: (not info.is_closed(), latencies[number]) for number, info in self.shards.items()}
        return {number: known.get(number, (False, math.nan)) for number in self.shard_numbers} or known

    @property
    def shard_numbers(self) -> Collection[int]:
        """The shards that this process is to have; none while Discord hasn't said how many."""
        return self.shard_ids or range(self.shard_count or 0)

    # ------------------------------------------------------------------------------ connecting

    def take_turns(self, turns: Turns) -> None:
        """From now on wait for a turn before a session is begun: other processes begin some, too."""
        self._turns = turns

    async def launch_shards(self) -> None:
        """Connect every shard, once the day's budget of sessions allows it.

        discord.py listens to no shard before the last one is launched, which takes five seconds each: whoever is
        refused with the first would spend sessions on all.

        Raises:
            GatewayRefused: if Discord lets a shard in no more.
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
        """Stay away while the budget is nearly spent: one session beyond it, and Discord resets the token."""
        told = False
        while True:
            shards, _, limit = await self.http.get_bot_gateway()
            needed = len(self.shard_ids or range(self.shard_count or shards))
            self._buckets = max(1, limit["max_concurrency"])
            left = self.session_starts_left = limit["remaining"]
            if left >= min(needed + RESERVE, limit["total"]):
                return
            seconds = max(limit["reset_after"] / 1000, LEAST_PAUSE)
            if not told:
                log.warning(
                    "Discord lets this token begin only %s more of its %s sessions a day, and each of %s shards needs "
                    "one: waiting for %.1f hours, else Discord would reset the token. Does something restart the bot?",
                    left,
                    limit["total"],
                    needed,
                    seconds / 3600,
                )
                told = True
            await asyncio.sleep(seconds)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Remember the servers of a shard that begins a new session: it may no longer be in some of them."""
        if shard_id is not None and self.get_shard(shard_id) is not None:
            self._before_ready[shard_id] = [guild for guild in self.guilds if guild.shard_id == shard_id]
        if self._turns is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        since = time.monotonic() - self._has_turn.pop(shard_id, -math.inf)
        # One that came before the connection was made counts from now on.
        await self._turns.turn(shard_id % self._buckets, come=since < TURN_SECONDS)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard when it is its turn: a connection that is silent for as long as that may take is cut off."""
        if self._turns is not None:
            await self._turns.turn(shard_id % self._buckets)
            self._has_turn[shard_id] = time.monotonic()
        await super().launch_shard(gateway, shard_id, initial=initial)

    # ------------------------------------------------------------------------------ what is told of shards

    async def on_ready(self) -> None:
        """All shards know their servers."""
        self._was_ready = True
        log.info("Connected to %s servers in %s shards", len(self.guilds), len(self.shards))

    async def on_shard_connect(self, shard_id: int) -> None:
        """A shard has begun a session. A server that it named no more was left; discord.py keeps its old object.

        Told of at once, unlike `on_shard_ready`, which may still come of the session that was lost meanwhile.
        """
        for guild in self._before_ready.pop(shard_id, []):
            if self.get_guild(guild.id) is guild:
                self._connection._remove_guild(guild)  # pyright: ignore[reportPrivateUsage] - there is no other way
                self.dispatch("guild_remove", guild)

    async def on_shard_ready(self, shard_id: int) -> None:
        """A shard knows its servers."""
        if self._was_ready:
            log.info("Shard %s is connected anew", shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A shard goes on with its session."""
        log.info("Shard %s is connected again", shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard has lost its connection, perhaps for good."""
        code = self._get_websocket(shard_id=shard_id).socket.close_code
        if code in REFUSALS and code is not None and self._refused is not None and not self._refused.done():
            self._refused.set_result(code)
