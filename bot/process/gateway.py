"""The bot's connection to Discord's gateway: its shards, the daily budget of sessions, and close codes that end it."""

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine, Mapping
from types import MappingProxyType
from typing import Any, Final, cast

import discord
import yarl
from cachetools import TTLCache
from discord.ext import commands
from discord.gateway import ReconnectWebSocket
from discord.shard import Shard

from bot.platform.shards import Shards
from bot.platform.transport.trouble import NETWORK, is_shut_out
from bot.process.guild_cache import GuildCache
from bot.process.turns import IdentifyGate, LocalGate, SessionBudget, SessionTurns

log = logging.getLogger(__name__)

FIND_SECONDS: Final = 1.0
"""Seconds to wait for Discord to say whether the bot is in a server: a command waits for that."""
NOT_IN_SECONDS: Final = 60.0
"""Seconds for which it isn't asked again about a server that the bot isn't in."""

SHARDING_REQUIRED: Final = 4011
_NO_INTENTS: Final = 4014
REFUSALS: Final[Mapping[int, str]] = MappingProxyType(
    {
        4004: "Discord refused the token: check ESCOBA_TOKEN",
        4010: "Discord knows no such shard of this bot: check ESCOBA_SHARDS",
        SHARDING_REQUIRED: "Discord requires more shards than this bot has: start it again to have it use as many;"
        " if ESCOBA_SHARDS sets their number, raise it in all processes",
        4012: "Discord no longer speaks the version of its gateway that this bot speaks: update the bot",
        4013: "Discord doesn't know an intent that this bot requests: update the bot",
        _NO_INTENTS: "Discord doesn't allow this bot an intent that it requests: see the Bot page of its application",
    }
)
"""The close codes that make reconnecting pointless, each with what to tell the operator."""


class GatewayRefusal:
    """The reason why Discord has closed a connection for good. `str()` explains it in one line; `code` is Discord's
    close code."""

    def __init__(self, error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired) -> None:
        self.code = error.code if isinstance(error, discord.ConnectionClosed) else _NO_INTENTS

    def __str__(self) -> str:
        return REFUSALS.get(self.code, f"Discord closed the connection with code {self.code}")

    @property
    def may_retry(self) -> bool:
        """Whether starting again may succeed."""
        return self.code == SHARDING_REQUIRED or self.code not in REFUSALS


class ShardedBot(commands.AutoShardedBot):
    """A bot that runs the given shards in this process, or as many as Discord recommends.

    Args:
        shards: the shards of this process, and how many there are in all; None for as many as Discord recommends.
        gate: decides when a shard may identify; None if this is the only process.
        has_table: whether there is, or may be, a table in a channel or thread, awake or not.
        options: passed on to discord.py.
    """

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
        self._budget = SessionBudget(self._read_session_limit)
        self._turns = SessionTurns(gate or LocalGate(), self._budget)
        self._background_tasks: set[asyncio.Task[None]] = set()
        """The tasks that run beside discord.py's own loop."""
        self._failed: asyncio.Future[None] | None = None
        """Gets the error of the first task in `_background_tasks` that fails."""
        self._before_ready: dict[int, list[discord.Guild]] = {}
        self._was_ready = False
        self._not_in: TTLCache[int, bool] = TTLCache(1000, NOT_IN_SECONDS)
        """The servers that the bot isn't in, as Discord has said lately; they can have its commands."""

    def _get_state(self, **options: Any) -> GuildCache:
        """Called by discord.py to create the object that remembers servers and parses their events."""
        self._guild_cache = GuildCache(
            has_table=self._has_table,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )
        return self._guild_cache

    def is_in_private_thread(self, thread_id: int) -> bool:
        return self._guild_cache.is_in_private_thread(thread_id)

    def parent_of(self, guild_id: int, thread_id: int) -> int | None:
        """The channel of a thread; None if it isn't known to be one."""
        return self._guild_cache.parent_of(guild_id, thread_id)

    def forget_idle_threads(self) -> None:
        self._guild_cache.forget_idle_threads()

    async def finds(self, guild_id: int) -> bool:
        """Whether the bot is in a server; asks Discord about one that it hasn't listed, and in doubt returns True."""
        if self.get_guild(guild_id) is not None:
            return True
        if guild_id in self._not_in:
            return False
        try:
            async with asyncio.timeout(FIND_SECONDS):
                found = await self.http.get_guild(guild_id, with_counts=False)
        except NETWORK as error:
            if is_shut_out(error):
                self._not_in[guild_id] = True
                return False
            log.info("Can't find out whether the bot is in a server (%s)", type(error).__name__)
            return True
        log.info("Discord had not listed a server that the bot is in")
        self._guild_cache.found(cast("dict[str, Any]", found))
        return True

    @property
    def session_starts_left(self) -> int | None:
        """The number of sessions that the token can still start today; None before Discord has been asked."""
        return self._budget.left

    @property
    def waits_for_sessions(self) -> bool:
        """Whether a shard can't connect because the day's sessions are used up, but for a reserve."""
        return self._budget.waiting > 0

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

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect every shard, and keep them connected until the bot is closed.

        Raises:
            discord.ConnectionClosed, discord.PrivilegedIntentsRequired: if Discord refuses a shard for good.
            discord.GatewayNotFound: if Discord doesn't say where the gateway is.
        """
        self._failed = asyncio.get_running_loop().create_future()
        connecting = asyncio.create_task(super().connect(reconnect=reconnect))
        try:
            await asyncio.wait({connecting, self._failed}, return_when=asyncio.FIRST_COMPLETED)
            if self._failed.done():
                self._failed.result()
        finally:
            self._failed.cancel()
            if not connecting.done():
                connecting.cancel()
                await asyncio.wait([connecting])
        await connecting

    def run_alongside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run some work while the bot is connected; if it fails, `connect` raises the error."""
        task = asyncio.create_task(work)
        self._background_tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._background_tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if self._failed is not None and not self._failed.done():
            self._failed.set_exception(error)
        else:
            log.error("The connection to Discord failed", exc_info=error)

    async def close(self) -> None:
        """Cancel what runs beside the connection, then disconnect."""
        if unfinished := self._background_tasks - {asyncio.current_task()}:
            for task in unfinished:
                task.cancel()
            await asyncio.wait(unfinished)
        await super().close()

    async def launch_shards(self) -> None:
        """Begin to connect every shard, once the daily budget of sessions allows it."""
        await self._budget.wait(len(self.shard_ids or ()) or self.shard_count)
        await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Begin to connect a shard, and don't wait for it.

        discord.py would connect one shard after the other, and handle no disconnect before the last one is connected.
        """
        self.run_alongside(self._launch(gateway, shard_id, initial=initial))

    async def _launch(self, gateway: yarl.URL, shard_id: int, *, initial: bool) -> None:
        await self._turns.wait(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)
        if (info := self.get_shard(shard_id)) is not None:
            self._reconnect_alongside(info._parent)  # pyright: ignore[reportPrivateUsage] - there is no other way

    def _reconnect_alongside(self, shard: Shard) -> None:
        """Make a shard reconnect beside the others; discord.py would have it wait until those before it have.

        A shard that can't resume its session waits until it may start one. A shard that can doesn't wait.
        """
        reidentify, reconnect = shard.reidentify, shard.reconnect

        async def again(reason: ReconnectWebSocket | None) -> None:
            if reason is None or not reason.resume:
                await self._turns.wait(shard.id)
            await (reconnect() if reason is None else reidentify(reason))

        async def begin_again(exc: ReconnectWebSocket) -> None:
            self.run_alongside(again(exc))

        async def begin_afresh() -> None:
            self.run_alongside(again(None))

        shard.reidentify, shard.reconnect = begin_again, begin_afresh

    async def _read_session_limit(self) -> tuple[int, Mapping[str, int]]:
        shards, _, limit = await self.http.get_bot_gateway()
        return shards, cast("Mapping[str, int]", limit)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Remember the servers of a shard that starts a new session: the bot may have left some of them.

        Every way to a new session leads through here, so here it is counted, and waits for its turn and the budget.
        """
        assert shard_id is not None, "the bot is sharded"
        if self.get_shard(shard_id) is not None:
            self._before_ready[shard_id] = [guild for guild in self.guilds if guild.shard_id == shard_id]
        await self._turns.use(shard_id)

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
        """Log that a shard has its servers again, except when the bot starts."""
        if self._was_ready:
            log.info("Shard %s has reconnected in a new session", shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        log.info("Shard %s has resumed its session", shard_id)
