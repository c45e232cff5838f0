"""Key-value pairs of the bot itself, one text for each key, within a transaction."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.own import key_values


async def read_pair(connection: AsyncConnection, key: str) -> str | None:
    return await connection.scalar(sa.select(key_values.c.value).where(key_values.c.key == key))


async def pairs_with_prefix(connection: AsyncConnection, prefix: str) -> dict[str, str]:
    # Not LIKE, which ignores case in SQLite.
    has_prefix = sa.func.substr(key_values.c.key, 1, len(prefix)) == prefix
    rows = await connection.execute(sa.select(key_values.c.key, key_values.c.value).where(has_prefix))
    return {key.removeprefix(prefix): value for key, value in rows}


async def write_pair(connection: AsyncConnection, key: str, value: str | None) -> None:
    if value is None:
        await connection.execute(sa.delete(key_values).where(key_values.c.key == key))
        return
    change = sa.update(key_values).where(key_values.c.key == key).values(value=value)
    if (await connection.execute(change)).rowcount == 0:
        await connection.execute(sa.insert(key_values).values(key=key, value=value))
