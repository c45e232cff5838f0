"""The votes of onlookers about who wins a round. No log has them.

A game that is over has some only while it is in an evening whose card isn't written yet.
"""

from collections.abc import Collection, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.schema.tables import votes
from bot.tables.log.votes import Votes
from bot.tables.store import faces
from bot.tables.store.faces import Shown

Crowds = tuple[dict[int, tuple[str, Shown]], dict[int, Votes]]
"""By game, the faces that are shown there, and in which deal; and the votes. Most games have none."""
_ROUND: Final = (votes.c.game_id == sa.bindparam("game"), votes.c.round == sa.bindparam("number"))
_OF_ROUND: Final = sa.select(votes.c.user_id, votes.c.side).where(*_ROUND).order_by(votes.c.user_id)
_CHANGE: Final = sa.update(votes).where(*_ROUND, votes.c.user_id == sa.bindparam("person"))


async def cast(connection: AsyncConnection, game_id: int, number: int, user_id: int, side: int) -> Mapping[int, int]:
    """Keep a user's vote about a round of a game, in place of an earlier one; return all votes about it."""
    there = {"game": game_id, "number": number, "person": user_id}
    if (await connection.execute(_CHANGE.values(side=side), there)).rowcount == 0:
        values = {"game_id": game_id, "round": number, "user_id": user_id, "side": side}
        await connection.execute(sa.insert(votes).values(**values))
    return {row[0]: row[1] for row in await connection.execute(_OF_ROUND, there)}


async def crowds(connection: AsyncConnection, game_ids: Collection[int]) -> Crowds:
    """Read what is known of the crowds around some tables."""
    return await faces.of_games(connection, game_ids), await of_games(connection, game_ids)


async def of_games(connection: AsyncConnection, game_ids: Collection[int]) -> dict[int, Votes]:
    """Read the votes of some games, by game; none for most."""
    found: dict[int, dict[int, dict[int, int]]] = {}
    columns = (votes.c.game_id, votes.c.round, votes.c.user_id, votes.c.side)
    rows = sa.select(*columns).where(votes.c.game_id.in_(game_ids)).order_by(*columns[:3])
    for game_id, number, user_id, side in await connection.execute(rows):
        found.setdefault(game_id, {}).setdefault(number, {})[user_id] = side
    return {**found}


async def of_user(connection: AsyncConnection, user_id: int) -> tuple[tuple[int, int, int], ...]:
    """List a user's votes, each as (game, round, side)."""
    columns = (votes.c.game_id, votes.c.round, votes.c.side)
    own = sa.select(*columns).where(votes.c.user_id == user_id).order_by(*columns[:2])
    return tuple((row[0], row[1], row[2]) for row in await connection.execute(own))


async def withdraw(connection: AsyncConnection, game_id: int, user_ids: Collection[int]) -> None:
    """Drop the votes of some users in a game."""
    theirs = (votes.c.game_id == game_id, votes.c.user_id.in_(user_ids))
    await connection.execute(sa.delete(votes).where(*theirs))


async def forget(connection: AsyncConnection, user_id: int) -> int:
    """Drop a user's votes in all games; returns how many there were."""
    return (await connection.execute(sa.delete(votes).where(votes.c.user_id == user_id))).rowcount


async def drop(connection: AsyncConnection, found: Collection[int]) -> None:
    """Drop the votes of some games."""
    await connection.execute(sa.delete(votes).where(votes.c.game_id.in_(found)))
