"""The luck in a match that is over, stored with its result."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading, writing
from bot.schema.servers import of_server
from bot.schema.tables import result_players, results


class MatchLuck(Store):
    """The luck of matches, as text that only `bot.training.live.luck` reads."""

    @writing
    async def put(self, connection: AsyncConnection, game_id: int, luck: str) -> bool:
        """Store a match's luck once: if some is stored already, it stays. Return whether the match has a result."""
        values = {"luck": sa.func.coalesce(results.c.luck, luck)}
        changed = await connection.execute(sa.update(results).where(results.c.game_id == game_id).values(values))
        return changed.rowcount > 0

    async def of(self, game_id: int) -> str | None:
        """Return a match's luck; None if none is stored."""
        stored = sa.select(results.c.luck).where(results.c.game_id == game_id)
        return await self.database.read(lambda connection: connection.scalar(stored))

    @reading
    async def latest(
        self, connection: AsyncConnection, guild_id: int | None, user_id: int, limit: int
    ) -> list[tuple[str, int]]:
        """Return the luck in a user's latest ranked matches in a guild, or in all, each with their side.

        Only matches that they played to the end, and whose luck is stored.
        """
        of = result_players.c
        rows = await connection.execute(
            sa.select(results.c.luck, of.side)
            .join_from(result_players, results)
            .where(
                of_server(of.guild_id, guild_id),
                of.user_id == user_id,
                of.ranked,
                of.stayed,
                results.c.luck.is_not(None),
            )
            .order_by(of.ended_at.desc(), of.result_id.desc())
            .limit(limit)
        )
        return [(luck, side) for luck, side in rows]
