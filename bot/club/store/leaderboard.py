"""Leaderboards read from the stored standings: a page, a player's own row, a player's statistics.

The indexes hold everything that a list is ordered, filtered and counted by. So a page takes a few rows, and a rank or a
total counts index entries: linear in the number of people in a list, whatever the number of matches they have played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME, length_of
from bot.club.store.standing import (
    COLUMNS,
    EVERY_PRESET,
    KEY,
    Leaderboard,
    LeaderboardPage,
    Metric,
    Standing,
    together,
)
from bot.platform.database.database import Store, reading
from bot.schema.club import standings
from bot.schema.servers import of_server

# Statements that run at the end of each match are built once; only their values change.
_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_PERIOD: Final = sa.bindparam("period", type_=sa.Text)
_PRESET: Final = sa.bindparam("preset", type_=sa.Text)
_USER: Final = sa.bindparam("user", type_=sa.BigInteger)
_LEAST: Final = sa.bindparam("least", type_=sa.Integer)
_MOST_SEASONS: Final = 200
"""The most seasons that are looked up: twelve years of months and quarters."""
_LIMIT: Final = sa.bindparam("limit", type_=sa.Integer)
_OFFSET: Final = sa.bindparam("offset", type_=sa.Integer)


class Leaderboards(Store):
    """The leaderboards of servers, and the standings of single users."""

    @reading
    async def page(
        self, connection: AsyncConnection, guild_id: int, which: Leaderboard, *, limit: int, offset: int
    ) -> LeaderboardPage:
        """Read a page of the guild's players by their ranked matches.

        Order: the metric, then wins, rate, points, each from high to low, then the user's id.
        """
        metric, of_list = which.metric, _values(guild_id, which)
        total = await connection.scalar(_total(metric), of_list) or 0
        rows = (await connection.execute(_page(metric), of_list | {"limit": limit, "offset": offset})).all()
        rank = 1
        if rows and offset:
            rank += await connection.scalar(_above(metric), of_list | {"value": rows[0][0]}) or 0
        return LeaderboardPage(tuple(_ranked(rows, rank, offset + 1)), total)

    async def own_row(self, guild_id: int, user_id: int, which: Leaderboard) -> Standing | None:
        """Read a user's own row of that leaderboard; None if the user isn't in it."""
        return await self.database.read(own_row, guild_id, user_id, which)

    async def stats(self, guild_id: int, user_id: int) -> Standing:
        """Read a user's standing of all time in a guild, ranked by wins; all zero for one who never played there."""
        return await self.database.read(stats, guild_id, user_id)

    @reading
    async def seasons_before(self, connection: AsyncConnection, guild_id: int, season: str, *, limit: int) -> list[str]:
        """List the latest seasons before this one, and of the same length, in which a guild has had a ranked match."""
        names = await connection.scalars(_seasons(), {"guild": guild_id, "period": season})
        length = length_of(season)
        return list(islice((name for name in names if length_of(name) is length), limit))


async def own_row(
    connection: AsyncConnection, guild_id: int, user_id: int, leaderboard: Leaderboard
) -> Standing | None:
    """See `Leaderboards.own_row`."""
    values = _values(guild_id, leaderboard) | {"user": user_id}
    row = (await connection.execute(_own_row(leaderboard.metric), values)).one_or_none()
    return None if row is None else Standing(*row[1:-1], rank=row[-1] + 1)


async def stats(connection: AsyncConnection, guild_id: int, user_id: int) -> Standing:
    """See `Leaderboards.stats`."""
    row = next(iter(await _of_all_time(connection, guild_id, user_id, EVERY_PRESET)), None)
    if row is None:
        return Standing(guild_id, ALL_TIME, user_id)
    if not row.matches:
        return row
    values = _values(guild_id, Leaderboard(Metric.WINS)) | {"value": row.wins}
    above = await connection.scalar(_above(Metric.WINS), values) or 0
    return replace(row, rank=above + 1)


async def everywhere(connection: AsyncConnection, user_id: int) -> Standing | None:
    """Read a user's matches of all time on all servers as one standing; None if there are none."""
    return together(await _of_all_time(connection, None, user_id, EVERY_PRESET))


async def by_preset(connection: AsyncConnection, guild_id: int, user_id: int) -> tuple[Standing, ...]:
    """List a user's standings of all time by rule system and by rule set, without ranks; the most played first."""
    rows = await _of_all_time(connection, guild_id, user_id)
    return tuple(
        sorted((row for row in rows if row.preset and row.matches), key=lambda row: (-row.matches, row.preset))
    )


@cache
def _seasons() -> sa.Select[str]:
    """Select all periods whose names sort before another's: one index look-up for each, however many people it has."""

    def before(name: sa.ColumnElement[str]) -> sa.Select[str]:
        listed = (standings.c.guild_id == _GUILD, standings.c.matches > sa.literal_column("0"))
        latest = sa.select(standings.c.period).where(*listed, standings.c.period < name)
        return latest.order_by(standings.c.period.desc()).limit(1)

    first = sa.select(before(_PERIOD).scalar_subquery().label("name"))
    found = first.cte("found", recursive=True)
    found = found.union_all(sa.select(before(found.c.name).scalar_subquery()).where(found.c.name.is_not(None)))
    return sa.select(found.c.name).where(found.c.name.is_not(None)).limit(_MOST_SEASONS)


async def _of_all_time(
    connection: AsyncConnection, guild_id: int | None, user_id: int, preset: str | None = None
) -> list[Standing]:
    query = sa.select(*(standings.c[name] for name in COLUMNS)).where(
        of_server(standings.c.guild_id, guild_id), standings.c.period == ALL_TIME, standings.c.user_id == user_id
    )
    if preset is not None:
        query = query.where(standings.c.preset == preset)
    return [Standing(*row) for row in await connection.execute(query)]


def _values(guild_id: int, leaderboard: Leaderboard) -> dict[str, Any]:
    values: dict[str, Any] = {"guild": guild_id, "period": leaderboard.period, "preset": leaderboard.preset}
    if leaderboard.metric is Metric.RATING:
        return values | {"preset": EVERY_PRESET}
    return values | ({"least": leaderboard.min_matches} if leaderboard.metric is Metric.RATE else {})


def _listed(metric: Metric) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the conditions for being in a list."""
    yield standings.c.guild_id == _GUILD
    yield standings.c.period == _PERIOD
    yield standings.c.preset == _PRESET
    if metric is Metric.RATING:
        yield standings.c.rating.is_not(None)  # as its index has it
        return
    yield standings.c.matches > sa.literal_column("0")  # as the indexes have it
    if metric is Metric.RATE:
        yield standings.c.matches >= _LEAST


def _order(table: sa.FromClause, metric: Metric) -> list[sa.ColumnElement[Any]]:
    """Order from the best down. The user's id makes the order total: pages don't overlap. Each order has an index."""
    columns = ["rating"] if metric is Metric.RATING else dict.fromkeys((metric.value, "wins", "rate", "points"))
    return [*(table.c[name].desc() for name in columns), table.c.user_id.asc()]


def _count(metric: Metric) -> sa.Select[int]:
    return sa.select(sa.func.count()).select_from(standings).where(*_listed(metric))


@cache
def _total(metric: Metric) -> sa.Select[int]:
    return _count(metric)


@cache
def _above(metric: Metric) -> sa.Select[int]:
    """Count the people of a list who have more than a value."""
    return _count(metric).where(standings.c[metric.value] > sa.bindparam("value", type_=standings.c[metric.value].type))


@cache
def _page(metric: Metric) -> sa.Select[*tuple[Any, ...]]:
    # Select the ids alone first, which the index holds: rows that are skipped aren't read.
    ids = sa.select(*(standings.c[name] for name in KEY)).where(*_listed(metric))
    here = ids.order_by(*_order(standings, metric)).limit(_LIMIT).offset(_OFFSET).subquery("here")
    own = standings.alias("own")
    same = sa.and_(*(own.c[name] == here.c[name] for name in KEY))
    return _columns(own, metric).select_from(here.join(own, same)).order_by(*_order(own, metric))


@cache
def _own_row(metric: Metric) -> sa.Select[*tuple[Any, ...]]:
    own = sa.select(standings).where(*_listed(metric), standings.c.user_id == _USER).subquery("own")
    above = _count(metric).where(standings.c[metric.value] > own.c[metric.value])
    return _columns(own, metric).add_columns(above.scalar_subquery())


def _columns(rows: sa.FromClause, metric: Metric) -> sa.Select[*tuple[Any, ...]]:
    """Select the list's metric, then the columns of a Standing. The name is the latest, that of the all-time row."""
    named = standings.alias("named")
    name = (
        sa.select(named.c.name)
        .where(
            named.c.guild_id == rows.c.guild_id,
            named.c.period == ALL_TIME,
            named.c.user_id == rows.c.user_id,
            named.c.preset == EVERY_PRESET,
        )
        .scalar_subquery()
    )
    return sa.select(rows.c[metric.value], *(name if each == "name" else rows.c[each] for each in COLUMNS))


def _ranked(rows: Sequence[sa.Row[*tuple[Any, ...]]], rank: int, place: int) -> Iterator[Standing]:
    """Yield consecutive rows with their ranks (1, 2, 2, 4); `rank` and `place` are those of the first row."""
    for number, (value, *columns) in enumerate(rows):
        if number and value != rows[number - 1][0]:
            rank = place + number
        yield Standing(*columns, rank=rank)
