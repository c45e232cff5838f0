"""People's achievements on a server: written once, in the transaction of the result that first earned them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.achievements import DEEDS, MANY_RIVALS, Achievement, Progress, reached
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import ALL_TIME
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import EVERY_PRESET
from bot.schema.club import achievements, rivals, standings
from bot.schema.servers import of_server
from bot.schema.tables import result_players

_KNOWN: Final = achievements.c.achievement.in_([achievement.value for achievement in Achievement])
"""Only the achievements that this version knows: a newer one may have written others."""
_EARNED: Final = sa.select(achievements.c.user_id, achievements.c.achievement, achievements.c.at).where(_KNOWN)
_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_PEOPLE: Final = sa.bindparam("people", type_=sa.BigInteger, expanding=True)
_HELD: Final = _EARNED.where(achievements.c.guild_id == _GUILD, achievements.c.user_id.in_(_PEOPLE))
_PROGRESS: Final = sa.select(
    *(standings.c[name] for name in ("user_id", "preset", "matches", "wins", "best_streak"))
).where(standings.c.guild_id == _GUILD, standings.c.period == ALL_TIME, standings.c.user_id.in_(_PEOPLE))
_BEATEN: Final = sa.select(sa.func.count()).select_from(
    sa.select(rivals.c.rival_id)
    .where(rivals.c.guild_id == _GUILD, rivals.c.user_id == sa.bindparam("user"), rivals.c.wins > 0)
    .limit(MANY_RIVALS)
    .subquery()
)
_LATEST: Final = (
    sa.select(result_players.c.result_id, result_players.c.ended_at)
    .where(
        result_players.c.guild_id == _GUILD,
        result_players.c.user_id == sa.bindparam("user"),
        result_players.c.ranked,
    )
    .order_by(result_players.c.ended_at.desc(), result_players.c.result_id.desc())
    .limit(1)
)
_OWN: Final = (result_players.c.result_id == achievements.c.result_id) & (
    result_players.c.user_id == achievements.c.user_id
)
_FITS: Final = (
    (result_players.c.guild_id == achievements.c.guild_id)
    & result_players.c.ranked
    & (result_players.c.ended_at == achievements.c.at)
)
_UNFOUNDED: Final = (
    sa.select(achievements.c.user_id, achievements.c.achievement)
    .select_from(achievements.outerjoin(result_players, _OWN))
    .where(achievements.c.guild_id == _GUILD, result_players.c.result_id.is_(None) | ~_FITS)
    .order_by(achievements.c.user_id, achievements.c.achievement)
)


@dataclass(frozen=True, slots=True)
class Earned:
    """An achievement that somebody has, and the time when the match in which they earned it ended."""

    user_id: int
    achievement: Achievement
    at: datetime


async def add(connection: AsyncConnection, result_id: int, result: MatchResult) -> None:
    """Write the achievements that a result's people have newly earned with it.

    The result has just been counted in the standings and the rivals' rows, and the server's rows are locked.
    """
    people = {each.user_id: each for each in result.players if each.user_id is not None and each.gains is not False}
    if not people or not result.ranked:
        return
    held_by = await connection.execute(_HELD, {"guild": result.guild_id, "people": list(people)})
    held = {(row[0], row[1]) for row in held_by}
    progress = await _progress(connection, result, people)
    new = [
        {
            "guild_id": result.guild_id,
            "user_id": user_id,
            "achievement": achievement.value,
            "result_id": result_id,
            "at": result.ended_at,
        }
        for user_id, player in sorted(people.items())
        for achievement in Achievement
        if achievement in player.deeds | reached(progress[user_id])
        if (user_id, achievement.value) not in held
    ]
    if new:
        await connection.execute(sa.insert(achievements), new)


async def take_back(connection: AsyncConnection, result_ids: Collection[int]) -> tuple[Earned, ...]:
    """Take back what was earned with some results, which count differently now; returns what that was."""
    there = achievements.c.result_id.in_(list(result_ids))
    earned = _listed(await connection.execute(_EARNED.where(there)))
    await connection.execute(sa.delete(achievements).where(there, _KNOWN))
    return earned


async def recount(connection: AsyncConnection, guild_id: int, people: Collection[int]) -> None:
    """Correct what some people's matches add up to, since some of these count differently now.

    What is added counts as earned with their latest match that counts.
    """
    for user_id in sorted(people):
        sums = await _sums(connection, guild_id, user_id)
        found = await connection.execute(_HELD, {"guild": guild_id, "people": [user_id]})
        held = {Achievement(row[1]) for row in found} - DEEDS - {Achievement.GIANT_KILLER}
        lost, gained = held - sums, sums - held
        own = (achievements.c.guild_id == guild_id, achievements.c.user_id == user_id)
        await connection.execute(
            sa.delete(achievements).where(*own, achievements.c.achievement.in_([each.value for each in lost]))
        )
        latest = (await connection.execute(_LATEST, {"guild": guild_id, "user": user_id})).one_or_none()
        if gained and latest is not None:
            row = {"guild_id": guild_id, "user_id": user_id, "result_id": latest[0], "at": latest[1]}
            new = [row | {"achievement": achievement.value} for achievement in sorted(gained)]
            await connection.execute(sa.insert(achievements), new)


async def _sums(connection: AsyncConnection, guild_id: int, user_id: int) -> frozenset[Achievement]:
    """Find what all of a person's matches add up to by now."""
    rows = (await connection.execute(_PROGRESS, {"guild": guild_id, "people": [user_id]})).all()
    whole = next((row for row in rows if row.preset == EVERY_PRESET), None)
    if whole is None:
        return frozenset()
    won = frozenset(row.preset for row in rows if row.wins)
    beaten = await _beaten(connection, guild_id, user_id)
    return reached(Progress(whole.matches, whole.wins, whole.best_streak, beaten, won))


async def of_result(connection: AsyncConnection, result_id: int) -> tuple[Earned, ...]:
    """List what people achieved with a result, in the order in which achievements are listed."""
    return _listed(await connection.execute(_EARNED.where(achievements.c.result_id == result_id)))


async def of_user(connection: AsyncConnection, guild_id: int | None, user_id: int) -> tuple[Earned, ...]:
    """List what a user has achieved on a server, or first on any, in the order in which achievements are listed."""
    own = _EARNED.where(of_server(achievements.c.guild_id, guild_id), achievements.c.user_id == user_id)
    latest_first = await connection.execute(own.order_by(achievements.c.at.desc()))
    return _listed({row.achievement: row for row in latest_first}.values())


async def everywhere(connection: AsyncConnection, user_id: int) -> tuple[tuple[int, str, datetime], ...]:
    """Return the server, the name and the time of each achievement that a user has."""
    columns = (achievements.c.guild_id, achievements.c.achievement, achievements.c.at)
    own = sa.select(*columns).where(achievements.c.user_id == user_id)
    rows = await connection.execute(
        own.order_by(achievements.c.at, achievements.c.guild_id, achievements.c.achievement)
    )
    return tuple((row[0], row[1], row[2]) for row in rows)


async def differences(connection: AsyncConnection, guild_id: int) -> list[str]:
    """Report the achievements of a server that no result of the user's accounts for, one line for each."""
    found = await connection.execute(_UNFOUNDED, {"guild": guild_id})
    return ["achievements: user {}'s {!a} has no match that counts".format(*row) for row in found]


def _listed(rows: Iterable[sa.Row[*tuple[Any, ...]]]) -> tuple[Earned, ...]:
    found = [Earned(row.user_id, Achievement(row.achievement), row.at) for row in rows]
    order = list(Achievement)
    return tuple(sorted(found, key=lambda earned: (order.index(earned.achievement), earned.user_id)))


async def _progress(
    connection: AsyncConnection, result: MatchResult, people: Mapping[int, PlayerResult]
) -> dict[int, Progress]:
    """Read what some people's matches add up to; details about wins are read only for those who won this match."""
    rows = (await connection.execute(_PROGRESS, {"guild": result.guild_id, "people": list(people)})).all()
    presets: defaultdict[int, set[str]] = defaultdict(set)
    for row in rows:
        if row.wins:
            presets[row.user_id].add(row.preset)
    return {
        row.user_id: Progress(
            row.matches,
            row.wins,
            row.best_streak,
            await _beaten(connection, result.server, row.user_id) if people[row.user_id].won else 0,
            frozenset(presets[row.user_id]),
            _above(people[row.user_id], result) if people[row.user_id].won else 0,
        )
        for row in rows
        if row.preset == EVERY_PRESET
    }


async def _beaten(connection: AsyncConnection, guild_id: int, user_id: int) -> int:
    """Count the people a user has beaten, up to MANY_RIVALS."""
    return await connection.scalar(_BEATEN, {"guild": guild_id, "user": user_id}) or 0


def _above(winner: PlayerResult, result: MatchResult) -> int:
    """Return how much higher the winner's strongest opponent was rated; only opponents with settled ratings count."""
    own = _rating(winner)
    others = [_rating(player) for player in result.players if player.side != winner.side and player.played is not False]
    if own is None:
        return 0
    return max((rating.shown - own.shown for rating in others if rating is not None and rating.settled), default=0)


def _rating(player: PlayerResult) -> Rating | None:
    return None if player.mu is None or player.sigma is None else Rating(player.mu, player.sigma)
