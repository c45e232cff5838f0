"""The ids of new rows, none of which is given twice: not after rows were deleted, nor after a backup was restored.

A restored database doesn't know which ids were given since its backup, and buttons on Discord still name them. So
ids go on from the time of each start, which is later than all that were given before.
"""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import go_on_after
from bot.platform.database.database import Database
from bot.platform.database.postgres_server import lock_server
from bot.schema.server import rule_sets
from bot.schema.tables import games, results, tournaments

_EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PER_SECOND: Final = 10
"""More rows than any bot adds to a table per second in the long run, so that the time stays ahead of the ids."""
_NUMBERED: Final = (games, tournaments, rule_sets, results)
_EVERY_SERVER: Final = 0
"""The lock that keeps two processes from setting ids at the same time; no server has this id."""


async def number_from(database: Database, now: datetime) -> None:
    """Give new games, tournaments, rule sets and results ids that weren't given before this time, not even to rows
    that a restored backup doesn't have."""
    await database.write(_go_on_from, now)


async def _go_on_from(connection: AsyncConnection, now: datetime) -> None:
    await lock_server(connection, _EVERY_SERVER)
    for table in _NUMBERED:
        await go_on_after(connection, table.name, int((now - _EPOCH).total_seconds() * _PER_SECOND))
