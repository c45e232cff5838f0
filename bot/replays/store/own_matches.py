"""A person's finished matches on a server and alone, with players, time and outcome."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading
from bot.schema.servers import of_server
from bot.schema.tables import events, result_players, results


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of a finished match. `user_id` is None for a computer, and for somebody who was erased."""

    side: int
    user_id: int | None
    name: str
    won: bool
    points: int
    stayed: bool


@dataclass(frozen=True, slots=True)
class OwnMatchRow:
    """A finished match, with its seats in order.

    `own` is the index of the seat of the person who asks; `kept` is whether the match's log is still there.
    """

    game_id: int
    ended_at: datetime
    preset: str
    own: int
    kept: bool
    seats: tuple[OwnSeat, ...]


class OwnMatches(Store):
    """The finished matches of people."""

    @reading
    async def page(
        self, connection: AsyncConnection, guild_id: int | None, user_id: int, *, limit: int, offset: int
    ) -> tuple[list[OwnMatchRow], int]:
        """Read a page of a person's matches on a server and alone, or of all, the latest first, and count them all."""
        there = of_server(result_players.c.guild_id, guild_id) | result_players.c.guild_id.is_(None)
        own = there & (result_players.c.user_id == user_id)
        total = await connection.scalar(sa.select(sa.func.count()).select_from(result_players).where(own)) or 0
        latest = (
            sa.select(result_players.c.result_id)
            .where(own)
            .order_by(result_players.c.ended_at.desc(), result_players.c.result_id.desc())
            .limit(limit)
            .offset(offset)
        )
        return await _rows(connection, list(await connection.scalars(latest)), user_id), total

    @reading
    async def of(
        self, connection: AsyncConnection, guild_id: int | None, user_id: int, game_id: int
    ) -> OwnMatchRow | None:
        """Read the match of a game; None if it isn't over, or if this person played it neither on this server nor
        alone."""
        played = (
            sa.select(results.c.id)
            .join(result_players, result_players.c.result_id == results.c.id)
            .where(results.c.game_id == game_id, result_players.c.user_id == user_id)
            .where(of_server(results.c.guild_id, guild_id) | results.c.guild_id.is_(None))
        )
        found = await _rows(connection, list(await connection.scalars(played)), user_id)
        return found[0] if found else None


async def _rows(connection: AsyncConnection, result_ids: Sequence[int], user_id: int) -> list[OwnMatchRow]:
    seat = result_players.c
    kept = sa.exists().where(events.c.game_id == results.c.game_id)
    rows = await connection.execute(
        sa.select(
            results.c.id,
            results.c.game_id,
            results.c.ended_at,
            results.c.preset,
            kept.label("kept"),
            *(seat.side, seat.user_id, seat.name, seat.won, seat.points, seat.stayed),
        )
        .join_from(results, result_players)
        .where(results.c.id.in_(result_ids))
        .order_by(results.c.ended_at.desc(), results.c.id.desc(), seat.seat)
    )
    found: list[OwnMatchRow] = []
    for _, group in groupby(rows.all(), attrgetter("id")):
        match = list(group)
        seats = tuple(OwnSeat(*row[5:]) for row in match)
        own = next(place for place, each in enumerate(seats) if each.user_id == user_id)
        first = match[0]
        found.append(OwnMatchRow(first.game_id, first.ended_at, first.preset, own, bool(first.kept), seats))
    return found
