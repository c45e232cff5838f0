"""Users' progress in the lessons, and the luck in their matches."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import ensure, unless_there
from bot.platform.database.database import Store, reading, writing
from bot.schema.servers import of_server
from bot.schema.tables import result_players, results
from bot.schema.training import lessons
from bot.training.store.rows import LessonRow


class Lessons(Store):
    """The progress of users in lessons."""

    async def of(self, user_id: int) -> list[LessonRow]:
        """List the lessons that a user has begun or been offered, the latest first."""
        return await self.database.read(of_user, user_id)

    @writing
    async def put(self, connection: AsyncConnection, user_id: int, row: LessonRow) -> None:
        """Store a user's progress in a lesson, in place of what was stored before."""
        if not await _offer(connection, user_id, row):
            own = sa.update(lessons).where(lessons.c.user_id == user_id, lessons.c.lesson == row.lesson)
            await connection.execute(own.values(step=row.step, state=row.state, at=row.at))

    @writing
    async def offer(self, connection: AsyncConnection, user_id: int, row: LessonRow) -> None:
        """Store that a lesson was offered to a user, unless they have begun it or been offered it before."""
        await _offer(connection, user_id, row)


async def of_user(connection: AsyncConnection, user_id: int) -> list[LessonRow]:
    columns = (lessons.c[name] for name in LessonRow.__dataclass_fields__)
    own = sa.select(*columns).where(lessons.c.user_id == user_id).order_by(lessons.c.at.desc(), lessons.c.lesson)
    return [LessonRow(*row) for row in await connection.execute(own)]


async def _offer(connection: AsyncConnection, user_id: int, row: LessonRow) -> bool:
    await ensure(connection, user_id)
    values = {"user_id": user_id, "lesson": row.lesson, "step": row.step, "state": row.state, "at": row.at}
    new = unless_there(connection, lessons, values).returning(lessons.c.lesson)
    return await connection.scalar(new) is not None  # else there is one, perhaps of another process


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
