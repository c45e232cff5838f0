"""The games of those who play alone, in private."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading
from bot.schema.tables import events, games
from bot.tables.store.rows import OpenGame


class GamesAlone(Store):
    """The games of those who play alone; each person has at most one that is open."""

    @reading
    async def open(self, connection: AsyncConnection, user_id: int, playing: str) -> OpenGame | None:
        """Find the open game of a user, without reading its log. With an entry `playing` it is being played."""
        begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
        found = sa.select(games.c.id, games.c.guild_id, games.c.channel_id, games.c.opener_id, begun)
        own = (games.c.opener_id == user_id, games.c.channel_id.is_(None), games.c.closed_at.is_(None))
        row = (await connection.execute(found.where(*own))).one_or_none()
        return None if row is None else OpenGame(*row[:4], playing=bool(row[4]))

    async def latest(self, user_id: int) -> int | None:
        """Find the latest game of a user that is over."""
        own = (games.c.opener_id == user_id, games.c.channel_id.is_(None), games.c.closed_at.is_not(None))
        found = sa.select(games.c.id).where(*own).order_by(games.c.id.desc()).limit(1)
        return await self.database.read(lambda connection: connection.scalar(found))

    @reading
    async def idle(self, connection: AsyncConnection, before: datetime, *, limit: int) -> list[int]:
        """List some users who haven't continued their open game since a time."""
        later = sa.exists().where(events.c.game_id == games.c.id, events.c.at >= before)
        idle = (games.c.channel_id.is_(None), games.c.closed_at.is_(None), games.c.opened_at < before, ~later)
        return list(
            await connection.scalars(sa.select(games.c.opener_id).where(*idle).order_by(games.c.id).limit(limit))
        )
