"""Connections to a PostgreSQL server: their name on the server and their timeouts."""

from collections.abc import Iterable
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from psycopg.abc import Params, Query
from sqlalchemy import event
from sqlalchemy.engine.interfaces import AdaptedConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.platform.database.locations import settings_in, without_password
from bot.platform.database.postgres_server import TIMEOUTS, settle

APPLICATION: Final = "escoba"
"""The name of a bot's connections in the server's list."""

_SILENT_SECONDS: Final = 15
"""Seconds until an unreachable server is noticed when no packet says so."""


class OneByOne(psycopg.AsyncCursor[Any]):
    """A cursor that executes a statement for many sets of values by one request for each.

    The driver would otherwise pipeline them. A process that is stopped in the middle of a pipeline keeps its locks: the
    server thinks that more is coming, and no timeout applies to that.
    """

    async def executemany(self, query: Query, params_seq: Iterable[Params], *, returning: bool = False) -> None:
        """Execute the statement for each set of values. Only the row count of the last one is known."""
        assert not returning, "nobody reads what many statements return"
        for params in params_seq:
            await self.execute(query, params)  # pyright: ignore[reportArgumentType] - SQLAlchemy writes no templates


def create_engine(
    url: sa.URL,
    busy_seconds: float,
    *,
    connections: int,
    read_only: bool = False,
    application: str = APPLICATION,
    with_timeouts: bool = True,
) -> AsyncEngine:
    """Create an engine with a pool of up to this many connections. Each is tested before use, because servers restart.

    Without timeouts a statement may take any time, and the transaction may stay idle: for work nobody waits for.
    """
    settings = {"timezone": "UTC", "lock_timeout": f"{max(1, round(busy_seconds * 1000))}ms"}
    if with_timeouts:
        settings |= {name: f"{seconds}s" for name, seconds in TIMEOUTS.items()}
    if read_only:
        settings |= {"default_transaction_isolation": "repeatable read", "default_transaction_read_only": "on"}
    settings |= settings_in(url)
    cursors = {"cursor_factory": OneByOne} if with_timeouts else {}
    engine = create_async_engine(
        url.difference_update_query(["options"]),
        connect_args={
            "application_name": application,
            "connect_timeout": max(2, round(busy_seconds)),
            "keepalives_idle": _SILENT_SECONDS // 3,
            "keepalives_interval": _SILENT_SECONDS // 3,
            "keepalives_count": 2,
            "tcp_user_timeout": _SILENT_SECONDS * 1000,
            **cursors,
        },
        pool_size=connections,
        max_overflow=0,
        pool_timeout=busy_seconds,
        pool_use_lifo=True,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    name = without_password(url)

    def connect(connection: AdaptedConnection, record: object) -> None:
        connection.run_async(lambda driver: settle(driver, settings, name))

    event.listen(engine.sync_engine, "connect", connect, insert=True)  # before SQLAlchemy asks it anything
    return engine


async def create_schema(connection: AsyncConnection) -> None:
    """Create the schema that the address names (`search_path`), if it isn't there."""
    if await connection.scalar(sa.select(sa.func.current_schema())) is None:
        path = str(await connection.scalar(sa.text("SHOW search_path")))
        first = path.split(",")[0].strip().strip('"')
        quoted = connection.dialect.identifier_preparer.quote_identifier(first)
        await connection.execute(sa.text(f"CREATE SCHEMA IF NOT EXISTS {quoted}"))
