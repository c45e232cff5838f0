"""Adding a row unless it is there: several processes may add the same one at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def unless_there(connection: AsyncConnection, table: sa.Table, values: Mapping[str, Any]) -> sa.Insert:
    """Make the statement that adds a row to a table, and does nothing if there is one with its key."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).values(values).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql  # here, since it takes 4 MB, which a bot on a file does without

    return postgresql.insert(table).values(values).on_conflict_do_nothing()
