"""Groups: the people of a server who have met, directly or through others, and who belongs to the largest of them.

They are searched only as far as it takes. Somebody who has erased their data is in them under their mark.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import CROWD, DAYS, ENOUGH
from bot.club.rules.seasons import ALL_TIME
from bot.club.store import marks
from bot.club.store.standing import EVERY_PRESET
from bot.platform.database.pseudonyms import pseudonyms_of
from bot.schema.club import rivals, standings

_TRIES: Final = 10
"""Most groups that one is compared with: each is that of whoever has won most often outside of those before."""
_GUILD: Final = sa.bindparam("guild", type_=sa.BigInteger)
_MET: Final = (
    sa.select(rivals.c.rival_id)
    .where(rivals.c.guild_id == _GUILD)
    .where(rivals.c.user_id.in_(sa.bindparam("people", type_=sa.BigInteger, expanding=True)))
    .where(rivals.c.rival_id.not_in(sa.bindparam("known", type_=sa.BigInteger, expanding=True)))
    .distinct()
    .limit(CROWD)
)
_NEXT: Final = (
    sa.select(standings.c.user_id)
    .where(
        standings.c.guild_id == _GUILD,
        standings.c.period == ALL_TIME,
        standings.c.preset == EVERY_PRESET,
        sa.text("matches > 0"),  # as the index has it
        standings.c.user_id.not_in(sa.bindparam("known", type_=sa.BigInteger, expanding=True)),
    )
    .order_by(standings.c.wins.desc(), standings.c.rate.desc(), standings.c.points.desc())
    .limit(1)
)


@dataclass(slots=True)
class _Group:
    """People who have met: their ids, as far as they are known, and everybody's marks."""

    ids: set[int] = field(default_factory=set[int])
    marks: set[int] = field(default_factory=set[int])


class _Search:
    """A search among the people of a server, but for some."""

    def __init__(self, connection: AsyncConnection, guild_id: int, without: Collection[int], since: str) -> None:
        self._connection = connection
        self._guild_id = guild_id
        self._since = since
        self._of = pseudonyms_of(connection).of
        self._without = self._group(without)

    def _group(self, ids: Collection[int], others: Collection[int] = ()) -> _Group:
        return _Group(set(ids), {self._of(self._guild_id, person_id) for person_id in ids} | set(others))

    async def met(self, group: _Group, known: _Group) -> _Group:
        """Find those whom a group has met, but for those who are known: `CROWD` of them if there are more."""
        which = {"guild": self._guild_id, "people": list(group.ids), "known": list(known.ids)}
        ids = await self._connection.scalars(_MET, which)
        others = await marks.met(self._connection, self._guild_id, group.marks, self._since)
        found = self._group(list(ids), others)
        found.marks -= known.marks
        return found

    async def has_met_enough(self, person_id: int) -> bool:
        own = self._group([person_id])
        return len((await self.met(own, own)).marks) >= ENOUGH

    async def group_of(self, person_id: int, most: int = CROWD) -> _Group:
        """Find the group of a person, or part of it if there are at least `most` in it."""
        found = newest = self._group([person_id])
        while (newest.ids or newest.marks) and len(found.marks) < most:
            known = _Group(found.ids | self._without.ids, found.marks | self._without.marks)
            newest = await self.met(newest, known)
            found = _Group(found.ids | newest.ids, found.marks | newest.marks)
        return found

    async def in_largest(self, person_id: int) -> bool:
        own = await self.group_of(person_id)
        if len(own.marks) >= CROWD:
            return True
        seen = own.ids | self._without.ids
        for _ in range(_TRIES):
            start = await self._connection.scalar(_NEXT, {"guild": self._guild_id, "known": list(seen)})
            if start is None:
                break
            other = await self.group_of(start, len(own.marks) + 1)
            if len(other.marks) > len(own.marks):
                return False
            seen |= other.ids
        return True


async def known(
    connection: AsyncConnection, guild_id: int, people: Collection[int], at: datetime, *, grouped: bool = True
) -> frozenset[int]:
    """Find those of some people at a table who count as persons of their own: see `bot.club.rules.gains`.

    `grouped`: only those who belong to the largest group, too; 1.0 didn't ask for that.
    """
    found: set[int] = set()
    since = marks.day_of(at, DAYS)
    for person_id in people:
        search = _Search(connection, guild_id, [each for each in people if each != person_id], since)
        if await search.has_met_enough(person_id) and (not grouped or await search.in_largest(person_id)):
            found.add(person_id)
    return frozenset(found)
