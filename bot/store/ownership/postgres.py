"""Ownership of shards in PostgreSQL: advisory locks held by a session of its own, and what happens when it ends."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import zlib
from typing import Any, Final

import psycopg
import sqlalchemy as sa

from bot.shards import Shards
from bot.store import news
from bot.store.errors import Fault, StoreUnavailable
from bot.store.locations import without_password
from bot.store.news import News
from bot.store.ownership.port import OWNER_MARK, TURN_MARK, Heard, Held, never

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 0.5
"""Pause between attempts to take shards from another process, or to reach a server that is away."""
PING_SECONDS: Final = 1.0
SURE_SECONDS: Final = 2.0
"""How long the server's answer counts: a process that was stopped for longer asks again before it writes."""
ANSWER_SECONDS: Final = 5.0
"""How long the server may take to answer on this connection, which does nothing else."""
FROZEN_SECONDS: Final = 15
"""After this long in silence the server ends the session: a stopped process doesn't keep its shards."""
DOUBT_SECONDS: Final = 30.0
"""How long a process whose session ended tries to take its shards again."""
WRITE_SECONDS: Final = 4.0
"""How long a write waits while it is unknown whether the shards are still held."""
IDENTIFY_SECONDS = 5.25
"""Time between two sessions of a bucket: Discord's five seconds, and a margin for the network."""

_OTHERS: Final = """
SELECT objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid::bigint = %s AND objid::bigint <> %s LIMIT 1"""
_LOCK: Final = "SELECT bool_and(pg_try_advisory_lock(%s, number)) FROM unnest(%s::int[]) AS number"
_MARKS: Final = "SELECT key, value FROM key_values WHERE key = ANY(%s)"
_UNMARK: Final = "DELETE FROM key_values WHERE starts_with(key, %s) AND right(key, length(%s)) <> %s"
_MARK: Final = """
INSERT INTO key_values (key, value) SELECT key, %s FROM unnest(%s::text[]) AS key
ON CONFLICT (key) DO UPDATE SET value = excluded.value"""
_TURN: Final = """
INSERT INTO key_values AS had (key, value) VALUES (%(key)s, extract(epoch FROM clock_timestamp())::text)
ON CONFLICT (key) DO UPDATE SET value = extract(epoch FROM clock_timestamp())::text
WHERE extract(epoch FROM clock_timestamp()) - had.value::float8 NOT BETWEEN 0 AND %(apart)s
RETURNING 1"""
_TROUBLE: Final = (psycopg.Error, OSError, TimeoutError)


class PostgresOwner:
    """Owns its shards while its session holds the locks.

    Processes with the same number of shards share a lock on that number, and each shard has a lock of its own. A
    process that owns all shards, however many there are (`shards` is None), shares with nobody. A process that takes
    shards leaves a mark with each. After its session has ended, because the server was restarted for example, and it
    has the locks again, it sees by the marks whether another process had them meanwhile. If none had, it continues;
    otherwise it has lost them for good.
    """

    waits_for_turns = True

    def __init__(self, url: sa.URL, shards: Shards | None) -> None:
        self._url = url
        self._name = without_password(url)
        self._shards = shards
        self._mark = secrets.token_hex(8)
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._classes = (0, 0, 0)
        self._sure_at = -SURE_SECONDS
        self._heard: Heard = _deaf
        self._watching: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        """Set while it is known whether the shards are held."""
        self._lost = asyncio.Event()
        self._closed = False
        self.held = Held.NO

    @property
    def _what(self) -> str:
        return "all shards" if self._shards is None else f"shards {self._shards}"

    async def acquire(self, heard: Heard) -> None:
        """Wait until no other process has any of the shards, and take them."""
        self._heard = heard
        told = ""
        while True:
            if self._closed:
                await never()
            try:
                why = await self._take(first=True)
            except _TROUBLE as error:
                await self._hang_up()
                why = f"The database {self._name} doesn't answer ({type(error).__name__})"
            if why is None:
                break
            self.held = Held.WAITING
            if why != told:
                log.warning("%s: waiting for %s", why, self._what)
                told = why
            await asyncio.sleep(AGAIN_SECONDS)
        log.info("This process has %s", self._what)
        self._hold()
        self._watching = asyncio.create_task(self._watch())

    async def confirm(self) -> None:
        if self.held is Held.YES and time.monotonic() - self._sure_at < SURE_SECONDS:
            return
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                while self.held is Held.YES and time.monotonic() - self._sure_at >= SURE_SECONDS:
                    try:
                        await self._ping()
                    except _TROUBLE:
                        self._doubt()
                await self._settled.wait()
        except TimeoutError:
            raise StoreUnavailable(Fault.UNAVAILABLE, f"{self._name} doesn't say who has {self._what}") from None
        if self.held is not Held.YES:
            raise StoreUnavailable(Fault.CLOSED, f"this process no longer has {self._what} of {self._name}")

    async def lost(self) -> None:
        await self._lost.wait()

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Wait until nobody has begun a session of this bucket for five seconds.

        The time is stored in a row rather than held by a lock: a session of a process that has died counts, too.
        """
        key = f"{TURN_MARK}{bucket}"
        while True:
            await self._settled.wait()
            if self._lost.is_set():
                await never()  # this process ends, and begins no session
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    found = await self._session.execute(_TURN, {"key": key, "apart": 0 if come else IDENTIFY_SECONDS})
                    if await found.fetchone() is not None:
                        return
            except _TROUBLE:
                self._doubt()
            await asyncio.sleep(AGAIN_SECONDS / 2)

    async def close(self) -> None:
        """Release the shards by ending the session."""
        self._closed = True
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
            self._watching = None
        await self._hang_up()
        if self.held is not Held.LOST:
            self.held = Held.NO

    # ------------------------------------------------------------------------------ locks

    async def _take(self, *, first: bool) -> str | None:
        """Take all of the locks or none. Returns None, or why they aren't free.

        Raises:
            _Taken: not for the `first` time, if another process has them or had them meanwhile.
        """
        connection = await self._connect()
        gate, counts, shards = self._classes
        count, numbers = (0, []) if self._shards is None else (self._shards.count, list(self._shards.numbers))
        owners = [f"{OWNER_MARK}{number}/{count}" for number in numbers or (0,)]
        async with asyncio.timeout(ANSWER_SECONDS), connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (gate,))  # one process at a time decides
            if not first:
                marks = dict(await (await connection.execute(_MARKS, (owners,))).fetchall())
                if any(marks.get(owner) != self._mark for owner in owners):
                    raise _Taken
            if others := await self._one(connection, _OTHERS, (counts, count)):
                return f"Another process has {f'some of {others[0]} shards' if others[0] else 'all shards'}"
            lock = "pg_try_advisory_lock" if self._shards is None else "pg_try_advisory_lock_shared"
            got = await self._one(connection, f"SELECT {lock}(%s, %s)", (counts, count))
            mine = await self._one(connection, _LOCK, (shards, numbers)) if numbers else (True,)
            if not (got[0] and mine[0]):
                await connection.execute("SELECT pg_advisory_unlock_all()")
                return "Another process has them"
            await connection.execute(_UNMARK, (OWNER_MARK, f"/{count}", f"/{count}"))
            await connection.execute(_MARK, (self._mark, owners))
        return None

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        """The session, a new one if it has ended."""
        if self._connection is not None:
            return self._connection
        where, how = self._url.get_dialect()().create_connect_args(self._url)
        own = f"-c idle_session_timeout={FROZEN_SECONDS}s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3"
        how = {
            **how,
            "options": f"{own} -c tcp_keepalives_count=3 {how.get('options', '')}".strip(),
            "application_name": f"escoba owner of {self._what}",
            "connect_timeout": int(ANSWER_SECONDS),
        }
        connection = await psycopg.AsyncConnection.connect(*where, autocommit=True, **how)
        if self._closed:
            await connection.close()
            raise ConnectionError("it was closed meanwhile")
        self._connection = connection
        connection.add_notify_handler(self._notified)
        await connection.execute(f"LISTEN {news.CHANNEL}")
        found = await self._one(connection, "SELECT current_schema()", ())
        gate, counts, shards = (
            zlib.crc32(f"escoba {found and found[0]} {what}".encode()) >> 1 for what in ("gate", "count", "shard")
        )
        self._classes = (gate, counts, shards)
        return connection

    @staticmethod
    async def _one(connection: psycopg.AsyncConnection[Any], query: str, values: tuple[object, ...]) -> Any:
        return await (await connection.execute(query, values)).fetchone()  # pyright: ignore[reportArgumentType] - a literal

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    # ------------------------------------------------------------------------------ watching

    async def _watch(self) -> None:
        """Ping the server regularly: it shows both sides that the other is alive, and brings notifications."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            try:
                if self.held is Held.YES:
                    await self._ping()
                    continue
            except _TROUBLE:
                self._doubt()
            if not await self._retaken():
                self.held = Held.LOST
                self._settled.set()
                self._lost.set()
                return

    @property
    def _session(self) -> psycopg.AsyncConnection[Any]:
        if self._connection is None:
            raise ConnectionError("the session has ended")
        return self._connection

    async def _ping(self) -> None:
        asked_at = time.monotonic()
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._session.execute("SELECT 1")
        self._sure_at = max(self._sure_at, asked_at)

    def _doubt(self) -> None:
        if self.held is Held.YES:
            log.warning("The session that has %s has ended: nothing is written until it is taken up again", self._what)
            self.held = Held.DOUBTFUL
            self._settled.clear()

    def _hold(self) -> None:
        self._sure_at = time.monotonic()
        self.held = Held.YES
        self._settled.set()

    async def _retaken(self) -> bool:
        """Whether the shards could be taken again, and no other process had them meanwhile."""
        end = time.monotonic() + DOUBT_SECONDS
        while time.monotonic() < end:
            await self._hang_up()
            try:
                why = await self._take(first=False)
            except _Taken:
                log.error("Another process has had them meanwhile: this one has lost %s", self._what)
                return False
            except _TROUBLE:
                why = "The server doesn't answer"
            if why is not None:  # also while it has not noticed yet that the session before has ended
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            log.warning("The session that has %s is there again; nobody else had them", self._what)
            self._hold()
            for what in News:  # notifications were missed meanwhile
                self._heard(what, 0)
            return True
        log.error("The database %s doesn't answer: this process has lost %s", self._name, self._what)
        return False

    def _notified(self, notify: psycopg.Notify) -> None:
        told = news.parse(notify.payload)
        if told is not None:
            self._heard(*told)


class _Taken(Exception):
    """Another process has the shards, or had them meanwhile."""


def _deaf(what: News, about: int) -> None:
    """The listener before `acquire` sets one."""
