"""A PostgreSQL session whose advisory locks say which shards a process has, or is ready to take."""

import asyncio
import hashlib
import os
import platform
import secrets
import socket
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import psycopg
import sqlalchemy as sa

from bot.platform.database import news
from bot.platform.database.before_release import VERSION_TABLE
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.locations import settings_in, without_password
from bot.platform.database.ownership.port import OWNER_MARK, TURN_MARK
from bot.platform.database.postgres_server import settle
from bot.platform.shards import Shards

ANSWER_SECONDS: Final = 5.0
"""Seconds that the server may take to answer on this connection, which does nothing else."""
SUCCESSOR_SECONDS: Final = 0.5
"""Seconds that a process that is ending waits to hear whether another is ready to take its shards."""
FROZEN_SECONDS: Final = 15
"""Seconds of silence after which the server ends the session: a stopped process doesn't keep its shards."""
DECIDING_SECONDS = 5
"""Seconds of silence within a transaction after which the server ends the session, too: a process that is stopped while
it asks for shards doesn't keep all others from asking."""

GATE: Final = "gate"
"""The lock held to decide which process has which shards, or to change the schema so that older bots are shut out."""
USERS: Final = "users"
"""The lock that each process shares, under the number of its schema, while it has shards or waits for some."""

_OTHERS: Final = """
SELECT objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid::bigint = %s AND objid::bigint <> %s LIMIT 1"""
_HOLDERS: Final = """
SELECT min(application_name), pid, min(host(client_addr)),
  max(objid::bigint) FILTER (WHERE classid::bigint = %(counts)s),
  array_agg(objid::bigint ORDER BY objid) FILTER (WHERE classid::bigint = %(shards)s)
FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint = %(counts)s AND objid::bigint = 0
    OR classid::bigint = %(counts)s AND objid::bigint <> %(count)s
    OR classid::bigint = %(shards)s AND objid::bigint = ANY(%(numbers)s))
GROUP BY pid ORDER BY pid"""
_HAS_SUCCESSOR: Final = """
SELECT count(DISTINCT objid) FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid::bigint = %s AND objid::bigint = ANY(%s)"""
_PLACE: Final = "SELECT pg_try_advisory_lock(%s)"
_LEAVE: Final = "SELECT pg_advisory_unlock(%s)"
_ASK: Final = "SELECT pg_notify(%s, %s)"
_NEXT: Final = "SELECT pg_try_advisory_lock_shared(%s, number) FROM unnest(%s::int[]) AS number"
_GATE: Final = "SELECT pg_advisory_xact_lock(%s, 0)"
_USE: Final = "SELECT pg_advisory_lock_shared(%s, %s)"
_OLDEST: Final = f"SELECT coalesce(works_for, version_num) FROM {VERSION_TABLE}"  # noqa: S608 - a name of ours
_LOCK: Final = "SELECT bool_and(pg_try_advisory_lock(%s, number)) FROM unnest(%s::int[]) AS number"
_MARKS: Final = "SELECT key, value FROM key_values WHERE key = ANY(%s)"
_UNMARK: Final = """
DELETE FROM key_values WHERE starts_with(key, %(prefix)s) AND value <> %(mine)s AND (
  right(key, length(%(count)s)) <> %(count)s
  OR value IN (SELECT value FROM key_values WHERE key = ANY(%(owners)s)))"""
_MARK: Final = """
INSERT INTO key_values (key, value) SELECT key, %s FROM unnest(%s::text[]) AS key
ON CONFLICT (key) DO UPDATE SET value = excluded.value"""
_TURN: Final = """
INSERT INTO key_values AS had (key, value) VALUES (%(key)s, extract(epoch FROM clock_timestamp())::text)
ON CONFLICT (key) DO UPDATE SET value = extract(epoch FROM clock_timestamp())::text
WHERE extract(epoch FROM clock_timestamp()) - had.value::float8 NOT BETWEEN 0 AND %(apart)s
RETURNING 1"""
SESSION_ERRORS: Final = (psycopg.Error, OSError, TimeoutError)
"""All exceptions that any use of the session may raise, apart from programming errors."""


def _settings() -> dict[str, str]:
    """Return the session's settings: both ends notice soon when the other one hangs or can't be reached."""
    return {
        "idle_session_timeout": f"{FROZEN_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{DECIDING_SECONDS}s",
        "tcp_keepalives_idle": "5",
        "tcp_keepalives_interval": "3",
        "tcp_keepalives_count": "3",
    }


def lock_class(schema: str | None, what: str) -> int:
    """Return the number that tells advisory locks of one kind from others; bots in other schemas have other numbers."""
    return zlib.crc32(f"escoba {schema} {what}".encode()) >> 1


def place_lock(schema: str | None, person_id: int) -> int:
    """Return the number of the lock on a person's place. It can't be mistaken for another lock,
    which PostgreSQL keeps apart from those with two numbers."""
    text = f"escoba {schema} place {person_id}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), signed=True)


class Taken(Exception):
    """Another process has the shards, or had them in the meantime."""


class Session:
    """The session of a process that has its shards, or waits for them. Any method may raise `SESSION_ERRORS`.

    `version`: the schema version that this bot is written for. `notified` is called with the text of every
    notification.
    """

    def __init__(self, url: sa.URL, version: str, shards: Shards | None, notified: Callable[[str], None]) -> None:
        self._url = url
        self._version = version
        self._notified = notified
        self._count = 0 if shards is None else shards.count
        """The total number of shards; 0 if this process wants all, however many."""
        self._numbers = [] if shards is None else list(shards.numbers)
        self.what = "all shards" if shards is None else f"shards {shards}"
        self.ready = False
        """This process waits for the shards, and is ready to serve them: the next attempt to take them says so."""
        self._owners = [f"{OWNER_MARK}{number}/{self._count}" for number in self._numbers or (0,)]
        self.mark = (self._owners[0], secrets.token_hex(8))
        """A key and its value, which are stored for as long as no other process has taken any of these shards."""
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._classes = (0, 0, 0, 0, 0)
        self._schema: str | None = None
        self._places: set[int] = set()
        """The people whose places this session holds."""
        self._using = asyncio.Lock()
        """Held for a transaction, so that no other statement becomes part of it."""
        self._closed = False

    async def take(self, *, first: bool) -> str | None:
        """Take all of the locks or none. Return None, or the reason why they aren't free.

        Raises:
            Taken: if another process has the shards or had them in between, unless this is the `first` time.
            StoreUnavailable: if a newer bot has changed the schema so that this one can't go on.
        """
        connection = await self._connect()
        gate, counts, shards, _, nexts = self._classes
        count, numbers = self._count, self._numbers
        owners, mark = self._owners, self.mark[1]
        async with self._limited(), self._using, connection.transaction():
            await connection.execute(_GATE, (gate,))  # one process decides at a time
            await self._use(connection)
            if not first:
                marks = dict(await (await connection.execute(_MARKS, (owners,))).fetchall())
                if any(marks.get(owner) != mark for owner in owners):
                    raise Taken
            if await self._one(connection, _OTHERS, (counts, count)):
                return await self._holders(connection)
            lock = "pg_try_advisory_lock_shared" if count else "pg_try_advisory_lock"
            got = await self._one(connection, f"SELECT {lock}(%s, %s)", (counts, count))
            mine = await self._one(connection, _LOCK, (shards, numbers)) if numbers else (True,)
            if not (got[0] and mine[0]):
                await connection.execute("SELECT pg_advisory_unlock_all()")
                await self._use(connection)
                if self.ready:
                    await connection.execute(_NEXT, (nexts, numbers or [0]))
                return await self._holders(connection) or "Another process had them a moment ago"
            marks = {"prefix": OWNER_MARK, "mine": mark, "count": f"/{count}", "owners": owners}
            await connection.execute(_UNMARK, marks)  # all marks of each process that had one of these shards
            await connection.execute(_MARK, (mark, owners))
        return None

    async def is_busy(self) -> bool:
        """Whether another process certainly has some of the shards."""
        async with self._limited(), self._using:
            return bool(await self._holders(self._open))

    async def _holders(self, connection: psycopg.AsyncConnection[Any]) -> str:
        """Describe which of the shards other processes have, and how to find those processes; empty if they have
        none."""
        _, counts, shards, *_ = self._classes
        values = {"counts": counts, "count": self._count, "shards": shards, "numbers": self._numbers}
        found = await (await connection.execute(_HOLDERS, values)).fetchall()
        return "; ".join(_holding(*row) for row in found)

    async def has_successor(self) -> bool:
        """Whether another process is ready to take exactly these shards."""
        numbers = self._numbers or [0]
        gate, *_, nexts = self._classes
        async with asyncio.timeout(SUCCESSOR_SECONDS), self._using, self._open.transaction():
            await self._open.execute(_GATE, (gate,))  # so that no other process is in the middle of an attempt
            found = await self._one(self._open, _HAS_SUCCESSOR, (nexts, numbers))
        return found[0] == len(numbers)

    async def turn(self, bucket: int, apart: float) -> bool:
        """Note that a session of a bucket begins now, if none has in `apart` seconds; return whether it was noted."""
        async with self._limited(), self._using:
            found = await self._open.execute(_TURN, {"key": f"{TURN_MARK}{bucket}", "apart": apart})
            return await found.fetchone() is not None

    async def take_place(self, person_id: int) -> bool:
        """Take a person's place, unless another session has it; that one is asked for it. Return whether it is held."""
        async with self._limited(), self._using:
            if person_id in self._places:
                return True
            if (await self._one(self._open, _PLACE, (place_lock(self._schema, person_id),)))[0]:
                self._places.add(person_id)
                return True
            await self._open.execute(_ASK, (news.CHANNEL, f"{news.News.PLACES} {person_id}"))
            return False

    def has_place(self, person_id: int) -> bool:
        """Whether this session holds a person's place."""
        return person_id in self._places

    async def leave_place(self, person_id: int) -> None:
        async with self._limited(), self._using:
            if person_id in self._places:
                self._places.discard(person_id)
                await self._open.execute(_LEAVE, (place_lock(self._schema, person_id),))

    async def ping(self) -> None:
        async with self._limited():
            await self._open.execute("SELECT 1")

    async def close(self) -> None:
        """Release the locks, for good."""
        self._closed = True
        await self.hang_up()

    @asynccontextmanager
    async def _limited(self) -> AsyncGenerator[None]:
        """Cut the connection if the server takes too long within the block, which then fails at once.

        If the work were cancelled instead, the driver would wait for the server to agree.
        """
        loop = asyncio.get_running_loop()
        timer = loop.call_later(ANSWER_SECONDS, self._cut)
        try:
            yield
        except SESSION_ERRORS:
            if loop.time() >= timer.when():
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()

    def _cut(self) -> None:
        """End the connection without asking the server; whatever waits for an answer on it fails."""
        with suppress(psycopg.Error, OSError):  # it has ended already
            if self._connection is not None:
                with socket.socket(fileno=socket.dup(self._connection.fileno())) as same:
                    same.shutdown(socket.SHUT_RDWR)

    async def _use(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Keep newer bots from changing the schema so that this one couldn't go on, unless one has already done so."""
        await connection.execute(_USE, (self._classes[3], int(self._version)))
        oldest = await self._one(connection, _OLDEST, ())
        if oldest[0] > self._version:
            this = f"this one (schema {self._version})"
            words = f"a newer version of the bot has changed the database, and {this} can't go on"
            raise StoreUnavailable(Fault.NEWER, words)

    @property
    def _open(self) -> psycopg.AsyncConnection[Any]:
        if self._connection is None:
            raise ConnectionError("the session has ended")
        return self._connection

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        """Return the session's connection, a new one if it has ended."""
        if self._connection is not None:
            return self._connection
        url = self._url.difference_update_query(["options"])
        where, how = url.get_dialect()().create_connect_args(url)
        how = {
            **how,
            "application_name": f"escoba owner of {self.what} on {platform.node()}, process {os.getpid()}",
            "connect_timeout": int(ANSWER_SECONDS),
        }
        self._connection = connection = await psycopg.AsyncConnection.connect(*where, autocommit=True, **how)
        if self._closed:
            await self.hang_up()
            raise ConnectionError("it was closed meanwhile")
        async with self._limited():
            await settle(connection, _settings() | settings_in(self._url), without_password(self._url))
            own = connection.info.backend_pid  # what this session asks others for isn't news to itself
            connection.add_notify_handler(lambda told: None if told.pid == own else self._notified(told.payload))
            await connection.execute(f"LISTEN {news.CHANNEL}")
            found = await self._one(connection, "SELECT current_schema()", ())
        self._schema = schema = found and found[0]
        gate, counts, shards, users, nexts = (
            lock_class(schema, what) for what in (GATE, "count", "shard", USERS, f"next of {self._count}")
        )
        self._classes = (gate, counts, shards, users, nexts)
        return connection

    @staticmethod
    async def _one(connection: psycopg.AsyncConnection[Any], query: str, values: tuple[object, ...]) -> Any:
        return await (await connection.execute(query, values)).fetchone()  # pyright: ignore[reportArgumentType] - a literal

    async def hang_up(self) -> None:
        self._cut()
        self._places.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            async with connection.lock:  # whatever waited for an answer has ended
                await connection.close()


def _holding(name: str | None, pid: int, address: str | None, count: int | None, numbers: list[int] | None) -> str:
    """Describe which shards a session has; `count` is given only if it divides the servers in another way."""
    if count is not None:
        what = f"Some of {count} shards are" if count else "All shards are"
    else:
        numbers = numbers or []
        what = f"Shard{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))} {'are' if len(numbers) > 1 else 'is'}"
    return f"{what} held by “{name or 'unknown'}” from {address or 'this machine'} (server process {pid})"
