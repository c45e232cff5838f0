"""Users' preferences: one text per user, whose format the subjects know."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database import news
from bot.platform.database.base import NO_CHOICES, ensure, people
from bot.platform.database.database import Store, reading, writing


class StoredPreferences(Store):
    """The preferences of all users."""

    @reading
    async def all(self, connection: AsyncConnection) -> dict[int, str]:
        rows = await connection.execute(
            sa.select(people.c.user_id, people.c.choices).where(people.c.choices != NO_CHOICES)
        )
        return {row.user_id: row.choices for row in rows}

    async def get(self, user_id: int) -> str | None:
        return await self.database.read(get, user_id)

    @writing
    async def put(self, connection: AsyncConnection, user_id: int, choices: str | None) -> None:
        """Store a user's preferences; None removes them. The row stays then, because other rows refer to it."""
        await news.publish(connection, news.News.CHOICES, user_id)
        if choices is not None:
            await ensure(connection, user_id)
        await connection.execute(
            sa.update(people).where(people.c.user_id == user_id).values(choices=choices or NO_CHOICES, chosen_at=None)
        )


async def get(connection: AsyncConnection, user_id: int) -> str | None:
    found = await connection.scalar(sa.select(people.c.choices).where(people.c.user_id == user_id))
    return None if found == NO_CHOICES else found


async def forget(connection: AsyncConnection, user_id: int) -> int:
    """Delete a user's row, and with it the rows that depend on it; return how many rows of preferences that were."""
    await news.publish(connection, news.News.CHOICES, user_id)
    return (await connection.execute(sa.delete(people).where(people.c.user_id == user_id))).rowcount
