"""The gains of people's ratings from each other: summed up by day, in the transaction of each rated result.

Only the latest days are kept, as older ones limit nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import DAYS, ENOUGH, STRANGERS, Gains, gained
from bot.club.rules.rating import Rated, Rating
from bot.club.store import marks
from bot.club.store.marks import day_of
from bot.club.store.results import PLAYER_COLUMNS, MatchResult, PlayerResult
from bot.platform.database.base import write_pair
from bot.schema.club import rating_gains, rivals
from bot.schema.tables import result_players

KEPT: Final = DAYS + 10
"""Days for which gains are kept, in case the clock goes back."""
KEPT_SINCE: Final = "gains_kept_since"
"""The key of the latest day up to which gains were dropped on all servers."""
Key = tuple[int, int, str]
"""A person, the source of their gain, and the day."""

_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_PEOPLE: Final = sa.bindparam("people", type_=sa.BigInteger, expanding=True)
_SOURCES: Final = sa.bindparam("sources", type_=sa.BigInteger, expanding=True)
_KEY: Final = ("user_id", "source_id", "day")
_HERE: Final = rating_gains.c.guild_id == _GUILD
_OWN: Final = (_HERE, rating_gains.c.user_id.in_(_PEOPLE))
_STORED: Final = sa.select(*(rating_gains.c[name] for name in (*_KEY, "amount"))).where(_HERE)
_OF_DAY: Final = _STORED.where(rating_gains.c.user_id.in_(_PEOPLE), rating_gains.c.day == sa.bindparam("day"))
_NET: Final = (
    sa.select(rating_gains.c.user_id, rating_gains.c.source_id, sa.func.sum(rating_gains.c.amount))
    .where(*_OWN, rating_gains.c.source_id.in_(_SOURCES), rating_gains.c.day > sa.bindparam("before"))
    .group_by(rating_gains.c.user_id, rating_gains.c.source_id)
)
_ONE, _OTHER = result_players.alias("one"), result_players.alias("other")
_KNOWN_BEFORE: Final = (
    sa.select(_ONE.c.user_id)
    .join(_OTHER, (_OTHER.c.result_id == _ONE.c.result_id) & (_OTHER.c.side != _ONE.c.side))
    .where(_ONE.c.guild_id == _GUILD, _ONE.c.user_id.in_(_PEOPLE), _ONE.c.ranked, _OTHER.c.user_id.is_not(None))
    .where(_ONE.c.played.is_not(False), _OTHER.c.played.is_not(False))
    .where(_ONE.c.result_id < sa.bindparam("result", type_=sa.BigInteger))
    .group_by(_ONE.c.user_id)
    .having(sa.func.count(_OTHER.c.user_id.distinct()) >= ENOUGH)
)
_UPDATE: Final = (
    sa.update(rating_gains)
    .where(*(rating_gains.c[name] == sa.bindparam(f"this_{name}") for name in ("guild_id", *_KEY)))
    .values(amount=sa.bindparam("amount"))
)
_DELETE_OLD: Final = sa.delete(rating_gains).where(*_OWN, rating_gains.c.day <= sa.bindparam("before"))
_DELETE_OWN: Final = sa.delete(rating_gains).where(*_OWN)
_DELETE_FROM: Final = sa.delete(rating_gains).where(*_OWN, rating_gains.c.source_id.in_(_SOURCES))
_MET: Final = sa.select(rivals.c.rival_id).where(rivals.c.guild_id == _GUILD, rivals.c.user_id.in_(_PEOPLE))
_THEIRS: Final = (result_players.c.guild_id == _GUILD, result_players.c.user_id.in_(_PEOPLE))
_RATED: Final = result_players.c.new_mu.is_not(None)
_LATEST: Final = sa.select(sa.func.max(result_players.c.ended_at)).where(*_THEIRS, _RATED)
_OF_RESULT: Final = ("result_id", "ended_at")
_RESULTS: Final = (
    sa.select(*(result_players.c[name] for name in (*_OF_RESULT, *PLAYER_COLUMNS)))
    .where(
        result_players.c.result_id.in_(
            sa.select(result_players.c.result_id).where(
                *_THEIRS, _RATED, result_players.c.ended_at >= sa.bindparam("since")
            )
        )
    )
    .order_by(result_players.c.result_id, result_players.c.seat)
)


def as_rated(players: Sequence[PlayerResult], before: Sequence[Rating]) -> list[Rated]:
    """Return the players of a result as they are rated, by seat."""
    return [
        Rated(
            player.side,
            player.place or 0,
            rating,
            left=not player.stayed,
            played=player.played is not False,
            gains=player.gains is not False,
        )
        for player, rating in zip(players, before, strict=True)
    ]


def amounts(players: Sequence[PlayerResult]) -> dict[tuple[int, int], int]:
    """Work out what each person has gained from each source in a rated match, from what its result has stored."""
    before = [Rating() if each.mu is None or each.sigma is None else Rating(each.mu, each.sigma) for each in players]
    after = [
        None if player.new_mu is None or player.new_sigma is None else Rating(player.new_mu, player.new_sigma)
        for player in players
    ]
    people, known = [player.user_id for player in players], [player.known for player in players]
    found = gained(people, known, as_rated(players, before), after)
    return {(gain.user_id, gain.source_id): gain.amount for gain in found}


async def known_before(
    connection: AsyncConnection, guild_id: int, people: Collection[int], result_id: int
) -> frozenset[int]:
    """Find those of some people who had met enough others before a result. The rows about rivals hold later ones."""
    which = {"guild": guild_id, "people": list(people), "result": result_id}
    return frozenset(await connection.scalars(_KNOWN_BEFORE, which))


async def read(
    connection: AsyncConnection,
    guild_id: int,
    people: Collection[int],
    at: datetime,
    known: Collection[int],
) -> Gains:
    """Read what some people have gained from each other before a match at this moment, and from strangers: those who
    aren't among those `known`."""
    since = day_of(at, DAYS)
    window = {"guild": guild_id, "people": list(people), "sources": [*people, STRANGERS], "before": since}
    net = Counter({(row[0], row[1]): int(row[2]) for row in await connection.execute(_NET, window)})
    net.update(await marks.net(connection, guild_id, people, since))
    return Gains(frozenset(known), net)


async def add(connection: AsyncConnection, result: MatchResult) -> None:
    """Count a result that has just been written; the server's rows are locked."""
    if result.weight is None:
        return
    day = day_of(result.ended_at)
    people = [player.user_id for player in result.players if player.user_id is not None]
    which = {"guild": result.guild_id, "people": people}
    of_day = await connection.execute(_OF_DAY, which | {"day": day})
    before = {(row.user_id, row.source_id): row.amount for row in of_day}
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for (user_id, source_id), amount in sorted(amounts(result.players).items()):
        key = {"guild_id": result.guild_id, "user_id": user_id, "source_id": source_id, "day": day}
        if (user_id, source_id) in before:
            this = {f"this_{name}": value for name, value in key.items()}
            changed.append(this | {"amount": before[user_id, source_id] + amount})
        else:
            added.append(key | {"amount": amount})
    for statement, rows in ((_UPDATE, changed), (sa.insert(rating_gains), added)):
        if rows:
            await connection.execute(statement, rows)
    await connection.execute(_DELETE_OLD, which | {"before": day_of(result.ended_at, KEPT)})


async def drop_old(connection: AsyncConnection, at: datetime) -> int:
    """Drop all gains that limit nothing any more at a moment; returns how many."""
    day = day_of(at, KEPT)
    dropped = (await connection.execute(sa.delete(rating_gains).where(rating_gains.c.day <= day))).rowcount
    if dropped:
        await write_pair(connection, KEPT_SINCE, day)
    return dropped


async def recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    """Count what some people have gained, and others from them, again; the server's rows are locked, and those about
    rivals not counted again yet."""
    which = {"guild": guild_id, "people": list(people)}
    met = sorted(set(await connection.scalars(_MET, which)))
    await connection.execute(_DELETE_OWN, which)
    await connection.execute(_DELETE_FROM, {"guild": guild_id, "people": met, "sources": list(people)})
    latest = await connection.scalar(_LATEST, which)
    if latest is None:
        return
    results: defaultdict[int, list[PlayerResult]] = defaultdict(list)
    ended: dict[int, datetime] = {}
    for row in await connection.execute(_RESULTS, which | {"since": latest - timedelta(days=KEPT)}):
        ended[row.result_id] = row.ended_at
        results[row.result_id].append(PlayerResult(*row[len(_OF_RESULT) :]))
    found = summed_up((day_of(ended[result_id]), players) for result_id, players in results.items())
    some = set(people)
    rows = [
        {"guild_id": guild_id, "user_id": key[0], "source_id": key[1], "day": key[2], "amount": amount}
        for key, amount in sorted(found.items())
        if key[0] in some or key[1] in some
    ]
    if rows:
        await connection.execute(sa.insert(rating_gains), rows)


def summed_up(results: Iterable[tuple[str, Sequence[PlayerResult]]]) -> dict[Key, int]:
    """Add up the gains of rated results, each with its day."""
    found: defaultdict[Key, int] = defaultdict(int)
    for day, players in results:
        for (user_id, source_id), amount in amounts(players).items():
            found[user_id, source_id, day] += amount
    return dict(found)


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    await connection.execute(sa.delete(rating_gains).where(rating_gains.c.guild_id == guild_id))


async def stored(connection: AsyncConnection, guild_id: int) -> Mapping[Key, int]:
    """Read all rows of a server."""
    rows = await connection.execute(_STORED, {"guild": guild_id})
    return {(row.user_id, row.source_id, row.day): row.amount for row in rows}


async def of_user(
    connection: AsyncConnection, user_id: int, servers: Collection[int]
) -> tuple[tuple[int, str, int], ...]:
    """Return the server, the day and the amount of each of a user's rows, without whom it came from."""
    columns = (rating_gains.c.guild_id, rating_gains.c.day, rating_gains.c.amount)
    query = sa.select(*columns).where(rating_gains.c.guild_id.in_(servers), rating_gains.c.user_id == user_id)
    rows = await connection.execute(query.order_by(*columns))
    return tuple((row[0], row[1], row[2]) for row in rows)
