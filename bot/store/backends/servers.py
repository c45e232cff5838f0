"""How connections to a PostgreSQL are made: what the server knows them by, and for how long they wait."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from psycopg.abc import Params, Query
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.hurry import HURRY

APPLICATION: Final = "escoba"
"""What the server knows a bot's connections by."""

_SILENT_SECONDS: Final = 15
"""How long a server that can't be reached any more, and doesn't say so, is believed to be there."""


class OneByOne(psycopg.AsyncCursor[Any]):
    """Executes a statement for many values by as many requests.

    The driver's own way is to send them all before it hears of the first. A process that is stopped meanwhile would
    keep its locks: the server takes it to be at work, and no limit of time is meant for that.
    """

    async def executemany(self, query: Query, params_seq: Iterable[Params], *, returning: bool = False) -> None:
        """Execute the statement for each of the values. How many rows were changed is known of the last one only."""
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
    in_a_hurry: bool = True,
    in_lanes: bool = False,
) -> AsyncEngine:
    """What makes and keeps up to so many connections. Each is tried before its use, since servers restart.

    Who isn't `in_a_hurry` may take any time for a statement, and between two: nobody waits for them. `in_lanes` only
    the few games and entries of an append are looked for, for which indexes are right however small the tables were at
    the first.
    """
    settings: dict[str, object] = {
        "timezone": "UTC",
        "lock_timeout": f"{max(1, round(busy_seconds * 1000))}ms",
    }
    if in_a_hurry:
        settings |= {name: f"{seconds}s" for name, seconds in HURRY.items()}
    if read_only:
        settings |= {"default_transaction_isolation": r"repeatable\ read", "default_transaction_read_only": "on"}
    if in_lanes:
        settings |= dict.fromkeys(("enable_seqscan", "enable_hashjoin", "enable_mergejoin"), "off")
    cursors = {"cursor_factory": OneByOne} if in_a_hurry else {}
    own = " ".join(f"-c {name}={value}" for name, value in settings.items())
    asked = url.query.get("options", "")
    options = f"{own} {asked if isinstance(asked, str) else ' '.join(asked)}".strip()
    return create_async_engine(
        url,
        connect_args={
            "options": options,
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
