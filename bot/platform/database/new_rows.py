"""New rows: adding one unless it is there, which several processes may do at once, and the ids that they get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

_SEQUENCE: Final = sa.text("SELECT pg_get_serial_sequence(:table, 'id')")


def unless_there(connection: AsyncConnection, table: sa.Table, values: Mapping[str, Any]) -> sa.Insert:
    """Make the statement that adds a row to a table, and does nothing if there is one with its key."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).values(values).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql  # here, since it takes 4 MB, which a bot on a file does without

    return postgresql.insert(table).values(values).on_conflict_do_nothing()


async def go_on_after(connection: AsyncConnection, table: str, newest: int) -> None:
    """Give a table's new rows ids after `newest`, unless they are past it."""
    values = {"table": table, "newest": newest}
    if connection.dialect.name == "sqlite":
        known = "FROM sqlite_sequence WHERE name = :table"
        await connection.execute(sa.text(f"DELETE {known} AND seq < :newest"), values)
        added = f"SELECT :table, :newest WHERE :newest > 0 AND NOT EXISTS (SELECT 1 {known})"
        await connection.execute(sa.text(f"INSERT INTO sqlite_sequence {added}"), values)
        return
    sequence = await connection.scalar(_SEQUENCE, {"table": table})
    lower = "last_value < :newest OR NOT is_called AND :newest > 0"  # an unused sequence says 1, too
    await connection.execute(sa.text(f"SELECT setval('{sequence}', :newest) FROM {sequence} WHERE {lower}"), values)  # noqa: S608 - the server's own word


async def newest_id(connection: AsyncConnection, table: str) -> int:
    """Return the highest id ever given to a row of a table; 0 if none was."""
    if connection.dialect.name == "sqlite":
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        return await connection.scalar(query, {"table": table}) or 0
    sequence = await connection.scalar(_SEQUENCE, {"table": table})
    # An unused sequence says 1, too.
    state = sa.text(f"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM {sequence}")  # noqa: S608 - the server's own word
    return await connection.scalar(state) or 0
