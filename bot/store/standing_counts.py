"""Counts a list's people by what they have reached, in wider and wider buckets, so that a place is found by few rows.

To count who is above somebody row by row takes the longer the more people there are. So each value is counted in its
narrowest bucket and in the wider ones around it. Who is above is then in the higher buckets beside one's own, of each
width: of 256 that a wider one holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rows import Metric
from bot.store.schema import standing_counts as counts
from bot.store.schema import standings

SHIFTS: Final[Mapping[Metric, tuple[int, ...]]] = {
    Metric.WINS: (0, 8, 16),
    Metric.RATE: (24, 32),
    Metric.POINTS: (0, 8, 16),
    Metric.ESCOBAS: (0, 8, 16),
}
"""The buckets of each list, from the narrowest, as wide as 2 to the power of these.

A rate is a number of 40 bits, of which each match changes most. Those below the narrowest bucket are told apart row by
row: hardly two different rates share so narrow a one.
"""

Id = int | sa.BindParameter[int]
Period = str | sa.BindParameter[str]
"""Values, or what stands for them in a statement that is made once."""

_KEY: Final = ("guild_id", "period", "metric", "shift", "bucket")
_NEW: Final = (*_KEY, "people")
_ADDED: Final = (
    "INSERT INTO standing_counts (guild_id, period, metric, shift, bucket, people) {}"
    " ON CONFLICT (guild_id, period, metric, shift, bucket)"
    " DO UPDATE SET people = standing_counts.people + excluded.people"
)
_ADD: Final = sa.text(_ADDED.format("VALUES (:guild_id, :period, :metric, :shift, :bucket, :people)"))
_ADD_ALL: Final = sa.text(
    _ADDED.format("SELECT * FROM unnest(:guild_id, :period, :metric, :shift, :bucket, :people)")
).bindparams(*(sa.bindparam(name, type_=ARRAY(counts.c[name].type)) for name in _NEW))
"""For PostgreSQL, where each statement waits for an answer: a list for each column."""


class Changes:
    """What is to be added to the counts."""

    def __init__(self) -> None:
        self._people: Counter[tuple[int, str, Metric, int, int]] = Counter()

    def take(self, guild_id: int, period: str, places: Mapping[Metric, int], people: int) -> None:
        """Count so many more people, or fewer, with these values."""
        for metric, value in places.items():
            for shift in SHIFTS[metric]:
                self._people[guild_id, period, metric, shift, value >> shift] += people

    async def write(self, connection: AsyncConnection) -> None:
        """Add them, always in the same order."""
        rows = [(*key[:2], key[2].value, *key[3:], people) for key, people in sorted(self._people.items()) if people]
        if not rows:
            return
        if connection.dialect.name == "postgresql":
            await connection.execute(_ADD_ALL, dict(zip(_NEW, map(list, zip(*rows, strict=True)), strict=True)))
        else:
            await connection.execute(_ADD, [dict(zip(_NEW, row, strict=True)) for row in rows])


def above(guild_id: Id, period: Period, metric: Metric, value: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    """How many people of a list have more than a value."""
    shifts = SHIFTS[metric]
    total: sa.ColumnElement[int] = sa.literal_column("0")
    for shift, wider in zip(shifts, (*shifts[1:], None), strict=True):
        higher = _people(guild_id, period, metric, shift).where(counts.c.bucket > _bucket(value, shift))
        if wider is not None:  # the rest is counted in the wider ones
            higher = higher.where(counts.c.bucket < _after(value, wider, wider - shift))
        total += higher.scalar_subquery()
    if shifts[0]:
        here = (standings.c.guild_id == guild_id, standings.c.period == period, listed(metric))
        own = standings.c[metric.value]
        beside = sa.select(sa.func.count()).where(*here, own > value, own < _after(value, shifts[0], shifts[0]))
        total += beside.scalar_subquery()
    return total


def total(guild_id: Id, period: Period, metric: Metric) -> sa.Select[int]:
    """How many people are in a list."""
    return _people(guild_id, period, metric, SHIFTS[metric][-1])


def listed(metric: Metric) -> sa.ColumnElement[bool]:
    """Which rows are in a list, as the index of its order says it."""
    return standings.c.rated if metric is Metric.RATE else standings.c.matches > sa.literal_column("0")


async def count_anew(connection: AsyncConnection, metric: Metric) -> None:
    """Count all people of all lists by a metric."""
    await connection.execute(sa.delete(counts).where(counts.c.metric == metric.value))
    for shift in SHIFTS[metric]:
        await connection.execute(sa.insert(counts).from_select([*_KEY, "people"], counted(metric, shift)))


def counted(metric: Metric, shift: int, *where: sa.ColumnElement[bool]) -> sa.Select[*tuple[Any, ...]]:
    """The rows of one width as the rows of the people make them."""
    key = (
        standings.c.guild_id,
        standings.c.period,
        sa.literal(metric.value, sa.Text).label("metric"),
        sa.literal(shift, sa.Integer).label("shift"),
        _bucket(standings.c[metric.value], shift).label("bucket"),
    )
    inner = sa.select(*key).where(listed(metric), *where).subquery()
    return sa.select(*inner.c, sa.func.count().label("people")).group_by(*inner.c)


async def wrong(connection: AsyncConnection, guild_id: int) -> list[tuple[str, str]]:
    """The periods and metrics of a server of which the rows of the people make other counts."""
    own = sa.select(*counts.c).where(counts.c.guild_id == guild_id, counts.c.people != 0)
    found = {tuple(row) for row in await connection.execute(own)}
    expected: set[tuple[Any, ...]] = set()
    for metric, shifts in SHIFTS.items():
        for shift in shifts:
            of_rows = counted(metric, shift, standings.c.guild_id == guild_id)
            expected |= {tuple(row) for row in await connection.execute(of_rows)}
    return sorted({(row[1], row[2]) for row in found ^ expected})


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    """Drop the counts of a server."""
    await connection.execute(sa.delete(counts).where(counts.c.guild_id == guild_id))


def _people(guild_id: Id, period: Period, metric: Metric, shift: int) -> sa.Select[int]:
    return sa.select(sa.func.coalesce(sa.func.sum(counts.c.people), 0)).where(
        counts.c.guild_id == guild_id,
        counts.c.period == period,
        counts.c.metric == metric.value,
        counts.c.shift == shift,
    )


def _bucket(value: sa.ColumnElement[int], shift: int) -> sa.ColumnElement[int]:
    """The bucket that a value is in."""
    return value.bitwise_rshift(_bits(shift))


def _after(value: sa.ColumnElement[int], wide: int, by: int) -> sa.ColumnElement[int]:
    """Where the wide bucket that a value is in ends: counted in what is narrower than it by so many bits."""
    return (_bucket(value, wide) + 1).bitwise_lshift(_bits(by))


def _bits(number: int) -> sa.ColumnElement[int]:
    """A number as a text of the statement: PostgreSQL shifts by what is an integer beyond doubt."""
    return sa.literal_column(str(number), sa.Integer)
