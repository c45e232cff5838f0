"""One bot's monitor: measures it from its start, and serves the health endpoint where the settings have one."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sized
from datetime import datetime
from typing import Final, Protocol

from bot.operating.health import HealthServer
from bot.operating.meter import Meter, Requests, Status
from bot.operating.metrics import CountingHandler, Metrics, ShardState
from bot.store import Store, StoreError
from bot.store.ownership import Held

log = logging.getLogger(__name__)

STORE_SECONDS: Final = 1.0
"""How long the store may take to answer a trivial query."""
_KEY: Final = "ready"
"""A key of the store's small values that is never set."""


class Gateway(Protocol):
    """What a monitor looks at of a Discord client."""

    session_starts_left: int | None
    """How many sessions the token may still begin today; None if nobody has asked yet."""

    @property
    def shards(self) -> Sized:
        """The shards that were connected at least once."""
        ...

    @property
    def shards_connected(self) -> int:
        """How many of them are connected."""
        ...

    def is_ready(self) -> bool:
        """Whether Discord has told which servers there are."""
        ...

    @property
    def shard_states(self) -> Mapping[int, tuple[bool, float]]:
        """Of each shard that the process is to have whether it is connected, and its heartbeat's seconds."""
        ...

    def shard_of(self, guild_id: int) -> int:
        """The shard of a server."""
        ...

    @property
    def latency(self) -> float:
        """The heartbeat's seconds; NaN or infinite when there is none."""
        ...

    @property
    def guilds(self) -> Sized:
        """The servers."""
        ...


class Tables(Protocol):
    """What a monitor looks at of the open tables."""

    closing: bool
    """Whether the bot is stopping."""

    def count(self, *, playing: bool) -> int:
        """How many tables have a match, or are lobbies."""
        ...

    def by_guild(self) -> Mapping[int, int]:
        """How many open tables each server has."""
        ...


class Monitor:
    """Watches a bot. `meter` is what its parts report to.

    Args:
        gateway: the bot as Discord's client.
        version: the bot's.
        now: the present instant.
        address: where the health endpoint listens; None for nowhere.
    """

    def __init__(
        self, gateway: Gateway, *, version: str, now: Callable[[], datetime], address: tuple[str, int] | None
    ) -> None:
        self._gateway = gateway
        self._version = version
        self._started_at = now()
        self._metrics = Metrics(version)
        self._metrics.watch(
            connected=self.connected,
            shards=lambda: gateway.shards_connected,
            starts=lambda: gateway.session_starts_left,
            latency=lambda: gateway.latency,
            servers=lambda: len(gateway.guilds),
        )
        self._metrics.watch_shards(self._each_shard)
        self._metrics.watch_tables(lambda: self._count(playing=False), lambda: self._count(playing=True))
        self._metrics.watch_requests(self._look_at_requests)
        self._counting = CountingHandler(self._metrics)
        self._store: Store | None = None
        self._tables: Tables | None = None
        self._requests: Callable[[], Requests] = Requests
        self._asking: asyncio.Task[str | None] | None = None
        self._held: Callable[[], Held] = lambda: Held.YES
        probes = {
            "gateway": self._probe_gateway,
            "shards": self._probe_owner,
            "store": self._probe_store,
            "tables": self._probe_tables,
        }
        self._server = None if address is None else HealthServer(address, self._metrics.registry, probes)

    @property
    def meter(self) -> Meter:
        """What parts report to."""
        return self._metrics

    async def start(self, store: Store) -> None:
        """Begin to count what is logged, and to answer.

        Raises:
            SettingsError: if the endpoint's address can't be listened on.
        """
        self._store = store
        logging.getLogger().addHandler(self._counting)
        if self._server is not None:
            await self._server.start()
            log.info("The health endpoint answers")

    def watch(self, tables: Tables) -> None:
        """From now on know the tables."""
        self._tables = tables

    def watch_requests(self, requests: Callable[[], Requests]) -> None:
        """From now on know how the bot's requests do."""
        self._requests = requests

    def watch_owner(self, held: Callable[[], Held]) -> None:
        """From now on know how it stands with the process's right to its shards."""
        self._held = held
        self._metrics.watch_owner(lambda: held() is Held.YES)

    async def close(self) -> None:
        """Answer no more; safe to call twice, and without `start`."""
        logging.getLogger().removeHandler(self._counting)
        if self._server is not None:
            await self._server.close()
        if self._asking is not None:
            await asyncio.wait([self._asking])

    async def status(self) -> Status:
        """How the bot is doing."""
        metrics, latency = self._metrics, self._gateway.latency
        return Status(
            version=self._version,
            started_at=self._started_at,
            latency=latency if self.connected() and math.isfinite(latency) else None,
            servers=len(self._gateway.guilds),
            lobbies=self._count(playing=False),
            matches=self._count(playing=True),
            database_bytes=None if self._store is None else await self._store.size(),
            last_append=metrics.last_append,
            answers_failed=metrics.answers_failed,
            store_failures=metrics.appends_failed,
            showings_failed=metrics.showings_failed,
            errors_logged=metrics.errors_logged,
            requests=self._look_at_requests(),
        )

    # -------------------------------------------------------------------- whether a part is well

    def connected(self) -> bool:
        """Whether every shard is connected."""
        return self.reachable() and self._gateway.shards_connected == len(self._gateway.shards)

    def reachable(self) -> bool:
        """Whether any shard is: to begin all anew since one of them can't connect would cut off the others too."""
        return self._gateway.is_ready() and self._gateway.shards_connected > 0

    async def _probe_gateway(self) -> str | None:
        if self.connected():
            return None
        return self._shards() if self.reachable() else "not_connected"

    def _shards(self) -> str:
        return f"{self._gateway.shards_connected}_of_{len(self._gateway.shards)}_shards"

    async def _probe_owner(self) -> str | None:
        held = self._held()
        return None if held is Held.YES else held.value

    def _each_shard(self) -> Mapping[int, ShardState]:
        """How each shard of the process does."""
        of, counted = self._gateway.shard_of, Counter[int]()
        for guild_id, count in () if self._tables is None else self._tables.by_guild().items():
            counted[of(guild_id)] += count
        states = self._gateway.shard_states
        return {number: ShardState(*state, counted[number]) for number, state in states.items()}

    async def _probe_tables(self) -> str | None:
        if self._tables is None:
            return "not_restored"
        return "closing" if self._tables.closing else None

    async def _probe_store(self) -> str | None:
        # The store's work can't be interrupted: a question that is still unanswered is not asked again.
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_store())
        asking = self._asking
        await asyncio.wait([asking], timeout=STORE_SECONDS)
        return asking.result() if asking.done() else "slow"

    async def _ask_store(self) -> str | None:
        if self._store is None:
            return "not_open"
        try:
            await self._store.get_value(_KEY)
        except StoreError as error:
            return error.code
        return None

    def _look_at_requests(self) -> Requests:
        return self._requests()

    def _count(self, *, playing: bool) -> int:
        return 0 if self._tables is None else self._tables.count(playing=playing)
