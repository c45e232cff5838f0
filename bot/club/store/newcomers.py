"""The people who haven't finished or won a match anywhere yet, whatever it counted for."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading
from bot.schema.tables import result_players, results


class Newcomers(Store):
    """The people who are new to the game, as far as their results tell."""

    @reading
    async def among(self, connection: AsyncConnection, people: Collection[int]) -> frozenset[int]:
        """Find which of these people have never finished a match."""
        return frozenset([each for each in people if not await connection.scalar(_exists(each))])

    @reading
    async def winless(self, connection: AsyncConnection, people: Collection[int]) -> frozenset[int]:
        """Find which of these people have never won a match, newcomers included."""
        won = result_players.c.won
        return frozenset([each for each in people if not await connection.scalar(_exists(each, won))])

    @reading
    async def has_only(self, connection: AsyncConnection, user_id: int, game_id: int) -> bool:
        """Whether a match is the only one that somebody has finished."""
        own = sa.select(results.c.game_id).join_from(result_players, results).where(result_players.c.user_id == user_id)
        return list(await connection.scalars(own.limit(2))) == [game_id]


def _exists(user_id: int, *such: sa.ColumnElement[bool]) -> sa.Select[bool]:
    """Whether somebody has such a result."""
    return sa.select(sa.select(result_players.c.result_id).where(result_players.c.user_id == user_id, *such).exists())
