"""Adds up the results of a server to standings from scratch: for corrections, and to check the stored ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import result_players as players
from bot.store.schema import results, standings
from bot.store.standings.standing import ALL_TIME, COLUMNS, KEY, LAST_RESULT, Key, Standing

_ADDED: Final = ("matches", "wins", "points", "escobas", "rounds", "practice_matches", "practice_wins")
_NUMBERS: Final = (*_ADDED, "streak", "best_streak")


async def added_up(
    connection: AsyncConnection, guild_id: int, people: Collection[int] | None = None
) -> dict[Key, Standing]:
    """The standings of a server by its results, of all people or some."""
    some = [players.c.guild_id == guild_id]
    if people is not None:
        some.append(players.c.user_id.in_(people))
    if connection.dialect.name == "sqlite":
        month: sa.ColumnElement[str] = sa.func.substr(sa.type_coerce(players.c.ended_at, sa.Text), 1, 7)
    else:
        month = sa.func.to_char(sa.func.timezone("UTC", players.c.ended_at), "YYYY-MM")
    found: dict[Key, Standing] = {}
    for period in (sa.literal(ALL_TIME), month):
        for row in await connection.execute(_rows(period, some)):
            found[row.period, row.user_id] = Standing(*row)
    return found


def _rows(period: sa.ColumnElement[str], some: Sequence[sa.ColumnElement[bool]]) -> sa.Select[*tuple[Any, ...]]:
    """The standings by the results. A run is the matches from one lost match to the next, without the latter."""
    lost = players.c.ranked & ~players.c.won
    partition = (players.c.guild_id, period, players.c.user_id)
    order = (players.c.ended_at, players.c.result_id)
    losses = sa.func.sum(sa.case((lost, 1), else_=0))
    following = sa.func.lead(players.c.result_id)
    seats = (
        sa.select(
            players.c.guild_id,
            period.label("period"),
            *(players.c[name] for name in ("user_id", "name", "won", "points", "escobas", "ranked")),
            *(players.c[name] for name in ("ended_at", "result_id")),
            results.c.rounds,
            losses.over(partition_by=partition, order_by=order, rows=(None, 0)).label("run"),
            following.over(partition_by=partition, order_by=order).is_(None).label("latest"),
        )
        .join_from(players, results)
        .where(players.c.user_id.is_not(None), *some)
        .subquery()
    )
    who = (seats.c.guild_id, seats.c.period, seats.c.user_id)
    ranked, practice = seats.c.ranked, ~seats.c.ranked
    runs = (
        sa.select(
            *who,
            seats.c.run,
            sa.func.max(seats.c.run).over(partition_by=who).label("last_run"),
            sa.func.max(sa.case((seats.c.latest, seats.c.name))).label("name"),
            _sum(ranked, 1).label("matches"),
            _sum(ranked & seats.c.won, 1).label("wins"),
            _sum(ranked, seats.c.points).label("points"),
            _sum(ranked, seats.c.escobas).label("escobas"),
            _sum(ranked, seats.c.rounds).label("rounds"),
            _sum(practice, 1).label("practice_matches"),
            _sum(practice & seats.c.won, 1).label("practice_wins"),
            _record(ranked, seats.c.points, seats.c.result_id).label("top_points"),
            _record(ranked, seats.c.escobas, seats.c.result_id).label("top_escobas"),
            sa.func.max(seats.c.ended_at).label("last_at"),
            sa.func.max(sa.case((seats.c.latest, seats.c.result_id))).label("last_result_id"),
        )
        .group_by(*who, seats.c.run)
        .subquery()
    )
    figures = {
        "name": sa.func.max(runs.c.name),
        **{name: sa.func.sum(runs.c[name]) for name in _ADDED},
        "streak": sa.func.sum(sa.case((runs.c.run == runs.c.last_run, runs.c.wins), else_=0)),
        "best_streak": sa.func.max(runs.c.wins),
        "last_at": sa.func.max(runs.c.last_at),
        "last_result_id": sa.func.max(runs.c.last_result_id),
        **{name: sa.func.max(runs.c[name]) for name in ("top_points", "top_escobas")},
    }
    # PostgreSQL's sums are wider than what they add up.
    columns = (
        sa.cast(figures[name], standings.c[name].type) if name in _NUMBERS else figures[name]
        for name in COLUMNS[len(KEY) :]
    )
    group = [runs.c[name] for name in KEY]
    return sa.select(*group, *columns).group_by(*group)


def _sum(condition: sa.ColumnElement[bool], value: sa.ColumnElement[int] | int) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, value), else_=0))


def _record(
    condition: sa.ColumnElement[bool], value: sa.ColumnElement[int], result_id: sa.ColumnElement[int]
) -> sa.ColumnElement[int]:
    """The greatest `record_of` the values."""
    record = sa.cast(value, sa.BigInteger) * sa.literal(LAST_RESULT + 1, sa.BigInteger) + (
        sa.literal(LAST_RESULT, sa.BigInteger) - result_id
    )
    return sa.func.max(sa.case((condition & (value > 0), record), else_=sa.literal(0, sa.BigInteger)))
