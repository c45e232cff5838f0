"""Queries over the results: leaderboards, a player's place in them, a player's statistics."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rows import Metric, Page, PlayerStats, RankedRow
from bot.store.schema import result_players as players
from bot.store.schema import results

_Expression = sa.ColumnElement[Any]


async def leaderboard(
    connection: AsyncConnection,
    guild_id: int,
    metric: Metric,
    *,
    since: datetime | None,
    min_matches: int,
    limit: int,
    offset: int,
) -> Page:
    """A part of a guild's leaderboard."""
    listed = _totals(guild_id, metric, since, min_matches)
    total = await connection.scalar(sa.select(sa.func.count()).select_from(listed))
    ranked = _ranked(listed, metric)
    page = sa.select(ranked).order_by(*_order(ranked, metric)).limit(limit).offset(offset).subquery()
    rows = await connection.execute(_with_names(page, guild_id).order_by(*_order(page, metric)))
    return Page(tuple(RankedRow(*row) for row in rows), total or 0)


async def standing(
    connection: AsyncConnection,
    guild_id: int,
    user_id: int,
    metric: Metric,
    *,
    since: datetime | None,
    min_matches: int,
) -> RankedRow | None:
    """One user's row of a leaderboard, or None when the list doesn't hold the user."""
    ranked = _ranked(_totals(guild_id, metric, since, min_matches), metric)
    own = sa.select(ranked).where(ranked.c.user_id == user_id).subquery()
    row = (await connection.execute(_with_names(own, guild_id))).one_or_none()
    return None if row is None else RankedRow(*row)


async def stats(connection: AsyncConnection, guild_id: int, user_id: int) -> PlayerStats:
    """All matches of a user in a guild, added up."""
    is_ranked = players.c.ranked
    totals = (
        await connection.execute(
            sa.select(
                _count(is_ranked),
                _count(is_ranked & players.c.won),
                _sum_where(is_ranked, players.c.points),
                _sum_where(is_ranked, players.c.escobas),
                _sum_where(is_ranked, results.c.rounds),
                _count(~is_ranked),
                _count(~is_ranked & players.c.won),
                sa.func.max(players.c.ended_at),
            )
            .join_from(players, results)
            .where(players.c.guild_id == guild_id, players.c.user_id == user_id)
        )
    ).one()
    own = await standing(connection, guild_id, user_id, Metric.WINS, since=None, min_matches=1)
    return PlayerStats(
        matches=totals[0],
        wins=totals[1],
        points=totals[2],
        escobas=totals[3],
        rounds=totals[4],
        best_streak=await connection.scalar(_best_streak(guild_id, user_id)) or 0,
        practice_matches=totals[5],
        practice_wins=totals[6],
        last_played_at=totals[7],
        rank_by_wins=own.rank if own else None,
    )


def _count(condition: _Expression) -> _Expression:
    """How many rows meet the condition; 0 without rows."""
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)


def _sum_where(condition: _Expression, value: _Expression) -> _Expression:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, value), else_=0)), 0)


def _totals(guild_id: int, metric: Metric, since: datetime | None, min_matches: int) -> sa.Subquery:
    """The players of a list with what they reached in its period; only RATE asks for a number of matches."""
    query = (
        sa.select(
            players.c.user_id,
            sa.func.count().label("matches"),
            _count(players.c.won).label("wins"),
            sa.func.sum(players.c.points).label("points"),
            sa.func.sum(players.c.escobas).label("escobas"),
        )
        .where(players.c.guild_id == guild_id, players.c.user_id.is_not(None), players.c.ranked)
        .group_by(players.c.user_id)
    )
    if since is not None:
        query = query.where(players.c.ended_at >= since)
    if metric is Metric.RATE:
        query = query.having(sa.func.count() >= min_matches)
    return query.subquery()


def _value(table: sa.FromClause, metric: Metric) -> _Expression:
    """What the metric compares. Quotients of equal fractions are equal floats, so a tie of rates is one."""
    if metric is Metric.RATE:
        return sa.cast(table.c.wins, sa.Double) / sa.cast(table.c.matches, sa.Double)
    return table.c[metric.value]


def _ranked(listed: sa.Subquery, metric: Metric) -> sa.Subquery:
    """The list with competition ranks: 1, 2, 2, 4."""
    rank = sa.func.rank().over(order_by=_value(listed, metric).desc())
    return sa.select(rank.label("rank"), listed).subquery()


def _order(table: sa.FromClause, metric: Metric) -> list[_Expression]:
    """From the best down; the user's id makes it one order only, so that pages don't overlap."""
    metrics = (metric, Metric.WINS, Metric.RATE, Metric.POINTS)
    return [*(_value(table, each).desc() for each in metrics), table.c.user_id.asc()]


def _with_names(ranked: sa.Subquery, guild_id: int) -> sa.Select[*tuple[Any, ...]]:
    """The columns of a RankedRow. Names are looked up for these rows only, in practice matches too."""
    name = (
        sa.select(players.c.name)
        .where(players.c.guild_id == guild_id, players.c.user_id == ranked.c.user_id)
        .order_by(players.c.ended_at.desc(), players.c.result_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    at = ranked.c
    return sa.select(at.rank, at.user_id, name.label("name"), at.matches, at.wins, at.points, at.escobas)


def _best_streak(guild_id: int, user_id: int) -> sa.Select[Any]:
    """The longest run of ranked wins.

    Number all matches, and wins and losses apart: the difference of the two numbers stays the same within a
    run, and differs between runs of the same outcome.
    """
    order: Final = (players.c.ended_at, players.c.result_id)
    run = sa.func.row_number().over(order_by=order) - sa.func.row_number().over(
        partition_by=players.c.won, order_by=order
    )
    matches = (
        sa.select(players.c.won, run.label("run"))
        .where(players.c.guild_id == guild_id, players.c.user_id == user_id, players.c.ranked)
        .subquery()
    )
    runs = sa.select(sa.func.count().label("wins")).where(matches.c.won).group_by(matches.c.run).subquery()
    return sa.select(sa.func.max(runs.c.wins))
