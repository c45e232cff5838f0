"""The positions of days: one for each date, which never changes once it is stored."""

from __future__ import annotations

from datetime import date

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store
from bot.platform.database.new_rows import unless_there
from bot.schema.training import day_positions

_columns = day_positions.c


class Days(Store):
    """The positions of days, as text."""

    async def position(self, day: date) -> str | None:
        """Return a day's position; None if there is none yet."""
        return await self._read(_position, day)

    async def add_position(self, day: date, text: str) -> str:
        """Store a day's position, unless there is one; return the one that stands. Several processes may do so."""
        return await self._write(_add, day, text)

    async def known(self, first: date, last: date) -> set[date]:
        """Return the days from `first` to `last` that have a position."""
        return await self._read(_known, first, last)


async def _position(connection: AsyncConnection, day: date) -> str | None:
    return await connection.scalar(sa.select(_columns.exercise).where(_columns.day == day.isoformat()))


async def _add(connection: AsyncConnection, day: date, text: str) -> str:
    values = {"day": day.isoformat(), "exercise": text}
    await connection.execute(unless_there(connection, day_positions, values))
    stands = await _position(connection, day)
    assert stands is not None, "it has just been stored"
    return stands


async def _known(connection: AsyncConnection, first: date, last: date) -> set[date]:
    found = sa.select(_columns.day).where(_columns.day.between(first.isoformat(), last.isoformat()))
    return {date.fromisoformat(day) for day in await connection.scalars(found)}
