"""Erasures that are due: notes of the people whom another process has to erase from its open logs.

Each sort of log has a `place`: a note's key is this, the log's number, a colon and the user's id.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.own import key_values
from bot.platform.database.pairs import pairs_with_prefix, write_pair


async def note_due(connection: AsyncConnection, place: str, number: int, user_id: int) -> None:
    await write_pair(connection, _key(place, number, user_id), "")


async def forget_due(connection: AsyncConnection, place: str, number: int, user_id: int) -> None:
    """Delete a note, because the user has been erased."""
    await write_pair(connection, _key(place, number, user_id), None)


async def list_due(connection: AsyncConnection, place: str) -> list[tuple[int, int]]:
    """List all notes in order, each as (number, user)."""
    found = await pairs_with_prefix(connection, place)
    return sorted((int(number), int(user)) for number, user in (key.split(":") for key in found))


async def drop_due(connection: AsyncConnection, place: str, numbers: Collection[int]) -> None:
    """Delete the notes of logs that are deleted, as no process will find them any more."""
    keys = [_key(place, *each) for each in await list_due(connection, place) if each[0] in numbers]
    if keys:
        await connection.execute(sa.delete(key_values).where(key_values.c.key.in_(keys)))


def _key(place: str, number: int, user_id: int) -> str:
    return f"{place}{number}:{user_id}"
