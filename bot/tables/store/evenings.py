"""The matches of evenings that aren't over yet, with the people of their results."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.store.results import MatchResult
from bot.platform.database.database import Store, reading, writing
from bot.platform.database.event_logs import in_shards
from bot.platform.place import Spot
from bot.platform.shards import ALL, Shards
from bot.schema.tables import evening_matches, events, games, result_players, results
from bot.tables.log.codec import MATCH
from bot.tables.log.evenings import Outcome, Part, PastMatch
from bot.tables.store import votes

_OWN: Final = ("game_id", "begun_at", "ended_at", "best_of_three", "message_id", "card_id")


class EveningMatches(Store):
    """The matches of evenings that aren't over yet."""

    @reading
    async def of_channel(self, connection: AsyncConnection, channel_id: int) -> list[PastMatch]:
        """List a channel's matches, the earliest first."""
        here = evening_matches.c.channel_id == channel_id
        own = sa.select(*(evening_matches.c[name] for name in _OWN)).where(here)
        found = {row["game_id"]: dict(row) for row in (await connection.execute(own)).mappings()}
        columns = (results.c.game_id, *(result_players.c[name] for name in ("side", "user_id", "won")))
        played = sa.select(*columns).join_from(results, result_players).where(results.c.game_id.in_(found))
        seats: dict[int, list[sa.Row[Any]]] = {game_id: [] for game_id in found}
        for row in await connection.execute(played) if found else ():
            seats[row.game_id].append(row)
        matches = [
            PastMatch(outcome=_outcome(seats[game_id], values.pop("best_of_three")), **values)
            for game_id, values in found.items()
        ]
        return sorted(matches, key=lambda match: (match.ended_at, match.game_id))

    @reading
    async def channels(self, connection: AsyncConnection, shards: Shards = ALL) -> list[Spot]:
        """List the channels that have such matches."""
        where = evening_matches.c.channel_id, evening_matches.c.guild_id
        found = sa.select(*where).where(in_shards(evening_matches.c.guild_id, shards)).distinct()
        return [Spot(*row) for row in await connection.execute(found)]

    @reading
    async def began_at(self, connection: AsyncConnection, game_id: int) -> datetime | None:
        """Read when a game's match began; None if it hasn't."""
        return await connection.scalar(_began(game_id))

    @writing
    async def end_shown(self, connection: AsyncConnection, game_id: int, message_id: int | None) -> None:
        """Note the message that shows how a game has ended, so that it isn't shown again after a restart."""
        shown = sa.update(games).where(games.c.id == game_id).values(message_id=None, message_at=None)
        await connection.execute(shown)
        own = evening_matches.c.game_id == game_id
        await connection.execute(sa.update(evening_matches).where(own).values(message_id=message_id))

    @writing
    async def close(self, connection: AsyncConnection, game_ids: Collection[int], card_id: int | None) -> None:
        """Note the card of some matches' evening: its message, 0 while it is being posted, None if it isn't posted.

        With its message, their votes are dropped.
        """
        own = evening_matches.c.game_id.in_(game_ids)
        if card_id:
            await votes.drop(connection, game_ids)
        await connection.execute(sa.update(evening_matches).where(own).values(card_id=card_id))

    @writing
    async def forget(self, connection: AsyncConnection, game_ids: Collection[int]) -> None:
        """Forget matches: their evening is over, and there is nothing more to do about it."""
        await drop(connection, game_ids)


async def add(connection: AsyncConnection, game_id: int, result: MatchResult, part: Part | None) -> None:
    """Note a match that has ended, unless it has no part in an evening."""
    if part is None or result.channel_id is None:
        return
    values = {"guild_id": result.guild_id, "channel_id": result.channel_id, "best_of_three": part.best_of_three}
    began = await connection.scalar(_began(game_id))
    times = {"begun_at": began or result.ended_at, "ended_at": result.ended_at}
    await connection.execute(sa.insert(evening_matches).values(game_id=game_id, **times, **values))


async def drop(connection: AsyncConnection, game_ids: Collection[int]) -> None:
    """Drop matches of evenings, and their votes."""
    await votes.drop(connection, game_ids)
    await connection.execute(sa.delete(evening_matches).where(evening_matches.c.game_id.in_(game_ids)))


def _began(game_id: int) -> "sa.Select[datetime]":
    return sa.select(sa.func.min(events.c.at)).where(events.c.game_id == game_id, events.c.kind == MATCH)


def _outcome(seats: list[sa.Row[Any]], best_of_three: bool) -> Outcome:
    people = {seat.side: frozenset[int]() for seat in sorted(seats, key=lambda seat: seat.side)}
    for seat in seats:
        people[seat.side] |= frozenset() if seat.user_id is None else {seat.user_id}
    winner = next((seat.side for seat in seats if seat.won), None)
    return Outcome(tuple(people.values()), winner, best_of_three)
