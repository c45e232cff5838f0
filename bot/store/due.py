"""Erasures that are due: notes of the people whom another process has to erase from its open games and tournaments."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import key_values
from bot.store.schema.own import key_values as pairs


class ErasurePlace(StrEnum):
    """A kind of place to erase somebody from. A note's key is this, the place's number, a colon and the user's id."""

    GAME = "erase:"
    TOURNAMENT = "erase-tournament:"


async def note(connection: AsyncConnection, place: ErasurePlace, number: int, user_id: int) -> None:
    await key_values.put(connection, _key(place, number, user_id), "")


async def done(connection: AsyncConnection, place: ErasurePlace, number: int, user_id: int) -> None:
    """Delete a note, because the user has been erased."""
    await key_values.put(connection, _key(place, number, user_id), None)


async def noted(connection: AsyncConnection, place: ErasurePlace) -> list[tuple[int, int]]:
    """List all notes in order, each as (number, user)."""
    found = await key_values.with_prefix(connection, place)
    return sorted((int(number), int(user)) for number, user in (key.split(":") for key in found))


async def drop(connection: AsyncConnection, place: ErasurePlace, numbers: Collection[int]) -> None:
    """Delete the notes of games or tournaments that are deleted, as no process will find them any more."""
    keys = [_key(place, *each) for each in await noted(connection, place) if each[0] in numbers]
    if keys:
        await connection.execute(sa.delete(pairs).where(pairs.c.key.in_(keys)))


def _key(place: ErasurePlace, number: int, user_id: int) -> str:
    return f"{place}{number}:{user_id}"
