"""Queries over small values: one text for each key."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import key_values


async def get(connection: AsyncConnection, key: str) -> str | None:
    """The value of a key; None when it isn't there."""
    return await connection.scalar(sa.select(key_values.c.value).where(key_values.c.key == key))


async def beginning(connection: AsyncConnection, prefix: str) -> dict[str, str]:
    """The values whose keys begin with a prefix, by the rest of the key."""
    keys = key_values.c.key.startswith(prefix, autoescape=True)
    rows = await connection.execute(sa.select(key_values.c.key, key_values.c.value).where(keys))
    return {key.removeprefix(prefix): value for key, value in rows}


async def put(connection: AsyncConnection, key: str, value: str | None) -> None:
    """Change a key's value, or add the key; None takes it away."""
    if value is None:
        await connection.execute(sa.delete(key_values).where(key_values.c.key == key))
        return
    change = sa.update(key_values).where(key_values.c.key == key).values(value=value)
    if (await connection.execute(change)).rowcount == 0:
        await connection.execute(sa.insert(key_values).values(key=key, value=value))
