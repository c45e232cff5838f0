"""A person's row in `people`, to which other rows about them refer."""

from __future__ import annotations

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.new_rows import unless_there
from bot.platform.database.own import people

NO_CHOICES: Final = "{}"
"""The stored preferences of a user who has chosen none."""


async def ensure(connection: AsyncConnection, user_id: int) -> None:
    """Make sure that a user has a row in `people`; several processes may do so at once."""
    await connection.execute(unless_there(connection, people, {"user_id": user_id, "choices": NO_CHOICES}))
