"""The store: games with their event logs, results with their standings, small values."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from bot.club.person import Person
from bot.eventlog.log import LogEntry
from bot.shards import ALL, Shards
from bot.store import key_values, new_ids
from bot.store.backends.append_queue import MOST_ENTRIES
from bot.store.backends.sqlite import SqliteDatabase
from bot.store.club import career, leaderboard, rows
from bot.store.club.career import Aftermath, Career, Duel
from bot.store.club.ratings import Ratings
from bot.store.club.result_rows import ResultRows
from bot.store.club.standing import Leaderboard, LeaderboardPage, Standing
from bot.store.database import BUSY_SECONDS, Database, DiskSpace
from bot.store.errors import Fault
from bot.store.event_logs import Numbers, Rewriter
from bot.store.locations import Location, location_of
from bot.store.replays.own_matches import OwnMatches
from bot.store.rows import GameRow, Judgement, MatchResult, OpenGame, PersonalRows, PracticeRow, ReviewRow
from bot.store.schema import SCHEMA
from bot.store.server import names, preferences, privacy, retention
from bot.store.server.rule_sets import RuleSets
from bot.store.tables import logs
from bot.store.tables.deals import Deals, Draw, Seal
from bot.store.tables.logs import GAMES
from bot.store.tools.backup_folder import BackupFolder
from bot.store.tournaments.logs import TournamentLogs
from bot.store.training import reviews
from bot.store.training.answers import Answers
from bot.store.training.channels import DayChannels
from bot.store.training.days import Days
from bot.store.training.lessons import Lessons
from bot.store.training.luck import MatchLuck
from bot.store.training.practice import PracticePositions


class Store:
    """Everything the bot remembers. Each method is one transaction and can raise StoreUnavailable.

    Cancelling a call doesn't interrupt it: the cancellation is raised when the transaction is over, and what it wrote
    stays written.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read, self._write = database.read, database.write
        self.days = Days(database)
        self.ratings = Ratings(database)
        self.deals = Deals(database)
        self.answers = Answers(database)
        self.day_channels = DayChannels(database)
        self.rule_sets = RuleSets(database)
        self.practice = PracticePositions(database)
        self.lessons = Lessons(database)
        self.luck = MatchLuck(database)
        self.results = ResultRows(database)
        self.tournaments = TournamentLogs(database)
        self.matches = OwnMatches(database)

    @classmethod
    async def open(cls, location: str | Location, *, busy_seconds: float = BUSY_SECONDS) -> Store:
        """Open the database at a path or an address, and bring its tables up to date; a file is created as needed.

        `busy_seconds`: how long to wait while others write or a server is away. Raises InvalidLocation and StoreError.
        """
        await (store := await cls.at(location, busy_seconds=busy_seconds)).begin()
        return store

    @classmethod
    async def at(cls, location: str | Location, *, busy_seconds: float = BUSY_SECONDS) -> Store:
        """Prepare the store at a location; every other method raises StoreUnavailable until `begin` opens the
        database."""
        place = location_of(location)
        if isinstance(place, Path):
            return cls(await SqliteDatabase.at(place, SCHEMA, busy_seconds, BackupFolder(place).name_for_replaced))
        from bot.store.backends.postgres import PostgresDatabase  # with its driver, which a file doesn't need

        return cls(PostgresDatabase(place, SCHEMA, busy_seconds))

    async def begin(self) -> None:
        """Open the database, which may take long if other processes are changing its tables."""
        await self._database.open()

    async def close(self) -> None:
        """Wait for work in progress and close the database. Afterwards every method raises StoreUnavailable."""
        await self._database.close()

    def fence(self, confirm: Callable[[], Awaitable[None]], mark: tuple[str, str] | None = None) -> None:
        """Await `confirm` before each write from now on, and raise what it raises instead of writing; commit nothing
        unless `mark`, a key and its value, is stored, because the process may have been stopped in between."""
        self._database.fence, self._database.mark = confirm, mark

    async def check_version(self) -> None:
        """Raise StoreUnavailable if a newer bot has meanwhile changed the schema so that this one can't go on."""
        await self._database.check_version()

    async def number_from(self, now: datetime) -> None:
        """Give new games, tournaments, rule sets and results ids that weren't given before this time, not even to rows
        that a restored backup doesn't have."""
        await self._write(new_ids.go_on_from, now)

    async def size(self) -> int | None:
        """Count the bytes on the disk; None if that can't be determined now."""
        return await self._database.size()

    async def obstacle(self) -> Fault | None:
        """Find out why the disk would refuse a write now, if that is known; None if nothing is known to be in the way.

        Writes only if the disk has refused the latest write, to see whether it still does.
        """
        return await self._database.obstacle()

    @property
    def detached(self) -> bool:
        """Whether another program has taken a database file's files away, and what they held isn't back yet."""
        return self._database.detached

    def disk_space(self) -> DiskSpace | None:
        """Return the space on the disk of a database file; None for a server's disk."""
        return self._database.disk_space()

    async def checkpoint(self) -> None:
        """Remove as much deleted data from the disk as can be removed at once."""
        await self._database.checkpoint()

    # ------------------------------------------------------------------ games and their logs

    async def open_game(
        self,
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
        where = (guild_id, channel_id, opener_id, locale, at)
        return await self._write(logs.open_game, *where, entries, joined, fixture, seal)

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
    ) -> None:
        """Continue a game's log; with it write a match's result, close the game, or both. All or nothing.

        `broken_off`: it is closed with a rated match that nobody has won. `moved_to`: the game goes on in that channel,
        without a public message. `joined` are the people whom the entries name for the first time: their data can be
        found later. `draw`: the round that they deal.

        The game is closed at the time of the result, else of its latest entry, else of its opening. Raises GameClosed,
        UnknownGame, VersionConflict if entries are missing or another round is due, ChannelBusy if it can't move there.
        """
        if not (entries or result or close):
            return
        logs.check_order(game_id, entries)
        if not (result or close or joined or moved_to or draw) and len(entries) <= MOST_ENTRIES:
            await self._database.append(GAMES, game_id, entries)
            return
        stored = None if result is None else privacy.without_stand_ins(result)
        await self._write(logs.append, game_id, entries, joined, stored, close, broken_off, moved_to, draw)

    async def set_message(self, game_id: int, message_id: int | None, at: datetime | None) -> int | None:
        """Store a game's public message and when it was posted. Raises UnknownGame.

        If nothing has been dealt yet, it is dealt by this message from now on; then returns how often it was posted.
        """
        return await self._write(logs.set_message, game_id, message_id, at)

    async def set_locale(self, game_id: int, locale: str) -> None:
        """Change the language of a game's public messages. Raises UnknownGame."""
        await self._write(logs.set_locale, game_id, locale)

    async def open_games(self, playing: str, shards: Shards = ALL) -> list[OpenGame]:
        """List the open games, the oldest first, without reading their logs. One with an entry `playing` is being
        played."""
        return await self._read(logs.open_games, playing, shards)

    async def open_alone(self, user_id: int, playing: str) -> OpenGame | None:
        """Find the open game of a user who plays alone in private, without reading its log; `playing` as above."""
        return await self._read(logs.open_alone, user_id, playing)

    async def latest_alone(self, user_id: int) -> int | None:
        """Find the latest game that a user has played alone in private, and that is over."""
        return await self._read(logs.latest_alone, user_id)

    async def idle_alone(self, before: datetime, *, limit: int) -> list[int]:
        """List some users who play alone in private, and haven't done anything in that game since a time."""
        return await self._read(logs.idle_alone, before, limit)

    async def unshown_ends(self, shards: Shards = ALL) -> list[int]:
        """List the ids of the closed games that still have a public message: their end hasn't been shown."""
        return await self._read(logs.unshown_ends, shards)

    async def newest_event(self) -> datetime | None:
        return await self._read(logs.newest_event)

    async def give_up(self, game_id: int, at: datetime) -> None:
        """Close a game that can't be read, whatever its rows hold, to free its channel."""
        await self._write(logs.give_up, game_id, at)

    async def game(self, game_id: int) -> GameRow | None:
        return await self._read(logs.game, game_id)

    async def broken_off(self, guild_id: int, most: int) -> list[int]:
        """List the latest games of a server that ended with a rated match that nobody has won, the latest first."""
        return await self._read(logs.broken_off, guild_id, most)

    async def opened_since(self, before: GameRow, people: Collection[int]) -> bool:
        """Whether one of these people has opened a game on the same server after this one."""
        return await self._read(logs.opened_since, before, people)

    async def log(self, game_id: int) -> list[LogEntry]:
        """Read a game's entries by version; none for a game that doesn't exist."""
        return await self._read(GAMES.log, game_id)

    async def games_and_logs(self, game_ids: Collection[int]) -> dict[int, tuple[GameRow, list[LogEntry]]]:
        """Read games with their logs, as `game` and `log` return each; for many at once this is much less work.

        Raises RowDamaged if any of them holds an invalid timestamp: then read each by itself.
        """
        return await self._read(logs.games_and_logs, game_ids)

    # ------------------------------------------------------------------ standings

    async def leaderboard(self, guild_id: int, which: Leaderboard, *, limit: int, offset: int) -> LeaderboardPage:
        """Read a page of the guild's players by their ranked matches.

        Order: the metric, then wins, rate, points, each from high to low, then the user's id.
        """
        return await self._read(leaderboard.page, guild_id, which, limit, offset)

    async def standing(self, guild_id: int, user_id: int, which: Leaderboard) -> Standing | None:
        """Read a user's own row of that leaderboard; None if the user isn't in it."""
        return await self._read(leaderboard.own_row, guild_id, user_id, which)

    async def seasons_before(self, guild_id: int, season: str, *, limit: int) -> list[str]:
        """List the latest seasons before this one, and of the same length, in which a guild has had a ranked match."""
        return await self._read(leaderboard.seasons_before, guild_id, season, limit)

    async def duel(self, guild_id: int, user_id: int, rival_id: int) -> Duel | None:
        """Read a user's record against another in a guild; None if they have never met in a match that counts."""
        return await self._read(career.duel, guild_id, user_id, rival_id)

    async def stats(self, guild_id: int, user_id: int) -> Standing:
        """Read a user's standing of all time in a guild, ranked by wins; all zero for a user who never played there."""
        return await self._read(leaderboard.stats, guild_id, user_id)

    async def career(self, guild_id: int | None, user_id: int) -> Career:
        return await self._read(career.career, guild_id, user_id)

    async def aftermath(self, guild_id: int, game_id: int, people: Collection[int]) -> Aftermath:
        """Read what the finished match of a game has brought some people."""
        return await self._read(career.aftermath, guild_id, game_id, people)

    async def wrong_standings(self, guild_id: int) -> list[str]:
        """Report how a server's standings differ from its results, one line per difference. Reads all results."""
        return await self._read(rows.differences, guild_id)

    async def servers_with_standings(self) -> list[int]:
        return await self._read(rows.servers)

    async def keep_review(
        self, game_id: int, user_id: int, judgement: Judgement, missed: Sequence[PracticeRow] = ()
    ) -> bool:
        """Store the outcome of a user's review of a match, and what they `missed`, once; return whether it is new.

        Nothing is stored if the user has no result in it: the match isn't over, or the user was erased.
        """
        return await self._write(reviews.put, game_id, user_id, judgement, missed)

    async def reviews(self, guild_id: int | None, user_id: int, *, limit: int) -> list[ReviewRow]:
        """A user's reviews in a guild, those of the latest matches first."""
        return await self._read(reviews.latest, guild_id, user_id, limit)

    # ------------------------------------------------------------------ one user's data

    async def personal_data(self, user_id: int) -> PersonalRows:
        async with self._database.searching:
            return await self._read(privacy.personal_data, user_id)

    async def forget(
        self, user_id: int, rewriter: Rewriter, *, open_games: Numbers = (), later: Numbers = (), shards: Shards = ALL
    ) -> int:
        """Erase a user from every row and return how many rows that changed: none the second time.

        Their results stay, without id and name, so that the others' stay right. `rewriter` knows the entries' format.
        Open games are left as they are except `open_games`, to which nobody may write meanwhile; those outside `shards`
        or in `later` are noted, and `erasures_due` reports them to their processes. All or nothing.
        """
        changed = await self._write(privacy.forget, user_id, rewriter, open_games, shards, later)
        await self._database.checkpoint()
        return changed

    async def note_erasure(self, user_id: int, at: datetime) -> None:
        """Note beside a file's backups that a user is being erased, so that restoring one erases them again."""
        if isinstance(self._database, SqliteDatabase):
            await asyncio.to_thread(BackupFolder(self._database.path).note_erasure, user_id, at)

    async def erasures_due(self, shards: Shards = ALL) -> list[tuple[int, int]]:
        """List the open games of these shards from which another process wants a user erased, each as (game, user)."""
        return await self._read(GAMES.erasures_due, shards)

    async def forget_in(self, game_id: int, user_id: int, rewriter: Rewriter) -> int:
        """Erase a user from one game without a result, to which nobody may write meanwhile; it is no longer due."""
        changed = await self._write(GAMES.forget_in, game_id, user_id, rewriter)
        await self._database.checkpoint()
        return changed

    async def is_outdated(self, guild_id: int, person: Person) -> bool:
        """Whether a server's standings, daily puzzles, or open games and tournaments name a person otherwise."""
        return await self._read(names.is_outdated, guild_id, person)

    async def rename_in_logs(self, guild_id: int, person: Person) -> tuple[list[int], list[int]]:
        """Replace a person's former name in a server's open games and tournaments; return all that name them."""
        return await self._write(names.rename_in_logs, guild_id, person)

    async def rename(self, guild_id: int, person: Person) -> None:
        """Replace a person's former name in a server's standings and daily puzzles."""
        await self._write(names.rename, guild_id, person)

    async def all_choices(self) -> dict[int, str]:
        return await self._read(preferences.everybody)

    async def choices(self, user_id: int) -> str | None:
        return await self._read(preferences.get, user_id)

    async def set_choices(self, user_id: int, choices: str | None) -> None:  # None removes them
        await self._write(preferences.put, user_id, choices)

    async def drop_logs(self, before: datetime, *, after_id: int = 0) -> list[int]:
        """Drop the logs of some games that were closed before `before`; return ids in order, all after `after_id`."""
        return await self._write(retention.drop_logs, before, after_id)

    async def drop_games(self, guild_id: int) -> int:
        """Drop some closed games of a server, and its id from some answers; return how many, 0 if none are left."""
        return await self._write(retention.drop_games, guild_id)

    async def drop_rest(self, guild_id: int, keys: Collection[str]) -> bool:
        """Drop all other data of a server; return False, and do nothing, while it has games."""
        return await self._write(retention.drop_rest, guild_id, keys)

    async def guilds(self) -> list[int]:
        """List the servers with data that is dropped some time after the bot has left them."""
        return await self._read(retention.guilds)

    async def departed(self) -> dict[int, datetime]:
        """Return the time when the bot left each server that it is no longer in."""
        return await self._read(retention.departed)

    async def depart(self, guild_ids: Collection[int], at: datetime) -> None:
        """Note that the bot has left servers; an earlier note stands."""
        await self._write(retention.depart, guild_ids, at)

    async def rejoin(self, guild_ids: Collection[int]) -> None:
        """Remove the notes that servers were left: the bot is in them."""
        await self._write(retention.rejoin, guild_ids)

    async def get_value(self, key: str) -> str | None:
        return await self._read(key_values.get, key)

    async def values_of(self, prefix: str) -> dict[str, str]:
        """Return the values of all keys with a prefix, by the rest of the key."""
        return await self._read(key_values.with_prefix, prefix)

    async def set_value(self, key: str, value: str | None) -> None:
        """Set the value of a key; None removes the key."""
        await self._write(key_values.put, key, value)

    async def add_value(
        self, key: str, value: str, *, instead_of: str | None = None, along: Mapping[str, str | None] | None = None
    ) -> bool:
        """Set a key's value if it has none, or with `instead_of` if it has that one; return whether it was set.

        If it was, so were the values `along` of other keys, all at once; None removes a key.
        """
        return await self._write(key_values.add, key, value, instead_of, along)
