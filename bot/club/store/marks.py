"""Marks: what the limits on ratings still know of people who have erased their data, for the latest `DAYS`.

It is stored under pseudonyms, also of those whom they played with, so that nobody's id is in it, and nothing changes
when those erase their data, too. What is known of a match is written once: when the first of its people does so.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import DAYS, STRANGERS
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import ALL_TIME
from bot.club.store.standing import EVERY_PRESET
from bot.platform.database.base import UtcDateTime
from bot.platform.database.pseudonyms import Pseudonyms, pseudonyms_of
from bot.platform.people import NOBODY
from bot.schema.club import marked_matches, marked_ratings, marked_rivals, rating_gains, standings
from bot.schema.tables import result_players, results

_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_MARKS: Final = sa.bindparam("marks", type_=sa.BigInteger, expanding=True)
_MOMENT: Final = sa.bindparam("since", type_=UtcDateTime)
_SINCE: Final = sa.bindparam("since", type_=sa.Text)
_RATINGS: Final = sa.select(*(marked_ratings.c[name] for name in ("mark", "mu", "sigma", "rated_at"))).where(
    marked_ratings.c.guild_id == _GUILD, marked_ratings.c.mark.in_(_MARKS), marked_ratings.c.rated_at > _MOMENT
)
_OWN: Final = (marked_rivals.c.guild_id == _GUILD, marked_rivals.c.mark.in_(_MARKS), marked_rivals.c.day > _SINCE)
_NET: Final = (
    sa.select(marked_rivals.c.mark, marked_rivals.c.rival, sa.func.sum(marked_rivals.c.gained))
    .where(*_OWN, marked_rivals.c.rival.in_(sa.bindparam("rivals", type_=sa.BigInteger, expanding=True)))
    .group_by(marked_rivals.c.mark, marked_rivals.c.rival)
)
_MET: Final = sa.select(marked_rivals.c.rival).where(*_OWN, marked_rivals.c.rival != STRANGERS).distinct()
_MATCHES: Final = sa.select(sa.func.sum(marked_matches.c.matches)).where(
    marked_matches.c.guild_id == _GUILD,
    marked_matches.c.people == sa.bindparam("people", type_=sa.BigInteger),
    marked_matches.c.day == sa.bindparam("day"),
)
_SEAT, _PLAYED = result_players.alias("seat"), result_players.alias("played")
_THEIRS: Final = (
    sa.select(*(_SEAT.c[name] for name in ("result_id", "ended_at", "side", "user_id", "name", "played")))
    .join(_PLAYED, _PLAYED.c.result_id == _SEAT.c.result_id)
    .join(results, results.c.id == _SEAT.c.result_id)
    .where(_PLAYED.c.guild_id == _GUILD, _PLAYED.c.user_id == sa.bindparam("user", type_=sa.BigInteger))
    .where(_PLAYED.c.ended_at >= _MOMENT, results.c.nth.is_not(None))
)
TABLES: Final = (marked_rivals, marked_matches, marked_ratings)


def day_of(moment: datetime, days: int = 0) -> str:
    """Return the UTC day of a moment, or one some days before it."""
    return f"{moment.astimezone(UTC) - timedelta(days=days):%Y-%m-%d}"


# ------------------------------------------------------------------------------------------ read by the limits


async def ratings(
    connection: AsyncConnection, guild_id: int, people: Collection[int], at: datetime
) -> dict[int, tuple[Rating, datetime]]:
    """Read the ratings that some people had when they erased their data, each with the time since when."""
    marks = _marks(pseudonyms_of(connection), guild_id, people)
    which = {"guild": guild_id, "marks": list(marks), "since": at - timedelta(days=DAYS)}
    rows = await connection.execute(_RATINGS, which)
    return {marks[row.mark]: (Rating(row.mu, row.sigma), row.rated_at) for row in rows}


async def matches(connection: AsyncConnection, guild_id: int, people: Collection[int], day: str) -> int:
    """Count the matches of exactly these people on a day that somebody who erased their data was in."""
    which = {"guild": guild_id, "people": pseudonyms_of(connection).of(guild_id, *people), "day": day}
    return int(await connection.scalar(_MATCHES, which) or 0)


async def net(
    connection: AsyncConnection, guild_id: int, people: Collection[int], since: str
) -> dict[tuple[int, int], int]:
    """Read what some people have gained from each other, or from strangers, after a day."""
    marks = _marks(pseudonyms_of(connection), guild_id, people)
    which = {"guild": guild_id, "marks": list(marks), "rivals": [*marks, STRANGERS], "since": since}
    rows = await connection.execute(_NET, which)
    return {(marks[row[0]], marks.get(row[1], STRANGERS)): int(row[2]) for row in rows}


async def met(connection: AsyncConnection, guild_id: int, marks: Collection[int], since: str) -> set[int]:
    """List the marks of those whom the people with some marks have met after a day."""
    return set(await connection.scalars(_MET, {"guild": guild_id, "marks": list(marks), "since": since}))


def _marks(pseudonyms: Pseudonyms, guild_id: int, people: Collection[int]) -> dict[int, int]:
    return {pseudonyms.of(guild_id, person_id): person_id for person_id in people}


# ------------------------------------------------------------------------------------------ left by an erasure


async def leave(connection: AsyncConnection, guild_id: int, user_id: int, at: datetime) -> None:
    """Mark what limits need to know of somebody whose data are about to be erased; the server's rows are locked."""
    pseudonyms, since = pseudonyms_of(connection), day_of(at, DAYS)

    def mark(person_id: int) -> int:
        return person_id and pseudonyms.of(guild_id, person_id)

    gained, played = await _gains(connection, guild_id, user_id, since, mark), Counter[tuple[int, str]]()
    own, seats = mark(user_id), await _seats(connection, guild_id, user_id, since)
    for there in seats.values():
        day = day_of(there[0].ended_at)
        theirs = next(seat for seat in there if seat.user_id == user_id)
        others = (seat for seat in there if seat.user_id is not None and seat.side != theirs.side)
        met = (seat for seat in others if seat.played is not False and theirs.played is not False)
        rivals = [mark(seat.user_id) for seat in met]
        gained.update({key: 0 for rival in rivals for key in ((own, rival, day), (rival, own, day))})
        if not any(seat.user_id is None and seat.name == NOBODY for seat in there):  # else it is written already
            people = [seat.user_id for seat in there if seat.user_id is not None]
            played[pseudonyms.of(guild_id, *people), day] += 1
    await _add(connection, marked_rivals, guild_id, ("mark", "rival", "day"), "gained", gained)
    groups = {(people, day, own): count for (people, day), count in played.items()}
    await _add(connection, marked_matches, guild_id, ("people", "day", "mark"), "matches", groups)
    await _leave_rating(connection, guild_id, user_id, own, at)


async def _gains(
    connection: AsyncConnection, guild_id: int, user_id: int, since: str, mark: Callable[[int], int]
) -> Counter[tuple[int, int, str]]:
    """Read what somebody has gained from others, and others from them, under marks."""
    own = (rating_gains.c.user_id == user_id) | (rating_gains.c.source_id == user_id)
    rows = await connection.execute(
        sa.select(rating_gains).where(rating_gains.c.guild_id == guild_id, own, rating_gains.c.day > since)
    )
    return Counter({(mark(row.user_id), mark(row.source_id), row.day): row.amount for row in rows})


async def _seats(connection: AsyncConnection, guild_id: int, user_id: int, since: str) -> dict[int, list[sa.Row[Any]]]:
    """Read the seats of somebody's ranked matches after a day, by result."""
    first = datetime.fromisoformat(since).replace(tzinfo=UTC) + timedelta(days=1)
    found: defaultdict[int, list[sa.Row[Any]]] = defaultdict(list)
    for row in await connection.execute(_THEIRS, {"guild": guild_id, "user": user_id, "since": first}):
        found[row.result_id].append(row)
    return found


async def _add(
    connection: AsyncConnection,
    table: sa.Table,
    guild_id: int,
    names: tuple[str, ...],
    value: str,
    amounts: Mapping[tuple[Any, ...], int],
) -> None:
    """Add amounts to the rows with these keys."""
    for key, amount in sorted(amounts.items()):
        row = {"guild_id": guild_id, **dict(zip(names, key, strict=True))}
        same = (table.c[name] == part for name, part in row.items())
        change = sa.update(table).where(*same).values({value: table.c[value] + amount})
        if not (await connection.execute(change)).rowcount:
            await connection.execute(sa.insert(table).values(row | {value: amount}))


async def _leave_rating(connection: AsyncConnection, guild_id: int, user_id: int, own: int, at: datetime) -> None:
    rating = (
        sa.select(standings.c.guild_id, sa.literal(own, sa.BigInteger), standings.c.mu, standings.c.sigma)
        .add_columns(standings.c.rated_at)
        .where(
            standings.c.guild_id == guild_id,
            standings.c.period == ALL_TIME,
            standings.c.preset == EVERY_PRESET,
            standings.c.user_id == user_id,
            standings.c.mu.is_not(None),
            standings.c.rated_at > at - timedelta(days=DAYS),
        )
    )
    if (row := (await connection.execute(rating)).one_or_none()) is not None:
        earlier = (marked_ratings.c.guild_id == guild_id, marked_ratings.c.mark == own)
        await connection.execute(sa.delete(marked_ratings).where(*earlier))
        await connection.execute(sa.insert(marked_ratings).values(dict(zip(marked_ratings.c.keys(), row, strict=True))))


# ------------------------------------------------------------------------------------------ kept, and told


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    for table in TABLES:
        await connection.execute(sa.delete(table).where(table.c.guild_id == guild_id))


async def drop_old(connection: AsyncConnection, at: datetime) -> int:
    """Drop all marks of matches that ended more than `DAYS` before a moment; returns how many."""
    day, moment = day_of(at, DAYS), at - timedelta(days=DAYS)
    old = (marked_rivals.c.day <= day, marked_matches.c.day <= day, marked_ratings.c.rated_at <= moment)
    dropped = 0
    for table, condition in zip(TABLES, old, strict=True):
        dropped += (await connection.execute(sa.delete(table).where(condition))).rowcount
    return dropped


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one person, without the others: (server, day, thousandths of a point) for whom they met and
    what their rating gained from them, (server, day, matches) for the matches of the same people, and (server, rating,
    time)."""

    rivals: tuple[tuple[int, str, int], ...] = ()
    matches: tuple[tuple[int, str, int], ...] = ()
    ratings: tuple[tuple[int, Rating, datetime], ...] = ()


async def of_user(connection: AsyncConnection, user_id: int, at: datetime) -> Marks:
    """Read what is marked of a user, on all servers."""
    pseudonyms, since = pseudonyms_of(connection), day_of(at, DAYS)
    servers = sa.union(*(sa.select(table.c.guild_id) for table in TABLES))
    marks = {guild: pseudonyms.of(guild, user_id) for guild in await connection.scalars(servers)}
    if not marks:
        return Marks()

    def own(table: sa.Table, *columns: str) -> sa.Select[*tuple[Any, ...]]:
        pairs = sa.tuple_(table.c.guild_id, table.c.mark).in_(list(marks.items()))
        return (
            sa.select(*(table.c[name] for name in columns)).where(pairs).order_by(*(table.c[each] for each in columns))
        )

    rivals = own(marked_rivals, "guild_id", "day", "gained").where(marked_rivals.c.day > since)
    played = own(marked_matches, "guild_id", "day", "matches").where(marked_matches.c.day > since)
    rated = own(marked_ratings, "guild_id", "mu", "sigma", "rated_at")
    found = await connection.execute(rated.where(marked_ratings.c.rated_at > at - timedelta(days=DAYS)))
    return Marks(
        tuple((row[0], row[1], row[2]) for row in await connection.execute(rivals)),
        tuple((row[0], row[1], row[2]) for row in await connection.execute(played)),
        tuple((row.guild_id, Rating(row.mu, row.sigma), row.rated_at) for row in found),
    )
