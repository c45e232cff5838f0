"""One user's data in all guilds: reading it, renaming them, and erasing them."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.rating import Rating
from bot.club.store import achievements as achieved
from bot.club.store import gains, given_roles, marks, rivals
from bot.club.store import rows as standing_rows
from bot.club.store.given_roles import Given
from bot.club.store.marks import Marks
from bot.club.store.results import PLAYER_COLUMNS, MatchResult, PlayerResult
from bot.club.store.rule_sets import RuleSetRow
from bot.platform.database import preferences
from bot.platform.database.base import people, read_pair, write_pair
from bot.platform.database.database import Database, Store, reading, writing
from bot.platform.database.event_logs import Numbers, Rewriter
from bot.platform.database.postgres_server import lock_server
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.database.tools.backup_folder import ERASURES_DONE, BackupFolder, with_erasure
from bot.platform.outside import read_json
from bot.platform.people import NOBODY, Person
from bot.platform.shards import ALL, Shards
from bot.privacy.store.retention import drop_whole
from bot.schema.club import achievements, standings
from bot.schema.server import rule_sets
from bot.schema.tables import games, result_players, results
from bot.schema.training import day_answers
from bot.tables.log.ahead import Ahead
from bot.tables.store import ahead as named
from bot.tables.store import digests, votes
from bot.tables.store import faces as shown
from bot.tables.store.logs import GAME, GAMES
from bot.tables.store.rows import GameRow
from bot.tournaments.store.logs import TOURNAMENTS
from bot.training.store import answers, lessons, practice
from bot.training.store.rows import DayAnswer, LessonRow, PracticeRow, ReviewRow


class GuildNames(Store):
    """The names that servers show people by."""

    @reading
    async def is_outdated(self, connection: AsyncConnection, guild_id: int, person: Person) -> bool:
        """Whether a server's standings, daily puzzles, or open games and tournaments name a person otherwise."""
        found = (
            sa.exists().where(table.c.user_id == person.id, table.c.guild_id == guild_id, table.c.name != person.name)
            for table in (standings, day_answers)
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


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """The stored data about one user: games that may name them, (game id, result) with only their own seat in it, their
    preferences if there are any, their reviews, (server, matches, wins, losses) against each other person, the
    positions that they practise, their progress in lessons, their answers to days' positions, (server, achievement,
    time) for their achievements, the rule sets that they have saved for servers, (server, day, thousandths of a point)
    for what their rating has gained from each other person, what is noted about a private message that they are
    still to get, (game, card) for the cards that they have named ahead, (game, face) for the faces that they show,
    (game, round, side) for their votes, and the roles that came with podiums; those of the games whose rated match
    ended early; and by when they had chosen something."""

    games: tuple[GameRow, ...]
    results: tuple[tuple[int, MatchResult], ...]
    choices: str | None = None
    reviews: tuple[ReviewRow, ...] = ()
    rivals: tuple[tuple[int, int, int, int], ...] = ()
    practice: tuple[PracticeRow, ...] = ()
    lessons: tuple[LessonRow, ...] = ()
    answers: tuple[DayAnswer, ...] = ()
    achievements: tuple[tuple[int, str, datetime], ...] = ()
    rule_sets: tuple[RuleSetRow, ...] = ()
    gains: tuple[tuple[int, str, int], ...] = ()
    owed: str | None = None
    ahead: tuple[tuple[int, Ahead], ...] = ()
    faces: tuple[tuple[int, str], ...] = ()
    votes: tuple[tuple[int, int, int], ...] = ()
    roles: tuple[Given, ...] = ()
    broken_off: frozenset[int] = frozenset()
    chosen_at: datetime | None = None


_OF_RESULTS: Final = [name for name in MatchResult.__dataclass_fields__ if name != "players"]


class PersonalData(Store):
    """The rows about single users, in all guilds."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._noted: dict[int, datetime] = {}
        """By user, when the erasure that is under way was noted beside the backups."""

    async def of(self, user_id: int) -> PersonalRows:
        """Read all rows about a user."""
        async with self.database.searching:
            return await self.database.read(_rows_of, user_id)

    async def marks_of(self, user_id: int, at: datetime) -> Marks:
        """Read what is still marked of a user who has erased their data, or has played with somebody who has."""
        return await self.database.read(marks.of_user, user_id, at)

    async def forget(
        self,
        user_id: int,
        rewriter: Rewriter,
        at: datetime,
        *,
        open_games: Numbers = (),
        later: Numbers = (),
        shards: Shards = ALL,
    ) -> int:
        """Erase a user from every row and return how many rows that changed: none the second time.

        Their results stay, without id and name, so that the others' stay right; and under a mark, for a time, what
        limits on ratings need to know (see `bot.club.store.marks`). What they have played alone in private
        is deleted: it is nobody else's. `rewriter` knows the entries' format. Open games are left as they are except
        `open_games`, to which nobody may write meanwhile; those outside `shards` or in `later` are noted, and
        `erasures_due` reports them to their processes. All or nothing.
        """
        changed = await self.database.write(_forget, user_id, rewriter, at, open_games, shards, later)
        await self.database.checkpoint()
        return changed

    async def note_erasure(self, user_id: int, at: datetime) -> None:
        """Note beside a file's backups that a user is being erased, so that restoring one erases them again."""
        if isinstance(self.database, SqliteDatabase):
            await asyncio.to_thread(BackupFolder(self.database.path).note_erasure, user_id, at)
            self._noted[user_id] = at

    async def erasure_done(self, user_id: int, at: datetime | None = None) -> None:
        """Note in a file, and so in its backups, that an erasure is complete, by its note's time; not whose it was.

        `at`: that time, unless this process has noted it.
        """
        if (at := self._noted.pop(user_id, at)) is not None:
            await self.database.write(_note_done, at)

    async def erasures_due(self, shards: Shards = ALL) -> list[tuple[int, int]]:
        """List the open games of these shards from which another process wants a user erased, each as (game, user)."""
        return await self.database.read(GAMES.erasures_due, shards)

    async def forget_in(self, game_id: int, user_id: int, rewriter: Rewriter) -> int:
        """Erase a user from one game without a result, to which nobody may write meanwhile; it is no longer due."""
        changed = await self.database.write(GAMES.forget_in, game_id, user_id, rewriter)
        await self.database.checkpoint()
        return changed


async def _note_done(connection: AsyncConnection, at: datetime) -> None:
    done = read_json(await read_pair(connection, ERASURES_DONE) or "[]")
    await write_pair(connection, ERASURES_DONE, json.dumps(with_erasure(done, at)))


async def _rows_of(connection: AsyncConnection, user_id: int) -> PersonalRows:
    played = sa.select(results.c.game_id).join(result_players).where(result_players.c.user_id == user_id)
    theirs = GAMES.naming(user_id) | games.c.id.in_(played)
    own_games = await connection.execute(GAME.where(theirs).order_by(games.c.id))
    own_results = await connection.execute(
        sa.select(
            results.c.game_id,
            *(results.c[name] for name in _OF_RESULTS),
            *(result_players.c[name] for name in PLAYER_COLUMNS),
        )
        .join_from(result_players, results)
        .where(result_players.c.user_id == user_id)
        .order_by(results.c.id)
    )
    # In a thread, because there may be very many.
    games_, results_ = await asyncio.to_thread(lambda: ([GameRow(*row) for row in own_games], _results(own_results)))
    servers = await standing_rows.servers_of(connection, user_id)
    return PersonalRows(
        tuple(games_),
        tuple(results_),
        await preferences.get(connection, user_id),
        tuple(await practice.of_user(connection, user_id)),
        await rivals.of_user(connection, user_id, servers),
        tuple(await practice.rows_of(connection, user_id)),
        lessons=tuple(await lessons.of_user(connection, user_id)),
        answers=tuple(await answers.of_user(connection, user_id)),
        achievements=await achieved.everywhere(connection, user_id),
        rule_sets=tuple(await _saved_rule_sets(connection, user_id)),
        gains=await gains.of_user(connection, user_id, servers),
        owed=await digests.owed(connection, user_id),
        ahead=await named.of_user(connection, user_id),
        faces=await shown.of_user(connection, user_id),
        votes=await votes.of_user(connection, user_id),
        roles=tuple(await given_roles.of_user(connection, user_id)),
        chosen_at=await connection.scalar(sa.select(people.c.chosen_at).where(people.c.user_id == user_id)),
        broken_off=frozenset(await connection.scalars(sa.select(games.c.id).where(theirs, games.c.broken_off))),
    )


async def _saved_rule_sets(connection: AsyncConnection, user_id: int) -> list[RuleSetRow]:
    columns = (rule_sets.c[name] for name in RuleSetRow.__dataclass_fields__)
    own = sa.select(*columns).where(rule_sets.c.saved_by == user_id).order_by(rule_sets.c.id)
    return [RuleSetRow(*row) for row in await connection.execute(own)]


def _results(rows: Iterable[sa.Row[Any]]) -> list[tuple[int, MatchResult]]:
    width = len(PLAYER_COLUMNS)
    return [
        (
            row[0],
            MatchResult(**dict(zip(_OF_RESULTS, row[1:-width], strict=True)), players=(PlayerResult(*row[-width:]),)),
        )
        for row in rows
    ]


async def _forget(
    connection: AsyncConnection,
    user_id: int,
    rewriter: Rewriter,
    at: datetime,
    open_games: Numbers,
    shards: Shards,
    later: Numbers,
) -> int:
    touched = await _drop_alone(connection, user_id) + await named.forget(connection, user_id)
    looked_on = {row[0] for its in (shown, votes) for row in await its.of_user(connection, user_id)}
    touched += await shown.forget(connection, user_id) + await votes.forget(connection, user_id)
    touched += await GAMES.forget(connection, user_id, rewriter, open_games, shards, later, besides=looked_on)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await lock_server(connection, guild_id)  # before its results are written to, as wherever these change
        await marks.leave(connection, guild_id, user_id, at)
    # Their ratings would link each of their matches to the next one. Older bots need some, and get a newcomer's.
    entered = {name: sa.case((result_players.c[name].is_not(None), value)) for name, value in asdict(Rating()).items()}
    players = await connection.execute(
        sa.update(result_players)
        .where(result_players.c.user_id == user_id)
        .values(user_id=None, name=NOBODY, **entered, new_mu=None, new_sigma=None, weight=None, nth=None)
    )
    own = await connection.execute(sa.delete(achievements).where(achievements.c.user_id == user_id))
    touched += players.rowcount + own.rowcount + await practice.forget(connection, user_id)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await standing_rows.recount(connection, guild_id, [user_id])
    await digests.forget(connection, user_id)
    await given_roles.forget(connection, user_id)
    return touched + await preferences.forget(connection, user_id)


async def _drop_alone(connection: AsyncConnection, user_id: int) -> int:
    own = sa.select(games.c.id).where(games.c.opener_id == user_id, games.c.channel_id.is_(None))
    played = sa.select(results.c.game_id).join(result_players)
    played = played.where(results.c.channel_id.is_(None), result_players.c.user_id == user_id)  # its log may be gone
    found = list(await connection.scalars(own.union(played)))
    for number in sorted(found):
        await GAMES.hold(connection, number)
    await drop_whole(connection, found)
    return len(found)
