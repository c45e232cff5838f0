"""People who have another name on a server now: finding and replacing the old one in the rows that name them last."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store, reading, writing
from bot.platform.database.postgres_server import lock_server
from bot.platform.people.person import Person
from bot.schema.club import standings
from bot.schema.tables import result_players
from bot.schema.training import day_answers
from bot.tables.store.logs import GAMES
from bot.tournaments.store.logs import TOURNAMENTS


class GuildNames(Store):
    """The names that servers show people by."""

    @reading
    async def is_outdated(self, connection: AsyncConnection, guild_id: int, person: Person) -> bool:
        """Whether a server's standings, daily puzzles, or open games and tournaments name a person otherwise."""
        found = (
            sa.exists().where(each.c.user_id == person.id, each.c.guild_id == guild_id, each.c.name != person.name)
            for each in (standings, day_answers)
        )
        if await connection.scalar(sa.select(sa.or_(*found))):
            return True
        return any([await logs.misnames(connection, guild_id, person) for logs in (GAMES, TOURNAMENTS)])

    @writing
    async def rename_in_logs(
        self, connection: AsyncConnection, guild_id: int, person: Person
    ) -> tuple[list[int], list[int]]:
        """Replace a person's former name in a server's open games and tournaments; return all that name them."""
        games, tournaments = [await logs.rename(connection, guild_id, person) for logs in (GAMES, TOURNAMENTS)]
        return games, tournaments

    @writing
    async def rename(self, connection: AsyncConnection, guild_id: int, person: Person) -> None:
        """Replace a person's former name in a server's standings and daily puzzles.

        A standing's name is that of its latest result, so that is renamed with it; older results keep the name of then.
        """
        await lock_server(connection, guild_id)
        own = standings.c.user_id == person.id, standings.c.guild_id == guild_id
        latest = result_players.c.result_id.in_(sa.select(standings.c.last_result_id).where(*own))
        for table, where in (
            (result_players, (result_players.c.user_id == person.id, latest)),
            (standings, own),
            (day_answers, (day_answers.c.user_id == person.id, day_answers.c.guild_id == guild_id)),
        ):
            await connection.execute(sa.update(table).where(*where).values(name=person.name))
