"""People who have another name on a server now: finding and replacing the old one in the rows that name them last."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.person import Person
from bot.eventlog.people import without_person
from bot.store.event_logs import EventLogs
from bot.store.postgres_server import lock_server
from bot.store.schema import day_answers, result_players, standings


async def is_outdated(connection: AsyncConnection, guild_id: int, person: Person) -> bool:
    """Whether leaderboards or days' lists of a server show a person by another name."""
    found = (
        sa.exists().where(each.c.user_id == person.id, each.c.guild_id == guild_id, each.c.name != person.name)
        for each in (standings, day_answers)
    )
    return bool(await connection.scalar(sa.select(sa.or_(*found))))


async def rename(connection: AsyncConnection, guild_id: int, person: Person) -> None:
    """Show a person by their present name in leaderboards and days' lists of a server.

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


async def rename_in(connection: AsyncConnection, logs: EventLogs, number: int, person: Person) -> None:
    """Rename a person in one log, to which nobody may write meanwhile."""

    def rewrite(_: str, body: str) -> str | None:
        try:
            return without_person(person.id, person, body)
        except ValueError:  # it isn't JSON: moves name nobody
            return None

    await logs.rewrite_in(connection, number, person.id, lambda _: rewrite)
