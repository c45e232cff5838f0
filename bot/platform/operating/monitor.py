"""Watches one bot from its start, and serves the health endpoint if one is asked for."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sized
from datetime import datetime
from typing import Final, Protocol

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.database.ownership import Held
from bot.platform.operating.copies import SecondCopy
from bot.platform.operating.meter import Meter, Requests, Status
from bot.platform.operating.metrics import CountingHandler, Metrics, ShardState
from bot.platform.shards import ALL, Shards

log = logging.getLogger(__name__)

STORE_SECONDS: Final = 1.0
"""The time that the store has to answer a trivial query."""
_KEY: Final = "ready"
"""A key that is never set in the store."""


class CannotListen(Exception):
    """Nothing can listen on the address of the health endpoint; the message says why."""


class Gateway(Protocol):
    """The part of a Discord client that a monitor reads."""

    @property
    def session_starts_left(self) -> int | None:
        """The number of sessions that the token may still begin today; None until Discord has been asked."""
        ...

    @property
    def waits_for_sessions(self) -> bool:
        """Whether a shard waits until it may begin one."""
        ...

    @property
    def shards(self) -> Sized:
        """The shards that have connected at least once."""
        ...

    @property
    def shards_connected(self) -> int: ...

    def is_ready(self) -> bool: ...

    @property
    def shard_states(self) -> Mapping[int, tuple[bool, float]]:
        """For each shard of this process: whether it is connected, and its heartbeat latency in seconds."""
        ...

    @property
    def served_shards(self) -> Shards: ...

    @property
    def latency(self) -> float:
        """Heartbeat latency in seconds; NaN or infinite when there is none."""
        ...

    @property
    def guilds(self) -> Sized: ...


class Tables(Protocol):
    """The part of the open tables that a monitor reads."""

    closing: bool
    """Whether the bot is stopping."""

    def count(self, *, playing: bool) -> int:
        """Count the tables in a match (if `playing`), or the lobbies."""
        ...

    def by_guild(self) -> Mapping[int, int]: ...


class _Offline:
    """Stands in for the gateway until the bot has one, for instance while its shards belong to another process."""

    session_starts_left = None
    waits_for_sessions = False
    shards = ()
    shards_connected = 0
    latency = math.nan
    guilds = ()

    def __init__(self, shards: Shards | None) -> None:
        self.served_shards = shards or ALL
        self.shard_states = dict.fromkeys(() if shards is None else shards.numbers, (False, math.nan))

    def is_ready(self) -> bool:
        return False


class Monitor:
    """Watches a bot. `meter` is what the bot's parts report to.

    Args:
        database: what the bot uses.
        version: the bot's version.
        now: returns the current time.
        requests: returns the state of the bot's requests to Discord.
        held: returns whether this process holds its shards.
        backup_age: returns the seconds since the database was last backed up; None if the bot makes no backups.
        clock_offset: returns by how many seconds the machine's clock is ahead of Discord's; None in a simulation.
        address: where the health endpoint listens; None for no endpoint.
        shards: this process's shards, if any are named.
    """

    def __init__(
        self,
        database: Database,
        *,
        version: str,
        now: Callable[[], datetime],
        requests: Callable[[], Requests] = Requests,
        held: Callable[[], Held] = lambda: Held.YES,
        backup_age: Callable[[], float] | None = None,
        clock_offset: Callable[[], float] | None = None,
        address: tuple[str, int] | None = None,
        shards: Shards | None = None,
    ) -> None:
        self._gateway: Gateway = _Offline(shards)
        self._version = version
        self._started_at = now()
        self._database, self._values = database, KeyValues(database)
        self._tables: Tables | None = None
        self._requests = requests
        self._held = held
        self._latest_query: asyncio.Task[str | None] | None = None
        self._second_copy = SecondCopy(now)
        self._metrics = Metrics(version, self._second_copy.noticed)
        self._metrics.watch(
            connected=self.connected,
            shards=lambda: self._gateway.shards_connected,
            starts=lambda: self._gateway.session_starts_left,
            latency=lambda: self._gateway.latency,
            servers=lambda: len(self._gateway.guilds),
        )
        self._metrics.watch_shards(lambda: self._gateway.served_shards.count, self._each_shard)
        self._metrics.watch_tables(lambda: self._count(playing=False), lambda: self._count(playing=True))
        self._metrics.watch_requests(requests)
        self._metrics.watch_disk(database.disk_space)
        self._metrics.watch_files(lambda: database.detached)
        self._metrics.watch_owner(lambda: held() is Held.WAITING)
        self._metrics.watch_backups(backup_age or (lambda: math.nan))
        self._metrics.watch_clock(clock_offset or (lambda: math.nan))
        self._counting = CountingHandler(self._metrics)
        probes = {
            "gateway": self._probe_gateway,
            "shards": self._probe_owner,
            "store": self._probe_store,
            "tables": self._probe_tables,
        }
        self._server = None
        if address is not None:
            from bot.platform.operating.health import HealthServer  # here, since few bots need its 3 MB of aiohttp.web

            self._server = HealthServer(address, self._metrics.registry, probes)

    @property
    def meter(self) -> Meter:
        """The meter that the bot's parts report to."""
        return self._metrics

    async def start(self) -> None:
        """Start counting log records, and start the health endpoint. The bot needn't exist yet.

        Raises:
            CannotListen: if the endpoint can't listen on its address.
        """
        logging.getLogger().addHandler(self._counting)
        await self.listen()

    async def listen(self) -> None:
        """Start the health endpoint, if it has an address and isn't listening yet.

        Raises:
            CannotListen: if it can't listen on its address.
        """
        if self._server is not None and not self._server.listening:
            try:
                await self._server.start()
            except OSError as error:
                reason = error.strerror or error
                raise CannotListen(f"nothing can listen on {self._server.where} ({reason}).") from error
            log.info("The health endpoint is listening")

    def watch(self, gateway: Gateway, tables: Tables) -> None:
        """Watch a bot that has logged in, and its tables, from now on."""
        self._gateway = gateway
        self._tables = tables

    async def close(self) -> None:
        """Stop answering. Safe to call twice, and without `start`."""
        logging.getLogger().removeHandler(self._counting)
        if self._server is not None:
            await self._server.close()
        if self._latest_query is not None:
            await asyncio.wait([self._latest_query])

    async def status(self) -> Status:
        metrics, latency = self._metrics, self._gateway.latency
        return Status(
            version=self._version,
            started_at=self._started_at,
            latency=latency if self.connected() and math.isfinite(latency) else None,
            servers=len(self._gateway.guilds),
            lobbies=self._count(playing=False),
            matches=self._count(playing=True),
            database_bytes=await self._database.size(),
            last_append=metrics.last_append,
            answers_failed=metrics.answers_failed,
            store_failures=metrics.appends_failed,
            showings_failed=metrics.showings_failed,
            errors_logged=metrics.errors_logged,
            requests=self._requests(),
            second_copy=self._second_copy.is_likely,
        )

    def connected(self) -> bool:
        """Whether every shard is connected."""
        return self.reachable() and self._gateway.shards_connected == len(self._gateway.shards)

    def reachable(self) -> bool:
        """Whether any shard is connected: restarting because one can't connect would cut off the others too."""
        return self._gateway.is_ready() and self._gateway.shards_connected > 0

    async def _probe_gateway(self) -> str | None:
        if self.connected():
            return None
        if self._gateway.waits_for_sessions:
            return "session_limit"
        return self._shards() if self.reachable() else "not_connected"

    def _shards(self) -> str:
        return f"{self._gateway.shards_connected}_of_{len(self._gateway.shards)}_shards"

    async def _probe_owner(self) -> str | None:
        held = self._held()
        return None if held is Held.YES else held.value

    def _each_shard(self) -> Mapping[int, ShardState]:
        of, counted = self._gateway.served_shards.of, Counter[int]()
        for guild_id, count in () if self._tables is None else self._tables.by_guild().items():
            counted[of(guild_id)] += count
        states, owned = self._gateway.shard_states, self._held() is Held.YES
        return {number: ShardState(*state, counted[number], owned) for number, state in states.items()}

    async def _probe_tables(self) -> str | None:
        if self._tables is None:
            return "not_restored"
        return "closing" if self._tables.closing else None

    async def _probe_store(self) -> str | None:
        # A query can't be interrupted, so no second one is sent while the first is unanswered.
        if self._latest_query is None or self._latest_query.done():
            self._latest_query = asyncio.create_task(self._query_store())
        query = self._latest_query
        await asyncio.wait([query], timeout=STORE_SECONDS)
        return query.result() if query.done() else "slow"

    async def _query_store(self) -> str | None:
        try:
            await self._values.get(_KEY)
            return await self._database.obstacle()
        except StoreError as error:
            return error.code

    def _count(self, *, playing: bool) -> int:
        return 0 if self._tables is None else self._tables.count(playing=playing)
