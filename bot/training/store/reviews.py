"""Reviews: users' scores in the matches that they have reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading, writing
from bot.schema.servers import of_server
from bot.schema.tables import result_players, results
from bot.schema.training import reviews
from bot.training.store import practice
from bot.training.store.rows import Judgement, PracticeRow, ReviewRow


class ReviewRows(Store):
    """The outcomes of users' reviews."""

    @writing
    async def put(
        self,
        connection: AsyncConnection,
        game_id: int,
        user_id: int,
        judgement: Judgement,
        missed: Sequence[PracticeRow] = (),
    ) -> bool:
        """Store the outcome of a user's review of a match, and what they `missed`, once; return whether it is new.

        Nothing is stored if the user has no result in it: the match isn't over, or the user was erased.
        """
        played = (
            sa.select(result_players.c.result_id)
            .join_from(result_players, results)
            .where(results.c.game_id == game_id, result_players.c.user_id == user_id)
        )
        result_id = await connection.scalar(played)
        if result_id is None:
            return False
        same = sa.select(reviews.c.result_id).where(reviews.c.result_id == result_id, reviews.c.user_id == user_id)
        if await connection.scalar(same) is not None:
            return False
        await connection.execute(sa.insert(reviews).values(result_id=result_id, user_id=user_id, **asdict(judgement)))
        await practice.add(connection, user_id, missed)
        return True

    @reading
    async def latest(
        self, connection: AsyncConnection, guild_id: int | None, user_id: int, *, limit: int
    ) -> list[ReviewRow]:
        """List a user's reviews in a guild, or in all, those of the latest matches first."""
        return await _rows(connection, of_server(results.c.guild_id, guild_id) & (reviews.c.user_id == user_id), limit)


async def of_user(connection: AsyncConnection, user_id: int) -> list[ReviewRow]:
    """List a user's reviews in all guilds, those of the latest matches first."""
    return await _rows(connection, reviews.c.user_id == user_id, None)


async def forget(connection: AsyncConnection, user_id: int) -> int:
    """Drop a user's reviews; return how many."""
    return (await connection.execute(sa.delete(reviews).where(reviews.c.user_id == user_id))).rowcount


async def _rows(connection: AsyncConnection, condition: sa.ColumnElement[bool], limit: int | None) -> list[ReviewRow]:
    rows = await connection.execute(
        sa.select(
            results.c.game_id,
            reviews.c.score,
            reviews.c.given_away,
            reviews.c.rounds,
            reviews.c.decisions,
            reviews.c.at,
        )
        .join_from(reviews, results)
        .where(condition)
        .order_by(results.c.ended_at.desc(), results.c.id.desc())
        .limit(limit)
    )
    return [ReviewRow(game_id, Judgement(*judgement)) for game_id, *judgement in rows]
