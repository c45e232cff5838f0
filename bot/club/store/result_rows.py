"""A server's results row by row, the latest first, to export them to a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading
from bot.schema.server import rule_sets
from bot.schema.tables import games, result_players, results
from bot.schema.tournaments import tournaments


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One seat's result, with the values that all seats of its match share.

    `user_id` is None for a computer, and for somebody who was erased. `mu` to `new_sigma` are the rating before and
    after the match, None if it changed no ratings. `rule_set` is the name of the server's own rules that it was played
    by, if any; empty if that is no longer known.
    """

    result_id: int
    ended_at: datetime
    preset: str
    rule_set: str | None
    target: int
    ranked: bool
    friendly: bool
    user_id: int | None
    name: str
    side: int
    won: bool
    points: int
    escobas: int
    mu: float | None
    sigma: float | None
    new_mu: float | None
    new_sigma: float | None


class ResultRows(Store):
    """The rows of results."""

    @reading
    async def latest(self, connection: AsyncConnection, guild_id: int, most: int) -> tuple[list[int], int]:
        """List the ids of a server's latest results, the latest first and at most `most`, and count them all.

        Those of a duplicate tournament are included once it is over: until then others may still play the same cards.
        """
        # Not from `results`, which has no index by server.
        sealed = (
            sa.select(results.c.id)
            .join(games, games.c.id == results.c.game_id)
            .join(tournaments, tournaments.c.id == games.c.tournament_id)
            .where(tournaments.c.guild_id == guild_id, tournaments.c.closed_at.is_(None), results.c.friendly)
        )
        theirs = (
            sa.select(result_players.c.result_id)
            .where(result_players.c.guild_id == guild_id, result_players.c.result_id.not_in(sealed))
            .distinct()
        )
        total = await connection.scalar(sa.select(sa.func.count()).select_from(theirs.subquery())) or 0
        ids = await connection.scalars(theirs.order_by(result_players.c.result_id.desc()).limit(most))
        return list(ids), total

    @reading
    async def of(self, connection: AsyncConnection, result_ids: Sequence[int]) -> list[ResultRow]:
        """Read the rows of some results, by id from the highest down, then by seat."""
        # A set's name is kept while there are results by it or open games; its first result may be of a later rematch.
        by_set = sa.case((results.c.rule_set.is_not(None), sa.func.coalesce(rule_sets.c.name, "")))
        of_results = ("target", "ranked", "friendly")
        of_seats = ("user_id", "name", "side", "won", "points", "escobas", "mu", "sigma", "new_mu", "new_sigma")
        found = await connection.execute(
            sa.select(
                results.c.id,
                results.c.ended_at,
                results.c.preset,
                by_set,
                *(results.c[name] for name in of_results),
                *(result_players.c[name] for name in of_seats),
            )
            .join_from(results, result_players)
            .outerjoin(rule_sets, rule_sets.c.id == results.c.rule_set)
            .where(results.c.id.in_(result_ids))
            .order_by(results.c.id.desc(), result_players.c.seat)
        )
        return [ResultRow(*row) for row in found]
