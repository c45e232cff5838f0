"""Users' preferences: one text per user, whose format only `bot.tables` knows."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import news
from bot.store.schema import people


async def everybody(connection: AsyncConnection) -> dict[int, str]:
    rows = await connection.execute(sa.select(people.c.user_id, people.c.choices))
    return {row.user_id: row.choices for row in rows}


async def get(connection: AsyncConnection, user_id: int) -> str | None:
    return await connection.scalar(sa.select(people.c.choices).where(people.c.user_id == user_id))


async def put(connection: AsyncConnection, user_id: int, choices: str | None) -> int:
    """Store a user's preferences; None removes them. Returns how many rows changed."""
    await news.publish(connection, news.News.CHOICES, user_id)
    if choices is None:
        return (await connection.execute(sa.delete(people).where(people.c.user_id == user_id))).rowcount
    change = sa.update(people).where(people.c.user_id == user_id).values(choices=choices)
    if (await connection.execute(change)).rowcount == 0:
        await connection.execute(sa.insert(people).values(user_id=user_id, choices=choices))
    return 1
