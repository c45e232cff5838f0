"""Users' progress in the lessons, which are offered once to new users."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, writing
from bot.platform.database.new_rows import unless_there
from bot.platform.database.people import ensure
from bot.schema.tables import result_players
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

    async def offer(self, user_id: int, row: LessonRow) -> bool:
        """Store that a lesson is offered to a user and return True, if they have neither a result nor any lesson."""
        return not await self.database.read(_known, user_id) and await self.database.write(_offer, user_id, row)


async def of_user(connection: AsyncConnection, user_id: int) -> list[LessonRow]:
    columns = (lessons.c[name] for name in LessonRow.__dataclass_fields__)
    own = sa.select(*columns).where(lessons.c.user_id == user_id).order_by(lessons.c.at.desc(), lessons.c.lesson)
    return [LessonRow(*row) for row in await connection.execute(own)]


async def _offer(connection: AsyncConnection, user_id: int, row: LessonRow) -> bool:
    await ensure(connection, user_id)
    values = {"user_id": user_id, "lesson": row.lesson, "step": row.step, "state": row.state, "at": row.at}
    new = unless_there(connection, lessons, values).returning(lessons.c.lesson)
    return await connection.scalar(new) is not None  # else there is one, perhaps of another process


async def _known(connection: AsyncConnection, user_id: int) -> bool:
    played = sa.select(result_players.c.user_id).where(result_players.c.user_id == user_id)
    offered = sa.select(lessons.c.user_id).where(lessons.c.user_id == user_id)
    return bool(await connection.scalar(sa.select(sa.or_(played.exists(), offered.exists()))))
