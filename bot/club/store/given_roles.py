"""The holders of roles that came with a podium, and those they are yet to be taken from since their erasure."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.base import ensure, pairs_with_prefix, unless_there, write_pair
from bot.platform.database.database import Store, reading, writing
from bot.schema.club import given_roles, standings

_DUE: Final = "role_due:"
"""Prefix of the keys of roles that are to be taken: server, role and user follow, with colons between them."""


class Given(NamedTuple):
    """A role that a person holds on a server."""

    guild_id: int
    role_id: int
    user_id: int


class GivenRoles(Store):
    """The roles that the bot has given."""

    @reading
    async def held(self, connection: AsyncConnection, guild_id: int) -> Mapping[int, set[int]]:
        """Return who holds each role on a server."""
        found: dict[int, set[int]] = {}
        here = sa.select(given_roles.c.role_id, given_roles.c.user_id).where(given_roles.c.guild_id == guild_id)
        for role_id, user_id in await connection.execute(here):
            found.setdefault(role_id, set()).add(user_id)
        return found

    @writing
    async def note(self, connection: AsyncConnection, given: Given) -> bool:
        """Note that somebody is about to get a role; return False if they have erased their data meanwhile."""
        own = standings.c.guild_id == given.guild_id, standings.c.user_id == given.user_id
        if await connection.scalar(sa.select(standings.c.user_id).where(*own).limit(1)) is None:
            return False
        await ensure(connection, given.user_id)
        await connection.execute(unless_there(connection, given_roles, given._asdict()))
        return True

    @writing
    async def taken(self, connection: AsyncConnection, given: Given) -> None:
        """Note that somebody doesn't hold a role, or nothing can be done about it."""
        this = (given_roles.c[name] == value for name, value in given._asdict().items())
        await connection.execute(sa.delete(given_roles).where(*this))
        await write_pair(connection, _key(given), None)

    @reading
    async def due(self, connection: AsyncConnection) -> list[Given]:
        """List the roles of people who have erased their data since."""
        return [Given(*map(int, key.split(":"))) for key in await pairs_with_prefix(connection, _DUE)]


async def forget(connection: AsyncConnection, user_id: int) -> None:
    """Forget which roles a user holds, once they are taken from them."""
    own = given_roles.c.user_id == user_id
    for row in await connection.execute(sa.select(given_roles).where(own)):
        await write_pair(connection, _key(Given(*row)), "")
    await connection.execute(sa.delete(given_roles).where(own))


async def of_user(connection: AsyncConnection, user_id: int) -> list[Given]:
    """List the roles that a user holds."""
    own = sa.select(given_roles).where(given_roles.c.user_id == user_id)
    return [Given(*row) for row in await connection.execute(own.order_by(given_roles.c.guild_id))]


async def drop(connection: AsyncConnection, guild_id: int) -> None:
    """Drop a server's rows."""
    await connection.execute(sa.delete(given_roles).where(given_roles.c.guild_id == guild_id))
    for key in await pairs_with_prefix(connection, f"{_DUE}{guild_id}:"):
        await write_pair(connection, f"{_DUE}{guild_id}:{key}", None)


def _key(given: Given) -> str:
    return f"{_DUE}{given.guild_id}:{given.role_id}:{given.user_id}"
