"""The store of the bot's own key-value pairs: one text for each key."""

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import key_values, pairs_with_prefix, read_pair, unless_there, write_pair
from bot.platform.database.database import Store, writing
from bot.platform.database.news import News, publish


class KeyValues(Store):
    async def get(self, key: str) -> str | None:
        return await self.database.read(read_pair, key)

    async def of(self, prefix: str) -> dict[str, str]:
        """Return the values of all keys with a prefix, by the rest of the key."""
        return await self.database.read(pairs_with_prefix, prefix)

    async def set(self, key: str, value: str | None) -> None:
        """Set the value of a key; None removes the key."""
        await self.database.write(write_pair, key, value)

    @writing
    async def add(
        self,
        connection: AsyncConnection,
        key: str,
        value: str,
        *,
        instead_of: str | None = None,
        along: Mapping[str, str | None] | None = None,
        news: News | None = None,
    ) -> bool:
        """Set a key's value if it has none, or with `instead_of` if it has that one; return whether it was set.

        If it was, so were the values `along` of other keys, all at once; None removes a key. Several processes may try.
        `news`: what the other processes are told then.
        """
        if instead_of is None:
            added = unless_there(connection, key_values, {"key": key, "value": value})
            done = await connection.scalar(added.returning(key_values.c.key)) is not None
        else:
            changed = sa.update(key_values).where(key_values.c.key == key, key_values.c.value == instead_of)
            done = (await connection.execute(changed.values(value=value))).rowcount == 1
        for other, text in (along or {}).items() if done else ():
            await write_pair(connection, other, text)
        if done and news is not None:
            await publish(connection, news)
        return done
