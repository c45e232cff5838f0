"""The daily private messages that people are still to get."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import read_pair, write_pair

DIGESTS_OWED: Final = "digests:"
"""The beginning of the keys under which it is noted, by user, that they are still to get the day's private message."""


async def owed(connection: AsyncConnection, user_id: int) -> str | None:
    """Return what is noted about a daily message that a user is still to get."""
    return await read_pair(connection, f"{DIGESTS_OWED}{user_id}")


async def forget(connection: AsyncConnection, user_id: int) -> None:
    await write_pair(connection, f"{DIGESTS_OWED}{user_id}", None)
