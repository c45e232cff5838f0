"""How long a PostgreSQL server lets one transaction take, and the few transactions that may take longer."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

_STATEMENT: Final = "statement_timeout"
TIMEOUTS: Final = {_STATEMENT: 30, "idle_in_transaction_session_timeout": 10}
"""Seconds a statement may take, and a transaction may stay idle: after that a stopped process's locks are released, and
that is before it loses its shards."""


async def lift_timeouts(connection: AsyncConnection, *, locks: bool = False) -> None:
    """Give the statements of this transaction unlimited time, for rare work on all rows that no click waits for.

    The transaction may also stay idle, unless it `locks` rows that others need. SQLite has no such limits.
    """
    if connection.dialect.name == "postgresql":
        for name in [_STATEMENT] if locks else TIMEOUTS:
            await connection.execute(sa.text(f"SET LOCAL {name} = 0"))
