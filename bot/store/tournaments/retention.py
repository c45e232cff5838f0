"""Drops the data of tournaments that is no longer kept."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import tournament_events, tournament_people, tournaments


async def drop_logs(connection: AsyncConnection, before: datetime) -> int:
    """Drop the logs of tournaments that were closed before `before`, and notes of who was in them; returns how many.

    There are few, so all are dropped at once.
    """
    named = (tournaments.c.organiser_id != 0) | sa.exists().where(tournament_events.c.tournament_id == tournaments.c.id)
    old = sa.select(tournaments.c.id).where(tournaments.c.closed_at < before, named)
    found = list(await connection.scalars(old))
    if found:
        await _secure(connection)
        for table in (tournament_events, tournament_people):
            await connection.execute(sa.delete(table).where(table.c.tournament_id.in_(found)))
        nobody = {"organiser_id": 0, "message_id": None}
        await connection.execute(sa.update(tournaments).where(tournaments.c.id.in_(found)).values(nobody))
    return len(found)


async def _secure(connection: AsyncConnection) -> None:
    """Deleted data must be gone from the file too, not only from its tables."""
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("PRAGMA secure_delete=ON")
