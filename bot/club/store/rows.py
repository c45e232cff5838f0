"""The writing of results, and of standings: a person's rows on a server, by period and rule system, change with each.

With each result, ratings are also worked out and the rows about rivals and gains written, under the same lock.
"""

from collections.abc import Collection, Mapping
from itertools import product
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import key_of, periods_of
from bot.club.store import achievements, chain, gains, marks, ratings, rivals
from bot.club.store.results import PLAYER_COLUMNS, MatchResult
from bot.club.store.standing import COLUMNS, EVERY_PRESET, KEY, Key, Standing, rate_of
from bot.club.store.sums import added_up
from bot.platform.database.database import Store, reading
from bot.platform.database.postgres_server import lift_timeouts, lock_server
from bot.schema.club import standings
from bot.schema.tables import result_players, results

_HERE: Final = standings.c.guild_id == sa.bindparam("guild", type_=sa.BigInteger)
_STORED: Final = sa.select(*(standings.c[name] for name in COLUMNS)).where(
    _HERE, standings.c.user_id.in_(sa.bindparam("people", type_=sa.BigInteger, expanding=True))
)
_STORED_OF: Final = _STORED.where(
    standings.c.period.in_(sa.bindparam("periods", expanding=True)),
    standings.c.preset.in_(sa.bindparam("presets", expanding=True)),
)
_ALL: Final = sa.select(standings).where(_HERE)
_RESULT_COLUMNS: Final = [name for name in MatchResult.__dataclass_fields__ if name not in ("players", "luck")]
"""The columns of a new result; its luck is stored later."""
_THIS: Final = sa.and_(*(standings.c[name] == sa.bindparam(f"this_{name}") for name in KEY))
_INSERT: Final = sa.insert(standings)
_UPDATE: Final = (
    sa.update(standings)
    .where(_THIS)
    .values({each.name: sa.bindparam(each.name) for each in standings.c if each.name not in KEY})
)
_DELETE: Final = sa.delete(standings).where(_THIS)


class Standings(Store):
    """The standings of servers as they are stored."""

    @reading
    async def differences(self, connection: AsyncConnection, guild_id: int) -> list[str]:
        """Report how a server's standings differ from its results, one line per difference. Reads all results."""
        await lift_timeouts(connection)
        rows = (await connection.execute(_ALL, {"guild": guild_id})).mappings()
        stored = {(row["period"], row["user_id"], row["preset"]): row for row in rows}
        expected = {key: _values(row) for key, row in (await added_up(connection, guild_id)).items()}
        lines: list[str] = []
        for key in sorted(stored.keys() | expected.keys()):
            row, right = stored.get(key), expected.get(key)
            period, user_id, preset = key
            who = f"standings of {period}{preset and f' by {preset}'}: user {user_id}"
            if row is None:
                lines.append(f"{who} is missing")
            elif right is None:
                lines.append(f"{who} has no match in the results")
            else:
                lines += [f"{who} has the wrong {name}" for name in right if not _equal(row[name], right[name])]
        lines += await rivals.differences(connection, guild_id)
        lines += await achievements.differences(connection, guild_id)
        return lines + await chain.differences(connection, guild_id)

    @reading
    async def servers(self, connection: AsyncConnection) -> list[int]:
        """List the servers that have standings, or should have."""
        await lift_timeouts(connection)
        played = sa.select(results.c.guild_id).where(results.c.guild_id.is_not(None))
        found = played.union(sa.select(standings.c.guild_id))
        return sorted(await connection.scalars(found))


async def add(connection: AsyncConnection, game_id: int, version: int, result: MatchResult) -> None:
    """Write the result of a match that its game's log ends with at a version, and count it."""
    if result.guild_id is not None:
        # Ratings follow the order of the ids, so the id is given while nobody else can end a match on that server.
        await lock_server(connection, result.server)
        result = await ratings.with_ratings(connection, result)
    match = {"guild_id": result.guild_id, "ended_at": result.ended_at, "ranked": result.ranked}
    values = {name: getattr(result, name) for name in _RESULT_COLUMNS}
    row = sa.insert(results).values(**values, game_id=game_id, version=version)
    result_id = (await connection.execute(row.returning(results.c.id))).scalar_one()
    seats = [
        {**match, "result_id": result_id, **{name: getattr(player, name) for name in PLAYER_COLUMNS}}
        for player in result.players
    ]
    if seats:
        await connection.execute(sa.insert(result_players), seats)
    if seats and result.guild_id is not None:
        await _count(connection, result_id, result)


async def _count(connection: AsyncConnection, result_id: int, result: MatchResult) -> None:
    people = {player.user_id: player for player in result.players if player.user_id is not None}
    if not people:
        return
    own = [] if result.rule_set is None else [key_of(result.rule_set)]
    periods, presets = periods_of(result.ended_at), (EVERY_PRESET, result.preset, *own)
    old = await _stored(connection, result.server, people, periods, presets)
    # The clock may have gone back, or a process whose clock is ahead was faster.
    late = {user_id for (_, user_id, _), row in old.items() if _is_later(row, result, result_id)}
    new: dict[Key, Standing] = {}
    for period, user_id, preset in product(periods, people.keys() - late, presets):
        row = old.get((period, user_id, preset), Standing(result.server, period, user_id, preset=preset))
        new[period, user_id, preset] = row.after(people[user_id], result, result_id)
    await _put(connection, {key: row for key, row in old.items() if key in new}, new)
    await rivals.add(connection, result)
    await gains.add(connection, result)
    if late:
        await _recount(connection, result.server, late)
    await achievements.add(connection, result_id, result)


async def recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    """Count some people's results on a server again. People without any left lose their rows."""
    if people:
        await lock_server(connection, guild_id)
        await _recount(connection, guild_id, people)
        await gains.recount(connection, guild_id, people)
        await rivals.recount(connection, guild_id, people)


async def servers_of(connection: AsyncConnection, user_id: int) -> list[int]:
    """List the servers where a person has rows, in the order in which they must be locked."""
    found = sa.select(standings.c.guild_id).where(standings.c.user_id == user_id)
    return list(await connection.scalars(found.distinct().order_by(standings.c.guild_id)))


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    await lock_server(connection, guild_id)
    await connection.execute(sa.delete(standings).where(standings.c.guild_id == guild_id))
    await rivals.drop(connection, guild_id)
    await gains.drop(connection, guild_id)
    await marks.drop(connection, guild_id)


async def _recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    new = await added_up(connection, guild_id, people)
    await _put(connection, await _stored(connection, guild_id, people), new)


def _is_later(row: Standing, result: MatchResult, result_id: int) -> bool:
    return row.last_at is not None and (row.last_at, row.last_result_id) > (result.ended_at, result_id)


async def _stored(
    connection: AsyncConnection,
    guild_id: int,
    people: Collection[int],
    periods: Collection[str] = (),
    presets: Collection[str] = (),
) -> dict[Key, Standing]:
    """Read the rows of some people on a server, of some periods and presets or all."""
    which = {"guild": guild_id, "people": list(people), "periods": list(periods), "presets": list(presets)}
    found = [Standing(*row) for row in await connection.execute(_STORED_OF if periods else _STORED, which)]
    return {(row.period, row.user_id, row.preset): row for row in found}


async def _put(connection: AsyncConnection, old: Mapping[Key, Standing], new: Mapping[Key, Standing]) -> None:
    """Write the rows that differ, always in the same order."""
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    removed = [{f"this_{name}": getattr(old[key], name) for name in KEY} for key in sorted(old.keys() - new.keys())]
    for key, row in sorted(new.items()):
        if key not in old:
            added.append(_values(row))
        elif row != old[key]:
            changed.append(_values(row) | {f"this_{name}": getattr(row, name) for name in KEY})
    for statement, rows in ((_DELETE, removed), (_UPDATE, changed), (_INSERT, added)):
        if rows:
            await connection.execute(statement, rows)


def _equal(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= chain.TOLERANCE
    return one == other


def _values(row: Standing) -> dict[str, Any]:
    derived = {"rate": rate_of(row.wins, row.matches), "rating": row.rating}
    return {name: getattr(row, name) for name in COLUMNS} | derived
