"""Meetings of any two people on a server, and their wins: updated in the transaction of each result.

Each of the two has a row about the other. Only matches that count are in it, and that both have played; people who
shared a side didn't meet. A win by which somebody gains nothing isn't one here.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME
from bot.club.store.results import MatchResult
from bot.club.store.standing import EVERY_PRESET
from bot.schema.club import rivals, standings
from bot.schema.tables import result_players

_UPDATE: Final = (
    sa.update(rivals)
    .where(*(rivals.c[name] == sa.bindparam(f"this_{name}") for name in ("guild_id", "user_id", "rival_id")))
    .values(
        matches=rivals.c.matches + sa.literal_column("1"),
        wins=rivals.c.wins + sa.bindparam("won"),
        losses=rivals.c.losses + sa.bindparam("lost"),
    )
)
MEETINGS: Final = 10
"""Latest meetings of two people that are reported."""
LOOKED_AT: Final = 200
_PAIR: Final = ("user_id", "rival_id")
_COUNTS: Final = ("matches", "wins", "losses")

_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_PEOPLE: Final = sa.bindparam("people", type_=sa.BigInteger, expanding=True)
_HERE: Final = rivals.c.guild_id == _GUILD
_OF_PEOPLE: Final = rivals.c.user_id.in_(_PEOPLE)
_STORED: Final = sa.select(*(rivals.c[name] for name in (*_PAIR, *_COUNTS))).where(_HERE)
_PAIRS: Final = sa.select(rivals.c.user_id, rivals.c.rival_id).where(_HERE, _OF_PEOPLE, rivals.c.rival_id.in_(_PEOPLE))
_MET: Final = sa.select(rivals.c.rival_id).where(_HERE, _OF_PEOPLE)
_DELETE_OWN: Final = sa.delete(rivals).where(_HERE, _OF_PEOPLE)
_DELETE_OTHERS: Final = sa.delete(rivals).where(
    _HERE,
    rivals.c.user_id.in_(sa.bindparam("others", type_=sa.BigInteger, expanding=True)),
    rivals.c.rival_id.in_(_PEOPLE),
)
_OWN, _OTHER = result_players.alias("own"), result_players.alias("other")


def _wins(players: sa.FromClause) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((_won(players), 1), else_=0))


def _won(players: sa.FromClause) -> sa.ColumnElement[bool]:
    return players.c.won & players.c.gains.is_not(False)


_COUNTED: Final = (
    sa.select(
        *(_OWN.c.guild_id, _OWN.c.user_id, _OTHER.c.user_id),
        *(sa.cast(each, sa.Integer) for each in (sa.func.count(), _wins(_OWN), _wins(_OTHER))),
    )
    .select_from(_OWN.join(_OTHER, (_OTHER.c.result_id == _OWN.c.result_id) & (_OTHER.c.side != _OWN.c.side)))
    .where(_OWN.c.guild_id == _GUILD, _OWN.c.ranked, _OWN.c.user_id.is_not(None), _OTHER.c.user_id.is_not(None))
    .where(_OWN.c.played.is_not(False), _OTHER.c.played.is_not(False))
    .group_by(_OWN.c.guild_id, _OWN.c.user_id, _OTHER.c.user_id)
)
"""The rows of a server, counted from its results."""
_RECOUNT: Final = tuple(
    sa.insert(rivals).from_select(["guild_id", *_PAIR, *_COUNTS], _COUNTED.where(*some))
    for some in (
        (_OWN.c.user_id.in_(_PEOPLE),),
        (_OTHER.c.user_id.in_(_PEOPLE), _OWN.c.user_id.not_in(_PEOPLE)),
    )
)
"""Statements that count all matches of some people against anybody, seen from either side."""


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The sums of a user's matches against another: `losses` are the rival's wins. A third person may have won some."""

    user_id: int
    rival_id: int
    name: str
    matches: int
    wins: int
    losses: int


async def add(connection: AsyncConnection, result: MatchResult) -> None:
    """Count a result that has just been written; the server's rows are locked."""
    met = [
        (own, other)
        for own, other in permutations(
            (each for each in result.players if each.user_id is not None and each.played is not False), 2
        )
        if own.side != other.side
    ]
    if not met or not result.ranked:
        return
    people = {own.user_id for own, _ in met}
    pairs = await connection.execute(_PAIRS, {"guild": result.guild_id, "people": list(people)})
    known = {(row[0], row[1]) for row in pairs}
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for own, other in met:
        pair = {"user_id": own.user_id, "rival_id": other.user_id}
        if (own.user_id, other.user_id) in known:
            this = {f"this_{name}": value for name, value in (pair | {"guild_id": result.guild_id}).items()}
            changed.append(this | {"won": int(own.has_won), "lost": int(other.has_won)})
        else:
            counts = {"matches": 1, "wins": int(own.has_won), "losses": int(other.has_won)}
            added.append({"guild_id": result.guild_id} | pair | counts)
    for statement, rows in ((_UPDATE, changed), (sa.insert(rivals), added)):
        if rows:
            await connection.execute(statement, rows)


async def recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    """Count all matches of some people against anybody again; the server's rows are locked."""
    which = {"guild": guild_id, "people": list(people)}
    met = set(await connection.scalars(_MET, which))
    await connection.execute(_DELETE_OWN, which)
    await connection.execute(_DELETE_OTHERS, which | {"others": list(met)})
    for insert in _RECOUNT:
        await connection.execute(insert, which)


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    await connection.execute(sa.delete(rivals).where(rivals.c.guild_id == guild_id))


async def differences(connection: AsyncConnection, guild_id: int) -> list[str]:
    """Report how the rows of a server differ from the sums of its results, one line per difference."""
    which = {"guild": guild_id}
    stored = {tuple(row[:2]): tuple(row[2:]) for row in await connection.execute(_STORED, which)}
    counted = await connection.execute(_COUNTED, which)
    right = {tuple(row[1:3]): tuple(row[3:]) for row in counted}
    pairs = sorted(stored.keys() | right.keys())
    return [
        "rivals: user {} against user {} is wrong".format(*pair)
        for pair in pairs
        if stored.get(pair) != right.get(pair)
    ]


async def head_to_head(connection: AsyncConnection, guild_id: int, user_id: int, rival_id: int) -> Rivalry | None:
    """Read the sums of a user's matches against another; None if they have never met."""
    query = _named().where(rivals.c.guild_id == guild_id, rivals.c.user_id == user_id, rivals.c.rival_id == rival_id)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Rivalry(*row)


async def meetings(connection: AsyncConnection, guild_id: int, user_id: int, rival_id: int) -> tuple[int | None, ...]:
    """List the winners of the latest matches of two people against each other, the earliest first: 0 for the user, 1
    for the rival, None for a third. Only the user's latest results are searched for them, so that their cost has a
    bound."""
    own, other = result_players.alias("own"), result_players.alias("other")
    latest = (
        sa.select(*(own.c[name] for name in ("result_id", "side", "won", "gains", "played", "ranked", "ended_at")))
        .where(own.c.guild_id == guild_id, own.c.user_id == user_id)
        .order_by(own.c.ended_at.desc(), own.c.result_id.desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    met = (other.c.result_id == latest.c.result_id) & (other.c.side != latest.c.side)
    rows = await connection.execute(
        sa.select(_won(latest), _won(other))
        .select_from(latest.join(other, met))
        .where(latest.c.ranked, other.c.user_id == rival_id)
        .where(latest.c.played.is_not(False), other.c.played.is_not(False))
        .order_by(latest.c.ended_at.desc(), latest.c.result_id.desc())
        .limit(MEETINGS)
    )
    return tuple(0 if won else 1 if lost else None for won, lost in reversed(rows.all()))


async def most_met(connection: AsyncConnection, guild_id: int, user_id: int, limit: int) -> tuple[Rivalry, ...]:
    """List the people a user has played against most often."""
    rows = await connection.execute(
        _named()
        .where(rivals.c.guild_id == guild_id, rivals.c.user_id == user_id)
        .order_by(rivals.c.matches.desc(), rivals.c.rival_id)
        .limit(limit)
    )
    return tuple(Rivalry(*row) for row in rows)


async def of_user(
    connection: AsyncConnection, user_id: int, servers: Collection[int]
) -> tuple[tuple[int, int, int, int], ...]:
    """Return the server and the counts of each of a user's rows, without the rivals."""
    columns = (rivals.c.guild_id, rivals.c.matches, rivals.c.wins, rivals.c.losses)
    query = sa.select(*columns).where(rivals.c.guild_id.in_(servers), rivals.c.user_id == user_id)
    rows = await connection.execute(query.order_by(rivals.c.guild_id, rivals.c.matches.desc(), rivals.c.rival_id))
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def _named() -> sa.Select[*tuple[Any, ...]]:
    """Select the columns of a Rivalry. The name is the latest known one."""
    named = standings.alias("named")
    name = (
        sa.select(named.c.name)
        .where(
            named.c.guild_id == rivals.c.guild_id,
            named.c.period == ALL_TIME,
            named.c.user_id == rivals.c.rival_id,
            named.c.preset == EVERY_PRESET,
        )
        .scalar_subquery()
    )
    return sa.select(*(rivals.c[each] for each in _PAIR), name, *(rivals.c[each] for each in _COUNTS))
