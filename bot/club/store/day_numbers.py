"""A match's numbers on its UTC day, of which the first three count in full.

For ratings it has one: among the matches of exactly the same people. For season points each seat has its own, or
somebody with several accounts would find other people for every match: among the matches in which this person met the
same people, where all who didn't count as persons of their own are one. So whoever greets newcomers runs out of them,
but no newcomer of regulars.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import STRANGERS
from bot.club.store import marks
from bot.club.store.results import PlayerResult
from bot.platform.people import NOBODY
from bot.schema.tables import result_players, results

People = frozenset[int | None]
"""The people of a match; None stands for those who have erased their data."""

_OWN: Final = result_players.alias("own")
_THEIRS: Final = (
    sa.select(_OWN.c.result_id)
    .join(results, results.c.id == _OWN.c.result_id)
    .where(
        _OWN.c.guild_id == sa.bindparam("guild", type_=sa.BigInteger),
        _OWN.c.user_id.in_(sa.bindparam("people", type_=sa.BigInteger, expanding=True)),
        _OWN.c.ended_at >= sa.bindparam("day"),
        _OWN.c.ended_at < sa.bindparam("next_day"),
        results.c.nth.is_not(None),
    )
)
_OF_DAY: Final = sa.select(*(result_players.c[name] for name in ("result_id", "user_id", "known", "nth"))).where(
    result_players.c.result_id.in_(_THEIRS),
    result_players.c.user_id.is_not(None) | (result_players.c.name == NOBODY),
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's seat in a match: see `PlayerResult`."""

    user_id: int | None
    known: bool
    nth: int | None


Match = Sequence[Seat]
"""The seats of a match, but for computers'."""


def people_of(match: Match) -> People:
    return frozenset(seat.user_id for seat in match)


def met_by(user_id: int, match: Match) -> People:
    """Return whom somebody met in a match, partners included, by what they counted as: `STRANGERS` for all who weren't
    known. It isn't known any more who None was."""
    return frozenset(seat.user_id if seat.known else STRANGERS for seat in match if seat.user_id != user_id)


def seats_of(players: Iterable[PlayerResult]) -> Match:
    return [Seat(each.user_id, each.known, each.nth) for each in players if each.user_id is not None or each.erased]


async def of_day(
    connection: AsyncConnection, guild_id: int, people: Collection[int], at: datetime
) -> tuple[Match, ...]:
    """Read the matches with some people that count, on the UTC day of a moment: all that have been written, at any time
    of that day."""
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    which = {"guild": guild_id, "people": list(people), "day": day, "next_day": day + timedelta(days=1)}
    found: defaultdict[int, list[Seat]] = defaultdict(list)
    for result_id, *seat in await connection.execute(_OF_DAY, which):
        found[result_id].append(Seat(*seat))
    return tuple(found.values())


async def next_of(
    connection: AsyncConnection, guild_id: int, people: People, at: datetime, day: Collection[Match]
) -> int:
    """Return the number that another match of exactly these people has, whatever computers sit beside them.

    `day`: the matches of that day with one of them.
    """
    marked = 0
    if people and None not in people:
        own = [user_id for user_id in people if user_id is not None]
        marked = await marks.matches(connection, guild_id, own, marks.day_of(at))
    return 1 + marked + sum(people_of(match) == people for match in day)


def numbered(players: Sequence[PlayerResult], nth: int, day: Collection[Match]) -> tuple[PlayerResult, ...]:
    """Give each person at a table the number by which season points count, never lower than that of the same people.

    Matches without such numbers don't count: 1.0 began them, and may not have noted who was known.
    """
    match = seats_of(players)

    def number(user_id: int) -> int:
        met = met_by(user_id, match)
        own = (each for each in day for seat in each if seat.user_id == user_id and seat.nth is not None)
        return max(nth, 1 + sum(met_by(user_id, each) == met for each in own))

    return tuple(each if each.user_id is None else replace(each, nth=number(each.user_id)) for each in players)
