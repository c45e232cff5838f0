"""Positions that users practise: those they missed, until they have learned them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading, writing
from bot.platform.database.new_rows import unless_there
from bot.platform.database.people import ensure
from bot.schema.training import practice_positions
from bot.training.store.rows import PracticeRow, PracticeState

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
