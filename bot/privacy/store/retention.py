"""Drops what is no longer kept: logs of games closed long ago, and everything of a server left long ago."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME
from bot.club.store import chain, gains, given_roles, marks
from bot.club.store import rows as standing_rows
from bot.club.store.standing import EVERY_PRESET
from bot.platform.database.base import (
    UtcDateTime,
    drop_due,
    key_values,
    pairs_with_prefix,
    people,
    read_pair,
    write_pair,
)
from bot.platform.database.database import Store, reading, writing
from bot.platform.database.event_logs import secure
from bot.schema.club import achievements, standings
from bot.schema.server import departures, missing_guilds, rule_sets
from bot.schema.tables import (
    evening_matches,
    faces,
    games,
    participants,
    result_players,
    results,
    tournament_people,
    tournaments,
    votes,
)
from bot.schema.training import day_answers, day_channels, lessons, practice_positions, reviews
from bot.tables.store import ahead as named
from bot.tables.store import evenings
from bot.tables.store import faces as shown
from bot.tables.store.logs import GAMES
from bot.tournaments.store.logs import TOURNAMENTS

LOGS_KEPT_SINCE: Final = "logs_kept_since"
"""The key of the time before which closed games may have no log. ISO 8601, UTC."""
GAMES_AT_ONCE: Final = 100
"""Games that one transaction drops, so that other writers don't wait for long."""
PEOPLE_AT_ONCE: Final = 100
"""People who are erased in one day at most."""
DAYS_AT_ONCE: Final = 10
"""From how many days' answers one transaction removes a server's id."""


class KeptData(Store):
    """The data that is kept for a time only."""

    @writing
    async def drop_logs(self, connection: AsyncConnection, before: datetime, *, after_id: int = 0) -> list[int]:
        """Drop the logs, participants and seeds of some games that were closed before `before`; results stay.

        Returns the games' ids, in order: those after `after_id`, none if there are no more.
        """
        found = await GAMES.drop_old(connection, before, after_id=after_id, limit=GAMES_AT_ONCE)
        if not found:
            return []
        since = await read_pair(connection, LOGS_KEPT_SINCE)
        if since is None or datetime.fromisoformat(since) < before:
            await write_pair(connection, LOGS_KEPT_SINCE, before.astimezone(UTC).isoformat())
        return found

    @writing
    async def drop_limits(self, connection: AsyncConnection, at: datetime) -> int:
        """Drop whom ratings have gained from, and the marks of people who erased their data, once too old to matter."""
        return await marks.drop_old(connection, at) + await gains.drop_old(connection, at)

    @writing
    async def drop_crowds(self, connection: AsyncConnection) -> int:
        """Drop the votes and faces of closed games that are in no evening: 1.0 leaves them behind. Returns how many."""
        dropped = 0
        for table in (votes, faces):
            over = sa.exists().where(games.c.id == table.c.game_id, games.c.closed_at.is_not(None))
            told = sa.exists().where(evening_matches.c.game_id == table.c.game_id)
            dropped += (await connection.execute(sa.delete(table).where(over, ~told))).rowcount
        return dropped

    @writing
    async def note_chosen(self, connection: AsyncConnection, at: datetime) -> None:
        """Note when people made their latest choices, if they have done so since the last call."""
        await connection.execute(sa.update(people).where(people.c.chosen_at.is_(None)).values(chosen_at=at))

    async def inactive(self, before: datetime, person_id: int | None = None) -> list[int]:
        """List some people who have done nothing since a moment, and of whom something is kept, in order.

        `person_id`: whether it is one of them is asked, and nothing else.
        """
        async with self.database.searching:
            return await self.database.read(_inactive, before, person_id)

    @writing
    async def drop_games(self, connection: AsyncConnection, guild_id: int) -> int:
        """Drop some closed games of a server with all their rows, and its id from some answers to days' positions.

        Returns how many of both; 0 if there are no more.
        """
        closed = sa.select(games.c.id).where(games.c.guild_id == guild_id, games.c.closed_at.is_not(None))
        found = list(await connection.scalars(closed.order_by(games.c.id).limit(GAMES_AT_ONCE)))
        played = await drop_whole(connection, found)
        if played:  # the ratings that are left don't begin with the first match
            await write_pair(connection, chain.cut_key(guild_id), "")
        await standing_rows.recount(
            connection, guild_id, played
        )  # right after each step: the server may be joined again
        return len(found) + await _leave_answers(connection, guild_id)

    @writing
    async def drop_rest(self, connection: AsyncConnection, guild_id: int, keys: Collection[str]) -> bool:
        """Drop all other data of a server, with its departure; return False, and do nothing, while it has games."""
        if await connection.scalar(sa.select(games.c.id).where(games.c.guild_id == guild_id).limit(1)) is not None:
            return False
        await standing_rows.drop(connection, guild_id)
        await given_roles.drop(connection, guild_id)
        await _drop_tournaments(connection, guild_id)
        for table in (day_channels, rule_sets):
            await connection.execute(sa.delete(table).where(table.c.guild_id == guild_id))
        await connection.execute(sa.delete(key_values).where(key_values.c.key.in_([*keys, chain.cut_key(guild_id)])))
        await _rejoin(connection, [guild_id])
        return True

    @reading
    async def guilds(self, connection: AsyncConnection, prefixes: Collection[str] = ()) -> list[int]:
        """List the servers with data that is dropped some time after the bot has left them.

        `prefixes`: of the keys of what is kept of a server by its id.
        """
        answered = sa.select(day_answers.c.guild_id).where(day_answers.c.guild_id.is_not(None))
        held = (games, day_channels, tournaments, rule_sets, given_roles.given_roles)
        known = sa.union(
            *(sa.select(table.c.guild_id).where(table.c.guild_id.is_not(None)) for table in held), answered
        )
        found = set(await connection.scalars(known))
        for prefix in prefixes:
            found |= {int(key) for key in await pairs_with_prefix(connection, prefix) if key.isdecimal()}
        return sorted(found)

    async def departed(self) -> dict[int, datetime]:
        """Return the time when the bot left each server that it is no longer in.

        Versions up to 1.0 noted apart since when a server was missing that they weren't told to have left.
        """
        return await self.database.read(_departed)

    @writing
    async def depart(self, connection: AsyncConnection, guild_ids: Collection[int], at: datetime) -> None:
        """Note that the bot has left servers; an earlier note stands."""
        known = await _departed(connection)
        rows = [{"guild_id": guild_id, "left_at": at} for guild_id in guild_ids if guild_id not in known]
        if rows:
            await connection.execute(sa.insert(departures), rows)

    async def rejoin(self, guild_ids: Collection[int]) -> None:
        """Remove the notes that servers were left: the bot is in them."""
        await self.database.write(_rejoin, guild_ids)


async def drop_whole(connection: AsyncConnection, found: Collection[int]) -> list[int]:
    """Drop games with all their rows; returns the people who have results in them, which still have to be counted."""
    await secure(connection)
    over = sa.select(results.c.id).where(results.c.game_id.in_(found))
    theirs = result_players.c.result_id.in_(over)
    people = sa.select(result_players.c.user_id).where(theirs, result_players.c.user_id.is_not(None)).distinct()
    played = list(await connection.scalars(people))
    for table in (reviews, achievements, result_players):
        await connection.execute(sa.delete(table).where(table.c.result_id.in_(over)))
    await connection.execute(sa.delete(results).where(results.c.game_id.in_(found)))
    await named.drop(connection, found)
    await evenings.drop(connection, found)
    await shown.drop(connection, found)
    await GAMES.drop(connection, found)
    await connection.execute(sa.delete(games).where(games.c.id.in_(found)))
    await drop_due(connection, GAMES.place, found)
    return played


async def _inactive(connection: AsyncConnection, before: datetime, person_id: int | None) -> list[int]:
    whole = (standings.c.period == ALL_TIME, standings.c.preset == EVERY_PRESET)
    alone = result_players.c.guild_id.is_(None), result_players.c.user_id.is_not(None)
    now = sa.literal(datetime.max.replace(tzinfo=UTC), UtcDateTime)
    acts = sa.union_all(
        sa.select(standings.c.user_id, standings.c.last_at).where(*whole),
        sa.select(result_players.c.user_id, result_players.c.ended_at).where(*alone),
        sa.select(people.c.user_id, sa.func.coalesce(people.c.chosen_at, now)),
        sa.select(rule_sets.c.saved_by, rule_sets.c.saved_at).where(rule_sets.c.saved_by.is_not(None)),
        *(sa.select(table.c.user_id, table.c.at) for table in (day_answers, lessons, reviews)),
        sa.select(practice_positions.c.user_id, practice_positions.c.due_at),  # some days after they practised at most
        *(
            sa.select(named.c.user_id, sa.func.coalesce(owners.c.closed_at, now)).join(owners)
            for named, owners in ((participants, games), (tournament_people, tournaments))
        ),
    ).subquery()
    user_id, at = acts.c
    idle = sa.select(user_id).group_by(user_id).having(sa.func.max(at) < before)
    if person_id is not None:
        idle = idle.where(user_id == person_id)
    return list(await connection.scalars(idle.order_by(user_id).limit(PEOPLE_AT_ONCE)))


async def _leave_answers(connection: AsyncConnection, guild_id: int) -> int:
    """Remove a server's id from some answers that were given there, which their people keep. Returns from how many."""
    there, day = day_answers.c.guild_id == guild_id, day_answers.c.day
    days = list(await connection.scalars(sa.select(day).where(there).distinct().order_by(day).limit(DAYS_AT_ONCE)))
    change = sa.update(day_answers).where(there, day.in_(days)).values(guild_id=None)
    return (await connection.execute(change)).rowcount if days else 0


async def _drop_tournaments(connection: AsyncConnection, guild_id: int) -> None:
    theirs = tournaments.c.guild_id == guild_id
    found = list(await connection.scalars(sa.select(tournaments.c.id).where(theirs)))
    await drop_due(connection, TOURNAMENTS.place, found)
    await TOURNAMENTS.drop(connection, found)
    await connection.execute(sa.delete(tournaments).where(theirs))


async def _departed(connection: AsyncConnection) -> dict[int, datetime]:
    left = sa.select(departures.c.guild_id, departures.c.left_at)
    rows = await connection.execute(left.union_all(sa.select(missing_guilds.c.guild_id, missing_guilds.c.since)))
    return {row[0]: row[1] for row in rows}


async def _rejoin(connection: AsyncConnection, guild_ids: Collection[int]) -> None:
    await connection.execute(sa.delete(missing_guilds).where(missing_guilds.c.guild_id.in_(guild_ids)))
    await connection.execute(sa.delete(departures).where(departures.c.guild_id.in_(guild_ids)))
