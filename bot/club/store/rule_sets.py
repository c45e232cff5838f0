"""The rules that servers have saved under names of their own."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME, MAX_RULE_SETS, key_of
from bot.club.store.career import set_names
from bot.platform.database.base import ensure
from bot.platform.database.database import Store, writing
from bot.platform.database.postgres_server import lock_server
from bot.platform.language.spelling import normalized_name
from bot.schema.club import standings
from bot.schema.server import rule_sets
from bot.schema.tables import games


@dataclass(frozen=True, slots=True)
class RuleSetRow:
    """A server's own rule set. `config` is what a lobby begins with, written as in a game's log.

    `saved_by`: who saved the rules last; None once that user is erased.
    """

    id: int
    guild_id: int
    name: str
    config: str
    saved_by: int | None
    saved_at: datetime


class RuleSetRefusal(StrEnum):
    """The reason why a rule set was not saved."""

    NAME_TAKEN = "name_taken"
    """Another set of the server has this name, or nearly the same."""
    TOO_MANY = "too_many"
    GONE = "gone"
    """The set has been deleted."""


_COLUMNS: Final = tuple(rule_sets.c[name] for name in RuleSetRow.__dataclass_fields__)


class RuleSets(Store):
    """The rule sets of servers.

    If two people save at once, the second finds what the first has written.
    """

    async def of(self, guild_id: int) -> list[RuleSetRow]:
        """List a server's sets, in the order in which they were first saved."""
        return await self.database.read(_of, guild_id)

    async def names(self, guild_id: int, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of some of a server's sets, including deleted ones that still have results."""
        return await self.database.read(set_names, guild_id, numbers)

    @writing
    async def add(
        self, connection: AsyncConnection, guild_id: int, name: str, config: str, saved_by: int, at: datetime
    ) -> int | RuleSetRefusal:
        """Save a new set; return its number, or why it wasn't saved."""
        await lock_server(connection, guild_id)
        there = await _of(connection, guild_id)
        if _is_taken(name, there):
            return RuleSetRefusal.NAME_TAKEN
        if len(there) >= MAX_RULE_SETS:
            return RuleSetRefusal.TOO_MANY
        await ensure(connection, saved_by)
        row = sa.insert(rule_sets).values(guild_id=guild_id, name=name, config=config, saved_by=saved_by, saved_at=at)
        return (await connection.execute(row.returning(rule_sets.c.id))).scalar_one()

    @writing
    async def change(
        self, connection: AsyncConnection, guild_id: int, number: int, config: str, saved_by: int, at: datetime
    ) -> RuleSetRefusal | None:
        """Replace a set's rules; return why that wasn't done, or None."""
        await ensure(connection, saved_by)
        changed = await connection.execute(
            sa.update(rule_sets)
            .where(_there(guild_id), rule_sets.c.id == number)
            .values(config=config, saved_by=saved_by, saved_at=at)
        )
        return None if changed.rowcount else RuleSetRefusal.GONE

    @writing
    async def rename(self, connection: AsyncConnection, guild_id: int, number: int, name: str) -> RuleSetRefusal | None:
        """Give a set another name; return why that wasn't done, or None."""
        await lock_server(connection, guild_id)
        there = {row.id: row for row in await _of(connection, guild_id)}
        if there.pop(number, None) is None:
            return RuleSetRefusal.GONE
        if _is_taken(name, there.values()):
            return RuleSetRefusal.NAME_TAKEN
        await connection.execute(sa.update(rule_sets).where(rule_sets.c.id == number).values(name=name))
        return None

    @writing
    async def remove(self, connection: AsyncConnection, guild_id: int, number: int) -> bool:
        """Delete a set; return whether it was there. Its name is kept if there are, or may yet be, results by it."""
        await lock_server(connection, guild_id)  # no first result by these rules can be counted until this is done
        this = _there(guild_id) & (rule_sets.c.id == number)
        played = sa.select(standings.c.user_id).where(
            standings.c.guild_id == guild_id, standings.c.period == ALL_TIME, standings.c.preset == key_of(number)
        )
        open_games = sa.select(games.c.id).where(games.c.guild_id == guild_id, games.c.closed_at.is_(None))
        if all([await connection.scalar(each.limit(1)) is None for each in (played, open_games)]):
            return (await connection.execute(sa.delete(rule_sets).where(this))).rowcount > 0
        return (
            await connection.execute(sa.update(rule_sets).where(this).values(removed=True, saved_by=None))
        ).rowcount > 0


def _there(guild_id: int) -> sa.ColumnElement[bool]:
    return (rule_sets.c.guild_id == guild_id) & ~rule_sets.c.removed


async def _of(connection: AsyncConnection, guild_id: int) -> list[RuleSetRow]:
    query = sa.select(*_COLUMNS).where(_there(guild_id)).order_by(rule_sets.c.id)
    return [RuleSetRow(*row) for row in await connection.execute(query)]


def _is_taken(name: str, there: Collection[RuleSetRow]) -> bool:
    return normalized_name(name) in {normalized_name(row.name) for row in there}
