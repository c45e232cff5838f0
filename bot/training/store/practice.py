"""Positions to practise, and the reviews that many of them come from."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import ensure, unless_there
from bot.platform.database.database import Store, reading, writing
from bot.schema.servers import of_server
from bot.schema.tables import result_players, results
from bot.schema.training import practice_positions, reviews
from bot.training.store.rows import Judgement, PracticeRow, PracticeState, ReviewRow

MOST: Final = 100
"""Most positions a user can have to practise; beyond that, those solved most often are dropped first, then old ones."""
MOST_DONE: Final = 400
"""Most positions that needn't be asked again, kept without their exercises for each user."""

_columns = practice_positions.c
_ROW: Final = sa.select(*(_columns[name] for name in PracticeRow.__dataclass_fields__))


class PracticePositions(Store):
    """The positions that users practise."""

    async def add(self, user_id: int, rows: Sequence[PracticeRow]) -> None:
        """Keep positions for a user; one that is there already stays as it is."""
        await self.database.write(add, user_id, rows)

    async def of(self, user_id: int) -> list[PracticeState]:
        """List all positions of a user, in the order in which they are due."""
        return await self.database.read(states, user_id)

    @reading
    async def get(self, connection: AsyncConnection, user_id: int, source: str) -> PracticeRow | None:
        """Read one position of a user."""
        rows = await connection.execute(_ROW.where(_columns.user_id == user_id, _columns.source == source))
        found = rows.first()
        return None if found is None else PracticeRow(*found)

    @writing
    async def move(self, connection: AsyncConnection, user_id: int, before: PracticeState, after: PracticeRow) -> bool:
        """Replace a position by `after`, if it is still as it was `before`; return whether it was."""
        changed = await connection.execute(
            sa.update(practice_positions)
            .where(
                _columns.user_id == user_id,
                _columns.source == before.source,
                _columns.step == before.step,
                _columns.due_at == before.due_at,
            )
            .values(exercise=after.exercise, step=after.step, due_at=after.due_at)
        )
        return changed.rowcount > 0


async def add(connection: AsyncConnection, user_id: int, rows: Sequence[PracticeRow]) -> None:
    """See `PracticePositions.add`."""
    if not rows:
        return
    await ensure(connection, user_id)
    for row in rows:
        values = {"user_id": user_id, **asdict(row)}
        await connection.execute(unless_there(connection, practice_positions, values))
    for done, most in ((_columns.exercise != "", MOST), (_columns.exercise == "", MOST_DONE)):
        which = (_columns.user_id == user_id) & done
        ranked = sa.select(_columns.source).where(which)
        surplus = ranked.order_by(_columns.step, _columns.due_at.desc(), _columns.source).offset(most)
        if found := list(await connection.scalars(surplus)):
            await connection.execute(sa.delete(practice_positions).where(which, _columns.source.in_(found)))


async def states(connection: AsyncConnection, user_id: int) -> list[PracticeState]:
    """See `PracticePositions.of`."""
    rows = await connection.execute(
        sa.select(_columns.source, _columns.theme, _columns.step, _columns.due_at)
        .where(_columns.user_id == user_id)
        .order_by(_columns.due_at, _columns.source)
    )
    return [PracticeState(*row) for row in rows]


async def rows_of(connection: AsyncConnection, user_id: int) -> list[PracticeRow]:
    """Read all positions of a user with their exercises, in the order in which they are due."""
    rows = await connection.execute(_ROW.where(_columns.user_id == user_id).order_by(_columns.due_at, _columns.source))
    return [PracticeRow(*row) for row in rows]


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
        await add(connection, user_id, missed)
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
