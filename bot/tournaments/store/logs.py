"""Tournaments: opening, continuing and closing them, and which games were played in each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.store.revised import Verdict, revise
from bot.platform.database.database import Store, reading, writing
from bot.platform.database.errors import VersionConflict, is_unique_violation
from bot.platform.database.event_logs import EventLogs, Numbers, Rewriter, are_consecutive
from bot.platform.database.tools.audit import Audit, RawEntry
from bot.platform.eventlog import LogEntry
from bot.platform.shards import ALL, Shards
from bot.schema.tables import games, tournament_events, tournament_people, tournaments
from bot.tables.store.errors import ChannelBusy, UnknownGame


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament of a channel; it is open while `closed_at` is None. The message is its public one.

    `organiser_id` is 0 if the organiser was erased. `repeats`: it is over, and the one of the week after is yet to be
    opened. `event_id`: its scheduled event on Discord.
    """

    id: int
    guild_id: int
    channel_id: int
    organiser_id: int
    locale: str
    opened_at: datetime
    closed_at: datetime | None
    message_id: int | None
    repeats: bool = False
    event_id: int | None = None


@dataclass(frozen=True, slots=True)
class FixtureGame:
    """A game that was opened for a pairing; `key` names the pairing, as given when the game was opened."""

    id: int
    key: str
    channel_id: int
    closed_at: datetime | None


TOURNAMENTS: Final = EventLogs(
    owners=tournaments,
    opener="organiser_id",
    key="tournament_id",
    entries=tournament_events,
    people=tournament_people,
    others=(),
    place="erase-tournament:",
)

_ROW: Final = sa.select(*(tournaments.c[name] for name in TournamentRow.__dataclass_fields__))
_NEWEST: Final = sa.select(sa.func.max(tournament_events.c.version)).where(
    tournament_events.c.tournament_id == sa.bindparam("tournament")
)


class TournamentLogs(Store):
    """Tournaments with their logs.

    A tournament is written only by the process that has its server's shard.
    """

    @writing
    async def open(
        self,
        connection: AsyncConnection,
        *,
        guild_id: int,
        channel_id: int,
        organiser_id: int,
        locale: str,
        at: datetime,
        entries: Sequence[LogEntry],
        joined: Collection[int] = (),
        follows: int | None = None,
    ) -> TournamentRow:
        """Begin a tournament with the first entries of its log (versions from 1).

        `joined` are the people besides the organiser who are named in the entries, so that their data can be found
        later. `follows`: the one of the week before, which has no other then. Raises ChannelBusy if the channel has an
        open tournament, UnknownGame if the one of the week before has been followed already.
        """
        row = {"guild_id": guild_id, "channel_id": channel_id, "organiser_id": organiser_id, "locale": locale}
        opening = sa.insert(tournaments).values(**row, opened_at=at)
        try:
            opened = await connection.execute(opening.returning(tournaments.c.id))
        except IntegrityError as error:
            if is_unique_violation(error):
                raise ChannelBusy(channel_id) from error
            raise
        tournament_id = opened.scalar_one()
        if follows is not None:
            waiting = (tournaments.c.id == follows) & tournaments.c.repeats
            done = await connection.execute(sa.update(tournaments).where(waiting).values(repeats=False))
            if done.rowcount != 1:
                raise UnknownGame(follows)
        _check_order(tournament_id, entries, 0)
        await TOURNAMENTS.insert(connection, tournament_id, entries)
        await TOURNAMENTS.note_people(connection, tournament_id, [organiser_id, *joined])
        found = await _get(connection, tournament_id)
        assert found is not None, "it was inserted"
        return found

    @writing
    async def append(
        self,
        connection: AsyncConnection,
        tournament_id: int,
        entries: Sequence[LogEntry],
        *,
        joined: Collection[int] = (),
        close: bool = False,
        repeats: bool = False,
        verdicts: Collection[Verdict] = (),
    ) -> None:
        """Continue a tournament's log; `close`: this ends the tournament, though it may still be corrected, and with
        `repeats` another is to follow it.

        `joined` are the people named in the entries; `verdicts`: how its matches are to count from now on. Raises
        VersionConflict if the entries don't follow the log's last one, UnknownGame if there is no such tournament.
        """
        if not await TOURNAMENTS.hold(connection, tournament_id):
            raise UnknownGame(tournament_id)
        _check_order(tournament_id, entries, await connection.scalar(_NEWEST, {"tournament": tournament_id}) or 0)
        await TOURNAMENTS.insert(connection, tournament_id, entries)
        await TOURNAMENTS.note_people(connection, tournament_id, joined)
        if close:
            values = {"closed_at": entries[-1].at, "repeats": repeats}
            await connection.execute(sa.update(tournaments).where(tournaments.c.id == tournament_id).values(values))
        await revise(connection, tournament_id, verdicts)

    async def revise(self, tournament_id: int, verdicts: Collection[Verdict]) -> bool:
        """Have matches count as was decided before they were over; returns whether that changed a result."""
        return await self.database.write(revise, tournament_id, verdicts)

    async def get(self, tournament_id: int) -> TournamentRow | None:
        return await self.database.read(_get, tournament_id)

    async def log(self, tournament_id: int) -> list[LogEntry]:
        """A tournament's entries by version; none if there is no such tournament, or its log is no longer kept."""
        return await self.database.read(TOURNAMENTS.log, tournament_id)

    @reading
    async def unfinished(self, connection: AsyncConnection, shards: Shards = ALL) -> list[TournamentRow]:
        """The tournaments of some shards that are open, have a message that doesn't show their end yet or an event that
        isn't deleted yet, or are still to be followed by another."""
        wanted = tournaments.c.closed_at.is_(None) | tournaments.c.message_id.is_not(None) | tournaments.c.repeats
        wanted |= tournaments.c.event_id.is_not(None)
        rows = await connection.execute(_ROW.where(wanted).order_by(tournaments.c.id))
        return [TournamentRow(*row) for row in rows if shards.has(row.guild_id)]

    @writing
    async def give_up(self, connection: AsyncConnection, tournament_id: int, at: datetime) -> None:
        """Close a tournament that can't be read, whatever its rows hold, to free its channel."""
        closed_at = sa.case((tournaments.c.closed_at.is_(None), at), else_=tournaments.c.closed_at)
        values = {"closed_at": closed_at, "message_id": None, "event_id": None, "repeats": False}
        await connection.execute(sa.update(tournaments).where(tournaments.c.id == tournament_id).values(values))

    @reading
    async def games(self, connection: AsyncConnection, tournament_id: int) -> list[FixtureGame]:
        """The games that were opened for a tournament's pairings, the oldest first."""
        columns = (games.c.id, games.c.fixture, games.c.channel_id, games.c.closed_at)
        found = sa.select(*columns).where(games.c.tournament_id == tournament_id).order_by(games.c.id)
        return [FixtureGame(*row) for row in await connection.execute(found)]

    async def set_message(self, tournament_id: int, message_id: int | None) -> None:
        """Store a tournament's public message. Raises UnknownGame."""
        await self.database.write(_set, tournament_id, {"message_id": message_id})

    async def set_event(self, tournament_id: int, event_id: int | None) -> None:
        """Store a tournament's scheduled event on Discord. Raises UnknownGame."""
        await self.database.write(_set, tournament_id, {"event_id": event_id})

    @reading
    async def naming(self, connection: AsyncConnection, user_id: int) -> list[TournamentRow]:
        """The tournaments that name a user, the oldest first."""
        named = _ROW.where(TOURNAMENTS.naming(user_id)).order_by(tournaments.c.id)
        return [TournamentRow(*row) for row in await connection.execute(named)]

    async def forget(
        self, user_id: int, rewriter: Rewriter, *, open_ones: Numbers = (), later: Numbers = (), shards: Shards = ALL
    ) -> int:
        """Erase a user from every tournament, and return how many rows that changed.

        Entries are rewritten by `rewriter`, which knows their format. Open ones are left as they are except
        `open_ones`, to which nobody may write meanwhile; those outside `shards` or in `later` are noted, and
        `erasures_due` reports them to their processes. All or nothing.
        """
        changed = await self.database.write(TOURNAMENTS.forget, user_id, rewriter, open_ones, shards, later)
        await self.database.checkpoint()
        return changed

    async def erasures_due(self, shards: Shards = ALL) -> list[tuple[int, int]]:
        """(tournament, user): tournaments of these shards from which another process wants a user erased."""
        return await self.database.read(TOURNAMENTS.erasures_due, shards)

    async def forget_in(self, tournament_id: int, user_id: int, rewriter: Rewriter) -> int:
        """Erase a user from one tournament, to which nobody may write meanwhile; it is no longer due."""
        changed = await self.database.write(TOURNAMENTS.forget_in, tournament_id, user_id, rewriter)
        await self.database.checkpoint()
        return changed

    async def drop_logs(self, before: datetime) -> int:
        """Drop the logs of tournaments that were closed before `before`, which are few; returns how many."""
        return len(await self.database.write(TOURNAMENTS.drop_old, before))


def _check_order(tournament_id: int, entries: Sequence[LogEntry], version: int) -> None:
    if not entries or not are_consecutive(entries, version + 1):
        raise VersionConflict(tournament_id, entries[0].version if entries else None, version)


async def _get(connection: AsyncConnection, tournament_id: int) -> TournamentRow | None:
    row = (await connection.execute(_ROW.where(tournaments.c.id == tournament_id))).one_or_none()
    return None if row is None else TournamentRow(*row)


async def _set(connection: AsyncConnection, tournament_id: int, values: dict[str, int | None]) -> None:
    change = sa.update(tournaments).where(tournaments.c.id == tournament_id).values(values)
    if (await connection.execute(change)).rowcount != 1:
        raise UnknownGame(tournament_id)


_TOURNAMENTS: Final = "SELECT id, closed_at FROM tournaments ORDER BY id"
_ORPHANS: Final = {
    "events of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_events WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "people of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_people WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "a game of tournament": (
        "SELECT DISTINCT tournament_id FROM games"
        " WHERE tournament_id IS NOT NULL AND tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
}


def raw_tournaments(audit: Audit) -> list[tuple[int, Any, list[RawEntry]]]:
    """Read each tournament's id, the time when it was closed, and its log."""
    return [(row[0], row[1], audit.entries(TOURNAMENTS, row[0])) for row in audit.rows(_TOURNAMENTS)]


def orphans_of_tournaments(audit: Audit) -> list[str]:
    """Describe the rows that belong to a missing tournament."""
    return audit.orphans(_ORPHANS)
