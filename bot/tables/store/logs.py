"""Games and their logs: opening, continuing and closing them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.store import rows as standing_rows
from bot.club.store.results import MatchResult, without_stand_ins
from bot.platform.database.appended_logs import AppendedLogs
from bot.platform.database.database import MOST_ENTRIES, Store, reading, writing
from bot.platform.database.errors import VersionConflict, is_unique_violation
from bot.platform.database.event_logs import are_consecutive, in_shards
from bot.platform.eventlog import LogEntry
from bot.platform.shards import ALL, Shards
from bot.schema.tables import deals, events, games, participants
from bot.tables.log.ahead import Ahead
from bot.tables.log.evenings import Part
from bot.tables.store import ahead as named
from bot.tables.store import deals as drawing
from bot.tables.store import evenings, votes
from bot.tables.store import faces as shown
from bot.tables.store.deals import Draw, Seal
from bot.tables.store.errors import ChannelBusy, FixtureOpened, GameClosed, UnknownGame
from bot.tables.store.faces import Shown
from bot.tables.store.rows import GameRow, OpenGame
from bot.tables.store.votes import Crowds

GAMES: Final = AppendedLogs(
    owners=games,
    opener="opener_id",
    key="game_id",
    entries=events,
    people=participants,
    others=(deals,),
    place="erase:",
    unknown=UnknownGame,
    closed=GameClosed,
)

# Statements that run with every click are built once; only their values change.
GAME: Final = sa.select(
    games.c.id,
    games.c.guild_id,
    games.c.channel_id,
    games.c.opener_id,
    games.c.locale,
    games.c.opened_at,
    games.c.closed_at,
    games.c.message_id,
    games.c.message_at,
    deals.c.commitment,
    sa.func.coalesce(deals.c.posted, 0),
    games.c.gains_by_play,
).select_from(games.outerjoin(deals))
"""The columns of a `GameRow`."""
_CLOSE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(closed_at=sa.bindparam("moment"), broken_off=sa.bindparam("early"))
)
_SET_MESSAGE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(message_id=sa.bindparam("message"), message_at=sa.bindparam("moment"))
)


class Games(Store):
    """Games with their logs."""

    @writing
    async def open(
        self,
        connection: AsyncConnection,
        *,
        guild_id: int | None,
        channel_id: int | None,
        opener_id: int,
        locale: str,
        at: datetime,
        entries: Sequence[LogEntry],
        joined: Collection[int] = (),
        fixture: tuple[int, str] | None = None,
        seal: Seal | None = None,
    ) -> GameRow:
        """Begin a game with the first entries of its log (versions from 1; there may be none).

        Without a server and a channel its opener plays alone in private; each person has at most one such open game.

        `joined`: the people besides the opener whom the entries name, so that their data can be found. `fixture`: its
        tournament and pairing. `seal`: the seed it is dealt with. Raises ChannelBusy, FixtureOpened.
        """
        if not are_consecutive(entries, 1):
            raise VersionConflict(None, 1, None)
        tournament_id, key = fixture or (None, None)
        if tournament_id is not None:
            same = sa.select(games.c.id).where(games.c.tournament_id == tournament_id, games.c.fixture == key)
            if await connection.scalar(same) is not None:
                raise FixtureOpened(tournament_id, str(key))
        whose = {"guild_id": guild_id, "channel_id": channel_id, "opener_id": opener_id, "locale": locale}
        fixed = {"opened_at": at, "tournament_id": tournament_id, "fixture": key, "gains_by_play": True}
        opening = sa.insert(games).values(**whose, **fixed)
        try:
            game_id = (await connection.execute(opening.returning(games.c.id))).scalar_one()
        except IntegrityError as error:
            if is_unique_violation(error):
                raise ChannelBusy(channel_id) from error
            raise
        if seal is not None:
            await drawing.begin(connection, game_id, seal)
        await GAMES.insert(connection, game_id, entries)
        await GAMES.note_people(connection, game_id, [opener_id, *joined])
        return GameRow(*(await connection.execute(GAME.where(games.c.id == game_id))).one())

    async def append(
        self,
        game_id: int,
        entries: Sequence[LogEntry],
        *,
        joined: Collection[int] = (),
        result: MatchResult | None = None,
        close: bool = False,
        broken_off: bool = False,
        moved_to: int | None = None,
        draw: Draw | None = None,
        spent: Collection[int] = (),
        part: Part | None = None,
        faceless: bool = False,
        voteless: Collection[int] = (),
    ) -> None:
        """Continue a game's log; with it write a match's result, close the game, or both. All or nothing.

        `broken_off`: it is closed with a rated match that nobody has won. `moved_to`: the game goes on in that channel,
        without a public message. `joined` are the people whom the entries name for the first time: their data can be
        found later. `draw`: the round they deal. `spent`: whose cards named ahead are forgotten. `part`: in an evening.
        `faceless`: the faces that people show are gone. `voteless`: those whose votes are gone.

        The game is closed at the time of the result, else of its latest entry, else of its opening. Raises GameClosed,
        UnknownGame, VersionConflict if entries are missing or another round is due, ChannelBusy if it can't move there.
        """
        if not (entries or result or close):
            return
        if entries and not are_consecutive(entries, entries[0].version):
            raise VersionConflict(game_id, entries[0].version, None)
        if (
            not (result or close or joined or moved_to or draw or spent or faceless or voteless)
            and len(entries) <= MOST_ENTRIES
        ):
            await self.database.append(GAMES, game_id, entries)
            return
        stored = None if result is None else without_stand_ins(result)
        how = (joined, stored, close, broken_off, moved_to, draw, spent, part, faceless, voteless)
        await self.database.write(_append, game_id, entries, *how)

    async def ahead_of(self, game_id: int, user_id: int) -> Ahead | None:
        """Read the card that a user has named ahead in a game."""
        return await self.database.read(named.of, game_id, user_id)

    async def name_ahead(self, game_id: int, user_id: int, ahead: Ahead | None) -> None:
        """Keep the card that a user names ahead in a game, in place of any other; None forgets it."""
        await self.database.write(named.put, game_id, user_id, ahead)

    async def press_face(self, game_id: int, user_id: int, deal: str, face: str) -> Shown:
        """Show a user's face in place of another, or take it back if it is shown; returns all of that deal."""
        return await self.database.write(shown.press, game_id, user_id, deal, face)

    async def vote(self, game_id: int, number: int, user_id: int, side: int) -> Mapping[int, int]:
        """Keep a user's vote about who wins a round, in place of an earlier one; return all votes about it."""
        return await self.database.write(votes.cast, game_id, number, user_id, side)

    async def crowds_of(self, game_ids: Collection[int]) -> Crowds:
        """Read the faces that people show at tables, and their votes."""
        return await self.database.read(votes.crowds, game_ids)

    @writing
    async def set_message(
        self, connection: AsyncConnection, game_id: int, message_id: int | None, at: datetime | None
    ) -> int | None:
        """Store a game's public message and when it was posted. Raises UnknownGame.

        If nothing has been dealt yet, it is dealt by this message from now on; then returns how often it was posted.
        """
        values = {"game": game_id, "message": message_id, "moment": at}
        if (await connection.execute(_SET_MESSAGE, values)).rowcount != 1:
            raise UnknownGame(game_id)
        return None if message_id is None else await drawing.note_message(connection, game_id, message_id)

    @writing
    async def set_locale(self, connection: AsyncConnection, game_id: int, locale: str) -> None:
        """Change the language of a game's public messages. Raises UnknownGame."""
        changed = await connection.execute(sa.update(games).where(games.c.id == game_id).values(locale=locale))
        if changed.rowcount != 1:
            raise UnknownGame(game_id)

    @reading
    async def open_games(self, connection: AsyncConnection, playing: str, shards: Shards = ALL) -> list[OpenGame]:
        """List the open games, the oldest first, without reading their logs.

        One with an entry `playing` is being played. The games of those who play alone in private are in no shard.
        """
        # Open games are few: the index over their channels finds them, and one over shards wouldn't pay.
        begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
        open_ones = sa.select(games.c.id, games.c.guild_id, games.c.channel_id, games.c.opener_id, begun)
        here = (games.c.closed_at.is_(None), games.c.guild_id.is_not(None), in_shards(games.c.guild_id, shards))
        rows = await connection.execute(open_ones.where(*here))
        # Sorted here: to have them in order SQLite would go through all games by their ids.
        return [OpenGame(*row[:4], playing=bool(row[4])) for row in sorted(rows, key=lambda row: row.id)]

    @reading
    async def running(self, connection: AsyncConnection, user_id: int) -> list[GameRow]:
        """Read the open games whose logs name a person, the latest first, on all servers."""
        named = GAME.join(participants, participants.c.game_id == games.c.id)
        found = named.where(participants.c.user_id == user_id, games.c.closed_at.is_(None))
        return [GameRow(*row) for row in await connection.execute(found.order_by(games.c.id.desc()))]

    @reading
    async def ended(self, connection: AsyncConnection, user_id: int, since: datetime, until: datetime) -> list[int]:
        """List the games whose logs name a person and that were closed after a time and no later than another, the
        latest first."""
        named = sa.select(games.c.id).join(participants, participants.c.game_id == games.c.id)
        found = named.where(participants.c.user_id == user_id, games.c.closed_at > since, games.c.closed_at <= until)
        return list(await connection.scalars(found.order_by(games.c.closed_at.desc(), games.c.id.desc())))

    @reading
    async def unshown_ends(self, connection: AsyncConnection, shards: Shards = ALL) -> list[int]:
        """List the ids of the closed games that still have a public message: their end hasn't been shown."""
        ended = (games.c.closed_at.is_not(None), games.c.message_id.is_not(None), in_shards(games.c.guild_id, shards))
        return list(await connection.scalars(sa.select(games.c.id).where(*ended).order_by(games.c.id)))

    async def newest_event(self) -> datetime | None:
        """Return the time of the newest entry in the logs of all open games."""
        open_ones = sa.select(games.c.id).where(games.c.closed_at.is_(None))  # joined, all events would be read instead
        newest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id.in_(open_ones))
        return await self.database.read(lambda connection: connection.scalar(newest))

    @writing
    async def give_up(self, connection: AsyncConnection, game_id: int, at: datetime) -> None:
        """Close a game that can't be read, whatever its rows hold, to free its channel."""
        closed_at = sa.case((games.c.closed_at.is_(None), at), else_=games.c.closed_at)
        values = {"closed_at": closed_at, "message_id": None, "message_at": None}
        await connection.execute(sa.update(games).where(games.c.id == game_id).values(values))
        for its in (named, shown, votes):
            await its.drop(connection, [game_id])

    @reading
    async def get(self, connection: AsyncConnection, game_id: int) -> GameRow | None:
        row = (await connection.execute(GAME.where(games.c.id == game_id))).one_or_none()
        return None if row is None else GameRow(*row)

    @reading
    async def broken_off(self, connection: AsyncConnection, guild_id: int, most: int) -> list[int]:
        """List the latest games of a server that ended with a rated match that nobody has won, the latest first."""
        found = sa.select(games.c.id).where(games.c.guild_id == guild_id, sa.text("broken_off"))  # as the index has it
        return list(await connection.scalars(found.order_by(games.c.id.desc()).limit(most)))

    @reading
    async def opened_since(self, connection: AsyncConnection, before: GameRow, people: Collection[int]) -> bool:
        """Whether one of these people has opened a game on the same server after this one."""
        later = (games.c.opener_id.in_(people), games.c.id > before.id, games.c.guild_id == before.guild_id)
        return await connection.scalar(sa.select(games.c.id).where(*later).limit(1)) is not None

    @reading
    async def played_between(
        self, connection: AsyncConnection, channel_id: int | None, first: int, last: int, playing: str
    ) -> bool:
        """Whether a channel has had a game with an entry `playing` that was opened between two others."""
        begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
        between = games.c.channel_id == channel_id, games.c.id > first, games.c.id < last
        return await connection.scalar(sa.select(games.c.id).where(*between, begun).limit(1)) is not None

    @reading
    async def unplayed(
        self, connection: AsyncConnection, opener_id: int, named_id: int, since: datetime, playing: str
    ) -> list[int]:
        """List the games that somebody opened, whose logs name somebody else, and that are open or were closed after a
        time, all without an entry `playing`."""
        begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
        named = sa.exists().where(participants.c.game_id == games.c.id, participants.c.user_id == named_id)
        late = games.c.closed_at.is_(None) | (games.c.closed_at > since)
        found = sa.select(games.c.id).where(games.c.opener_id == opener_id, late, named, ~begun)
        return list(await connection.scalars(found.order_by(games.c.id)))

    async def log(self, game_id: int) -> list[LogEntry]:
        """Read a game's entries by version; none for a game that doesn't exist."""
        return await self.database.read(GAMES.log, game_id)

    @reading
    async def with_logs(
        self, connection: AsyncConnection, game_ids: Collection[int]
    ) -> dict[int, tuple[GameRow, list[LogEntry]]]:
        """Read games with their logs, as `get` and `log` return each; for many at once this is much less work.

        Raises RowDamaged if any of them holds an invalid timestamp: then read each by itself.
        """
        rows = await connection.execute(GAME.where(games.c.id.in_(game_ids)))
        entries = await GAMES.logs(connection, game_ids)
        return {row.id: (GameRow(*row), entries[row.id]) for row in rows}


async def _append(
    connection: AsyncConnection,
    game_id: int,
    entries: Sequence[LogEntry],
    joined: Collection[int],
    result: MatchResult | None,
    close: bool,
    broken_off: bool,
    moved_to: int | None,
    draw: Draw | None,
    spent: Collection[int],
    part: Part | None,
    faceless: bool,
    voteless: Collection[int],
) -> None:
    await GAMES.hold(connection, game_id)
    state = (await connection.execute(GAMES.state, {"owner": game_id})).one_or_none()
    first = entries[0].version if entries else None
    if state is None or state.closed or first not in (None, state.version + 1):
        raise GAMES.conflict(game_id, first, state)
    if draw is not None and not await drawing.note_draw(connection, game_id, draw):
        raise VersionConflict(game_id, state.version + 1, state.version)
    await GAMES.insert(connection, game_id, entries)
    played = [player.user_id for player in result.players if player.user_id is not None] if result else []
    await GAMES.note_people(connection, game_id, [*joined, *played])
    if result:
        await standing_rows.add(connection, game_id, state.version + len(entries), result)
        await evenings.add(connection, game_id, result, part)
    for user_id in spent:
        await named.put(connection, game_id, user_id, None)
    if moved_to is not None:
        await _move(connection, game_id, moved_to)
    if close:
        moment = result.ended_at if result else entries[-1].at if entries else await _last_at(connection, game_id)
        await connection.execute(_CLOSE, {"game": game_id, "moment": moment, "early": broken_off})
        await named.drop(connection, [game_id])
    if close or faceless:
        await shown.drop(connection, [game_id])
    if voteless:
        await votes.withdraw(connection, game_id, voteless)
    if close and (result is None or part is None):
        await votes.drop(connection, [game_id])


async def _move(connection: AsyncConnection, game_id: int, channel_id: int) -> None:
    values = {"channel_id": channel_id, "message_id": None, "message_at": None}
    await drawing.note_message(connection, game_id, None)
    try:
        await connection.execute(sa.update(games).where(games.c.id == game_id).values(values))
    except IntegrityError as error:
        if is_unique_violation(error):
            raise ChannelBusy(channel_id) from error
        raise


async def _last_at(connection: AsyncConnection, game_id: int) -> datetime | None:
    """The time of the latest entry, or of the game's opening."""
    latest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id == game_id).scalar_subquery()
    return await connection.scalar(sa.select(sa.func.coalesce(latest, games.c.opened_at)).where(games.c.id == game_id))
