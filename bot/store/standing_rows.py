"""Keeps the rows of standings: one for each server, period and person, changed in the transaction of a result."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import standing_counts, values
from bot.store.hurry import take_time
from bot.store.rows import MatchResult, Metric
from bot.store.schema import results, standings
from bot.store.standing_sums import added_up
from bot.store.standing_values import ALL_TIME, Key, Standing, month_of, rate_of

RATES_FROM: Final = "rates_from"
"""The small value that says from how many matches on somebody is in the list by rate; without it, from the first."""
_EVERY_SERVER: Final = 1
"""What PostgreSQL is asked to lock in place of a server when the rows of all may change: no server has this id."""

_FIELDS: Final = tuple(field.name for field in fields(Standing))
_KEY: Final = ("guild_id", "period", "user_id")
_KEPT: Final = sa.select(*(standings.c[name] for name in _FIELDS))
_THIS: Final = sa.and_(*(standings.c[name] == sa.bindparam(f"this_{name}") for name in _KEY))
_INSERT: Final = sa.insert(standings)
_UPDATE: Final = (
    sa.update(standings)
    .where(_THIS)
    .values({each.name: sa.bindparam(each.name) for each in standings.c if each.name not in _KEY})
)
_DELETE: Final = sa.delete(standings).where(_THIS)
_HOLD: Final = sa.select(
    sa.func.pg_advisory_xact_lock_shared(sa.bindparam("every", type_=sa.BigInteger)),
    sa.func.pg_advisory_xact_lock(sa.bindparam("guild", type_=sa.BigInteger)),
)


async def add(connection: AsyncConnection, result_id: int, result: MatchResult) -> None:
    """Count a result that has just been written."""
    people = {player.user_id: player for player in result.players if player.user_id is not None}
    if not people:
        return
    await _hold(connection, result.guild_id)
    periods = (ALL_TIME, month_of(result.ended_at))
    old = await _kept(connection, result.guild_id, people, periods)
    moment = (result.ended_at, result_id)
    # The clock may have gone back, or a process whose clock is ahead was faster.
    late = {user_id for (_, user_id), row in old.items() if (row.last_at, row.last_result_id) > moment}
    new = {
        (period, user_id): old.get((period, user_id), Standing.empty(result.guild_id, period, user_id)).then(
            player, result, result_id
        )
        for user_id, player in people.items()
        if user_id not in late
        for period in periods
    }
    await _put(connection, {key: row for key, row in old.items() if key in new}, new)
    if late:
        await recount(connection, result.guild_id, late)


async def recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    """Count some people's results on a server again. Who has none there any more has no row afterwards, either."""
    if people:
        await _hold(connection, guild_id)
        new = await added_up(connection, guild_id, people)
        await _put(connection, await _kept(connection, guild_id, people), new)


async def servers_of(connection: AsyncConnection, user_id: int) -> list[int]:
    """The servers where a person has rows, in the order in which they are to be changed."""
    found = sa.select(standings.c.guild_id).where(standings.c.user_id == user_id)
    return list(await connection.scalars(found.distinct().order_by(standings.c.guild_id)))


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    """Drop all of a server."""
    await _hold(connection, guild_id)
    await connection.execute(sa.delete(standings).where(standings.c.guild_id == guild_id))
    await standing_counts.drop(connection, guild_id)


async def rates_from(connection: AsyncConnection) -> int:
    """From how many matches on somebody is in the list by rate."""
    return int(await values.get(connection, RATES_FROM) or 1)


async def set_rates_from(connection: AsyncConnection, matches: int) -> None:
    """Change from how many matches on somebody is in the list by rate; nothing happens if it is so already."""
    if await rates_from(connection) == matches:
        return
    await take_time(connection, locks=True)
    if connection.dialect.name == "postgresql":
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_EVERY_SERVER)))
    await values.put(connection, RATES_FROM, str(matches))
    enough = standings.c.matches >= matches
    await connection.execute(sa.update(standings).where(standings.c.rated != enough).values(rated=enough))
    await standing_counts.count_anew(connection, Metric.RATE)


async def wrong(connection: AsyncConnection, guild_id: int) -> AsyncIterator[str]:
    """How the rows of a server differ from what its results add up to, and the counts from the rows: a line each."""
    await take_time(connection)
    enough = await rates_from(connection)
    found = (await connection.execute(sa.select(standings).where(standings.c.guild_id == guild_id))).mappings()
    rows = {(row["period"], row["user_id"]): row for row in found}
    expected = {key: _row(row, enough) for key, row in (await added_up(connection, guild_id)).items()}
    for key in sorted(rows.keys() | expected.keys()):
        row, right = rows.get(key), expected.get(key)
        who = "standings of {}: user {}".format(*key)
        if row is None:
            yield f"{who} is missing"
        elif right is None:
            yield f"{who} has no match in the results"
        else:
            for name in right:
                if row[name] != right[name]:
                    yield f"{who} has the wrong {name}"
    for period, metric in await standing_counts.wrong(connection, guild_id):
        yield f"standings of {period}: the places by {metric} are counted wrongly"


async def servers(connection: AsyncConnection) -> list[int]:
    """The servers that have results, or rows."""
    await take_time(connection)
    found = sa.select(results.c.guild_id).union(sa.select(standings.c.guild_id))
    return sorted(await connection.scalars(found))


def _by_key(rows: Iterable[Sequence[Any]]) -> dict[Key, Standing]:
    found = (Standing(*row) for row in rows)
    return {(row.period, row.user_id): row for row in found}


async def _kept(
    connection: AsyncConnection, guild_id: int, people: Collection[int], periods: Collection[str] = ()
) -> dict[Key, Standing]:
    """The rows of some people on a server, as they stand, of some periods or all."""
    query = _KEPT.where(standings.c.guild_id == guild_id, standings.c.user_id.in_(people))
    if periods:
        query = query.where(standings.c.period.in_(periods))
    return _by_key(await connection.execute(query))


async def _hold(connection: AsyncConnection, guild_id: int) -> None:
    """Let no other transaction change the rows of a server until this one is over; SQLite has one writer anyhow.

    In PostgreSQL two matches of one server can end at the same moment, with the same person in both. That is rare
    enough for one to wait for the other, which then reads what the first has written. Whoever takes several servers
    takes them in the order of their ids and nothing after them, so that nobody waits in a circle.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(_HOLD, {"every": _EVERY_SERVER, "guild": guild_id})


async def _put(connection: AsyncConnection, old: Mapping[Key, Standing], new: Mapping[Key, Standing]) -> None:
    """Write the rows that differ, and count in which lists and at which places people are now."""
    enough = await rates_from(connection)
    changes = standing_counts.Changes()
    added: list[dict[str, object]] = []
    changed: list[dict[str, object]] = []
    removed: list[dict[str, object]] = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if before is not None:
            changes.take(before.guild_id, before.period, before.places(enough), -1)
        if after is None:
            assert before is not None
            removed.append(_this(before))
            continue
        changes.take(after.guild_id, after.period, after.places(enough), 1)
        if before is None:
            added.append(_row(after, enough))
        else:
            changed.append(_row(after, enough) | _this(after))
    for statement, rows in ((_DELETE, removed), (_UPDATE, changed), (_INSERT, added)):
        if rows:
            await connection.execute(statement, rows)
    await changes.write(connection)


def _this(row: Standing) -> dict[str, object]:
    return {"this_guild_id": row.guild_id, "this_period": row.period, "this_user_id": row.user_id}


def _row(row: Standing, enough: int) -> dict[str, object]:
    columns: dict[str, object] = {name: getattr(row, name) for name in _FIELDS}
    return columns | {"rate": rate_of(row.wins, row.matches), "rated": row.matches >= enough}
