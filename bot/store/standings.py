"""Queries over the kept standings: leaderboards, a player's place in them, a player's statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import standing_counts
from bot.store.rows import Metric, Page, PlayerStats, RankedRow
from bot.store.schema import standings
from bot.store.standing_rows import rates_from
from bot.store.standing_values import ALL_TIME

_Expression = sa.ColumnElement[Any]


async def leaderboard(
    connection: AsyncConnection,
    guild_id: int,
    metric: Metric,
    *,
    period: str,
    min_matches: int,
    limit: int,
    offset: int,
) -> Page:
    """A part of a guild's leaderboard."""
    listed = await _list(connection, guild_id, metric, period, min_matches)
    total = (await connection.execute(listed.total())).scalar_one()
    page = sa.select(standings).where(*listed.where()).order_by(*_order(standings, metric)).limit(limit).offset(offset)
    here = page.subquery("here")
    rows = (await connection.execute(_figures(here, metric).order_by(*_order(here, metric)))).all()
    rank = 1
    if rows and offset:
        value = sa.literal(rows[0][0], sa.BigInteger)
        rank += await connection.scalar(sa.select(listed.above(value))) or 0
    return Page(tuple(_ranked(rows, rank, offset + 1)), total)


async def standing(
    connection: AsyncConnection,
    guild_id: int,
    user_id: int,
    metric: Metric,
    *,
    period: str,
    min_matches: int,
) -> RankedRow | None:
    """One user's row of a leaderboard, or None when the list doesn't hold the user."""
    listed = await _list(connection, guild_id, metric, period, min_matches)
    values = {"guild": guild_id, "period": period, "user": user_id, "least": listed.least}
    row = (await connection.execute(_own_row(metric, listed.least is None), values)).one_or_none()
    return None if row is None else RankedRow(row[-1] + 1, *row[1:-1])


async def stats(connection: AsyncConnection, guild_id: int, user_id: int) -> PlayerStats:
    """All matches of a user in a guild."""
    by_wins = _List(guild_id, ALL_TIME, Metric.WINS)
    at = standings.c
    own = (at.guild_id == guild_id, at.period == ALL_TIME, at.user_id == user_id)
    row = (
        await connection.execute(sa.select(standings, by_wins.above(at.wins).label("above")).where(*own))
    ).one_or_none()
    if row is None:
        return PlayerStats(0, 0, 0, 0, 0, 0, 0, 0, 0, None, None)
    return PlayerStats(
        matches=row.matches,
        wins=row.wins,
        points=row.points,
        escobas=row.escobas,
        rounds=row.rounds,
        streak=row.streak,
        best_streak=row.best_streak,
        practice_matches=row.practice_matches,
        practice_wins=row.practice_wins,
        last_played_at=row.last_at,
        rank_by_wins=row.above + 1 if row.matches else None,
    )


@dataclass(frozen=True, slots=True)
class _List:
    """Who is listed, and where. With `least` they are sought out by their matches: their places aren't kept."""

    guild_id: int | sa.BindParameter[int]
    period: str | sa.BindParameter[str]
    metric: Metric
    least: int | sa.BindParameter[int] | None = None

    def where(self) -> Iterator[sa.ColumnElement[bool]]:
        """Which rows are listed."""
        yield standings.c.guild_id == self.guild_id
        yield standings.c.period == self.period
        if self.least is None:
            yield standing_counts.listed(self.metric)
        else:
            yield standings.c.matches >= self.least

    def above(self, value: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
        """How many have more."""
        if self.least is None:
            return standing_counts.above(self.guild_id, self.period, self.metric, value)
        return self._count().where(standings.c[self.metric.value] > value).scalar_subquery()

    def total(self) -> sa.Select[int]:
        """How many there are."""
        if self.least is None:
            return standing_counts.total(self.guild_id, self.period, self.metric)
        return self._count()

    def _count(self) -> sa.Select[int]:
        return sa.select(sa.func.count()).select_from(standings).where(*self.where())


_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_PERIOD: Final = sa.bindparam("period", type_=sa.Text)
_USER: Final = sa.bindparam("user", type_=sa.BigInteger)
_LEAST: Final = sa.bindparam("least", type_=sa.Integer)


# Statements that run at the end of each match are made once; only their values change.
@cache
def _own_row(metric: Metric, kept: bool) -> sa.Select[*tuple[Any, ...]]:
    listed = _List(_GUILD, _PERIOD, metric, None if kept else _LEAST)
    own = sa.select(standings).where(*listed.where(), standings.c.user_id == _USER).subquery("own")
    return _figures(own, metric, listed.above(own.c[metric.value]))


async def _list(connection: AsyncConnection, guild_id: int, metric: Metric, period: str, min_matches: int) -> _List:
    kept = metric is not Metric.RATE or min_matches == await rates_from(connection)
    return _List(guild_id, period, metric, None if kept else max(min_matches, 1))


def _order(table: sa.FromClause, metric: Metric) -> list[_Expression]:
    """From the best down; the user's id makes it one order only, so that pages don't overlap. Each has an index."""
    columns = dict.fromkeys((metric.value, "wins", "rate", "points"))
    return [*(table.c[name].desc() for name in columns), table.c.user_id.asc()]


def _figures(rows: sa.FromClause, metric: Metric, *more: _Expression) -> sa.Select[*tuple[Any, ...]]:
    """What the list compares, the columns of a RankedRow after its rank, and more. The name is that of all time."""
    named = standings.alias("named")
    name = (
        sa.select(named.c.name)
        .where(named.c.guild_id == rows.c.guild_id, named.c.period == ALL_TIME, named.c.user_id == rows.c.user_id)
        .scalar_subquery()
    )
    at = rows.c
    return sa.select(at[metric.value], at.user_id, name, at.matches, at.wins, at.points, at.escobas, *more)


def _ranked(rows: Sequence[sa.Row[*tuple[Any, ...]]], rank: int, place: int) -> Iterator[RankedRow]:
    """Rows that follow each other from a place on, of which the first has a rank: 1, 2, 2, 4."""
    for number, (value, *figures) in enumerate(rows):
        if number and value != rows[number - 1][0]:
            rank = place + number
        yield RankedRow(rank, *figures)
