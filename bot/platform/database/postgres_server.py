"""The set-up of each connection to a PostgreSQL server, and the few transactions that may take longer than others.

Settings are made after connecting: poolers refuse or ignore those that are given when a connection starts, and without
the settings a process that hangs would keep its locks, and its shards, for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.errors import Fault, StoreUnavailable, is_lost_by

if TYPE_CHECKING:
    import psycopg

_LOCK: Final = sa.select(sa.func.pg_advisory_xact_lock(sa.bindparam("guild", type_=sa.BigInteger)))
OLDEST_SERVER: Final = 14
"""The oldest PostgreSQL that ends an idle session by itself, which is how a hanging process loses its shards."""
_STATEMENT: Final = "statement_timeout"
TIMEOUTS: Final = {_STATEMENT: 30, "idle_in_transaction_session_timeout": 10}
"""Seconds that a statement may take, and that a transaction may stay idle: then a stopped process's locks are released,
before it loses its shards."""


async def lift_timeouts(connection: AsyncConnection, *, locks: bool = False) -> None:
    """Give the statements of this transaction unlimited time, for rare work on all rows that no click waits for.

    The transaction may also stay idle, unless it `locks` rows that others need. SQLite has no such limits.
    """
    if connection.dialect.name == "postgresql":
        for name in [_STATEMENT] if locks else TIMEOUTS:
            await connection.execute(sa.text(f"SET LOCAL {name} = 0"))


async def lock_server(connection: AsyncConnection, guild_id: int) -> None:
    """Keep other transactions that lock the same Discord server waiting until this one is over; SQLite has one writer
    anyway.

    Whatever is counted over a server's rows is brought up to date so: each transaction reads what the one before it has
    written. A transaction that locks several servers locks them in the order of their ids and nothing after them, so
    that there is no deadlock.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(_LOCK, {"guild": guild_id})


POOLED: Final = (
    "a pooler gives each transaction another connection, so that neither settings nor locks stay; use its session mode"
    " (in PgBouncer, pool_mode = session), or connect to the server itself"
)


async def settle(connection: psycopg.AsyncConnection[Any], settings: Mapping[str, str], name: str) -> None:
    """Apply settings to a new connection, and make sure that they stay. If that fails, close it.

    `name` is the database's name in errors.

    Raises:
        StoreUnavailable: if the server is too old, refuses a setting, or is reached through a pooler that gives each
            transaction another connection.
    """
    try:
        await _settle(connection, settings, f"cannot use the database {name}")
    except BaseException:
        await connection.close()
        raise


async def _settle(connection: psycopg.AsyncConnection[Any], settings: Mapping[str, str], what: str) -> None:
    from psycopg import Error  # not above: a file needs no driver of PostgreSQL's, which takes 9 MB

    version = connection.info.server_version
    if version < OLDEST_SERVER * 10_000:
        words = f"its PostgreSQL is {version // 10_000}, and {OLDEST_SERVER} or newer is needed"
        raise StoreUnavailable(Fault.REFUSED, f"{what}: {words}")
    alone = connection.autocommit
    await connection.set_autocommit(True)
    try:
        calls = ", ".join("set_config(%s, %s, false)" for _ in settings)
        values = [part for setting in settings.items() for part in setting]
        wanted = await (await connection.execute(f"SELECT {calls}".encode(), values)).fetchone()
        calls = ", ".join("current_setting(%s)" for _ in settings)
        found = await (await connection.execute(f"SELECT {calls}".encode(), list(settings))).fetchone()
    except Error as error:
        if error.sqlstate is None or is_lost_by(error.sqlstate):
            raise
        words = f"the server refuses a setting: {error.diag.message_primary} [{error.sqlstate}]"
        raise StoreUnavailable(Fault.REFUSED, f"{what}: {words}") from None
    if found != wanted:
        raise StoreUnavailable(Fault.REFUSED, f"{what}: {POOLED}")
    await connection.set_autocommit(alone)
