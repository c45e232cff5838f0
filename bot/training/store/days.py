"""The positions of days: one for each date, which never changes once it is stored."""

from __future__ import annotations

from datetime import date

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading, writing
from bot.platform.database.new_rows import unless_there
from bot.schema.training import day_positions

_columns = day_positions.c


class Days(Store):
    """The positions of days, as text."""

    async def position(self, day: date) -> str | None:
        """Return a day's position; None if there is none yet."""
        return await self.database.read(_position, day)

    @writing
    async def add_position(self, connection: AsyncConnection, day: date, text: str) -> str:
        """Store a day's position, unless there is one; return the one that stands. Several processes may do so."""
        values = {"day": day.isoformat(), "exercise": text}
        await connection.execute(unless_there(connection, day_positions, values))
        stands = await _position(connection, day)
        assert stands is not None, "it has just been stored"
        return stands

    @reading
    async def known(self, connection: AsyncConnection, first: date, last: date) -> set[date]:
        """Return the days from `first` to `last` that have a position."""
        found = sa.select(_columns.day).where(_columns.day.between(first.isoformat(), last.isoformat()))
        return {date.fromisoformat(day) for day in await connection.scalars(found)}


async def _position(connection: AsyncConnection, day: date) -> str | None:
    return await connection.scalar(sa.select(_columns.exercise).where(_columns.day == day.isoformat()))
