"""The store: games with their event logs, results with their standings, small values."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import keeping, logs, people, privacy, reviews, standing_rows, standings, values
from bot.store.backends.port import BUSY_SECONDS
from bot.store.engine import Database
from bot.store.places import Place
from bot.store.rows import (
    GameRow,
    LogEntry,
    MatchResult,
    Metric,
    OpenGame,
    Page,
    PersonalRows,
    PlayerStats,
    RankedRow,
    ReviewRow,
)
from bot.store.standing_values import period_since
from bot.store.writer import MOST_ENTRIES


class Store:
    """What the bot remembers. Every method is one transaction, and each can raise StoreUnavailable.

    Cancelling one doesn't interrupt it: the cancellation is raised when the transaction is over, and what it
    wrote stays written.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._searching = asyncio.Lock()
        """For what reads much: one at a time, so that no crowd of requests takes every connection."""

    @classmethod
    async def open(cls, place: str | Place, *, busy_seconds: float = BUSY_SECONDS) -> Store:
        """Open the database at a path or an address, and bring its tables up to date; a file is created as needed.

        `busy_seconds` is how long to wait while others write, or a server is away. Raises StoreUnavailable, NotAPlace.
        """
        return cls(await Database.open(place, busy_seconds=busy_seconds))

    async def close(self) -> None:
        """Wait for what is under way and close the database. Afterwards every method raises StoreUnavailable."""
        await self._database.close()

    @property
    def closed(self) -> bool:
        """Whether the store was closed."""
        return self._database.closed

    @property
    def name(self) -> str:
        """Where the database is, as it may be shown."""
        return self._database.name

    async def size(self) -> int | None:
        """How many bytes it takes on the disk; None if that can't be told now."""
        return await self._database.size()

    async def backup(self, target: str | Path) -> None:
        """Copy the database to a new file, all of one moment, while the bot plays on.

        Raises BackupExists when there is such a file, StoreUnavailable when it can't be written, NoFileToCopy when a
        server keeps the database.
        """
        await self._database.backup(Path(target))

    # ------------------------------------------------------------------ games and their logs

    async def open_game(
        self,
        *,
        guild_id: int,
        channel_id: int,
        opener_id: int,
        locale: str,
        at: datetime,
        entries: Sequence[LogEntry],
        joined: Collection[int] = (),
    ) -> GameRow:
        """Begin a game with the first entries of its log (versions from 1 on; there may be none).

        `joined` are the people, beside the opener, who are named in the entries: by that their data is found later.

        Raises ChannelBusy when the channel has an open game.
        """
        return await self._database.write(
            lambda connection: logs.open_game(connection, guild_id, channel_id, opener_id, locale, at, entries, joined)
        )

    async def append(
        self,
        game_id: int,
        entries: Sequence[LogEntry],
        *,
        joined: Collection[int] = (),
        result: MatchResult | None = None,
        close: bool = False,
    ) -> None:
        """Continue a game's log; with it write a match's result, close the game, or both. All or nothing.

        `joined` are the people who are named in the entries for the first time: by that their data is found later.

        The game is closed at the time of the result, else of its latest entry, else of its opening. Raises
        VersionConflict when the entries don't follow the log's last one, GameClosed when none can,
        UnknownGame.
        """
        if not (entries or result or close):
            return
        logs.check_order(game_id, entries)
        if not (result or close or joined) and len(entries) <= MOST_ENTRIES:
            await self._database.append(game_id, entries)
            return
        kept = None if result is None else privacy.without_stand_ins(result)
        await self._database.write(lambda connection: logs.append(connection, game_id, entries, joined, kept, close))

    async def set_message(self, game_id: int, message_id: int | None, at: datetime | None) -> None:
        """Remember a game's public message and when it was posted. Raises UnknownGame."""
        await self._database.write(lambda connection: logs.set_message(connection, game_id, message_id, at))

    async def set_locale(self, game_id: int, locale: str) -> None:
        """Remember another language for a game's public messages. Raises UnknownGame."""
        await self._database.write(lambda connection: logs.set_locale(connection, game_id, locale))

    async def open_games(self) -> list[int]:
        """The ids of the games that are not closed, the oldest first: one row that can't be read hides no other."""
        return await self._database.read(logs.open_games)

    async def open_places(self, playing: str) -> list[OpenGame]:
        """Where the games are that are not closed, the oldest first; those with an entry of the kind `playing` play.

        Their logs aren't read: this takes milliseconds for thousands.
        """
        return await self._database.read(lambda connection: logs.open_places(connection, playing))

    async def unshown_ends(self) -> list[int]:
        """The ids of the closed games that still have a public message: nobody was shown their end."""
        return await self._database.read(logs.unshown_ends)

    async def give_up(self, game_id: int, at: datetime) -> None:
        """Close a game that can't be read, whatever is in its rows, so that its channel is free."""
        await self._database.write(lambda connection: logs.give_up(connection, game_id, at))

    async def game(self, game_id: int) -> GameRow | None:
        """A game, open or closed, by its id."""
        return await self._database.read(lambda connection: logs.game(connection, game_id))

    async def log(self, game_id: int) -> list[LogEntry]:
        """A game's entries by version; none for a game that doesn't exist."""
        return await self._database.read(lambda connection: logs.log(connection, game_id))

    async def games_and_logs(self, game_ids: Collection[int]) -> dict[int, tuple[GameRow, list[LogEntry]]]:
        """Some games with their logs, as `game` and `log` give each: for many at once it is much less work.

        Raises RowDamaged if a moment in any of them is none: then each is to be read by itself.
        """
        return await self._database.read(lambda connection: logs.games_and_logs(connection, game_ids))

    # ------------------------------------------------------------------ standings

    async def leaderboard(
        self,
        guild_id: int,
        metric: Metric,
        *,
        since: datetime | None,
        min_matches: int,
        limit: int,
        offset: int,
    ) -> Page:
        """A page of the guild's players, by their ranked matches of all time, or of the month that begins at `since`.

        RATE lists players with at least `min_matches` of them, the other metrics everybody who has one. It takes
        longer where `list_rates_from` wasn't told of that number. Order: the metric, then wins, rate, points, each
        from high to low, then the user's id. ValueError if no month of UTC begins at `since`.
        """
        period = period_since(since)
        return await self._database.read(
            lambda connection: standings.leaderboard(
                connection,
                guild_id,
                metric,
                period=period,
                min_matches=min_matches,
                limit=limit,
                offset=offset,
            )
        )

    async def standing(
        self, guild_id: int, user_id: int, metric: Metric, *, since: datetime | None, min_matches: int
    ) -> RankedRow | None:
        """A user's own row of that leaderboard; None when the user isn't in it."""
        period = period_since(since)
        return await self._database.read(
            lambda connection: standings.standing(
                connection, guild_id, user_id, metric, period=period, min_matches=min_matches
            )
        )

    async def stats(self, guild_id: int, user_id: int) -> PlayerStats:
        """What a user did in a guild, of all time; zeros for a user it never saw."""
        return await self._database.read(lambda connection: standings.stats(connection, guild_id, user_id))

    async def list_rates_from(self, matches: int) -> None:
        """Say which `min_matches` RATE will be asked for. To say it again costs nothing, another number a while."""
        await self._database.write(lambda connection: standing_rows.set_rates_from(connection, matches))

    async def wrong_standings(self, guild_id: int) -> list[str]:
        """What is wrong with what a server's standings say, after its results: a line each. It reads all of them."""

        async def compare(connection: AsyncConnection) -> list[str]:
            return [line async for line in standing_rows.wrong(connection, guild_id)]

        return await self._database.read(compare)

    async def servers_with_standings(self) -> list[int]:
        """The ids of the servers where something was won, or is said to have been."""
        return await self._database.read(standing_rows.servers)

    # ------------------------------------------------------------------ matches that are looked back at

    async def last_game(self, guild_id: int, user_id: int) -> int | None:
        """The id of the game whose match a user finished last in a guild; None if there is none."""
        return await self._database.read(lambda connection: reviews.last_game(connection, guild_id, user_id))

    async def keep_review(self, game_id: int, user_id: int, *, accuracy: int, decisions: int, at: datetime) -> bool:
        """Keep how right a user's decisions were in a match, in thousandths, once; whether it is new.

        Nothing is kept without a result of theirs: of a match that isn't over, or of who was forgotten.
        """
        return await self._database.write(
            lambda connection: reviews.put(connection, game_id, user_id, accuracy, decisions, at)
        )

    async def reviews(self, guild_id: int, user_id: int, *, limit: int) -> list[ReviewRow]:
        """What a user's reviews came to, those of the latest matches first."""
        return await self._database.read(lambda connection: reviews.latest(connection, guild_id, user_id, limit))

    # ------------------------------------------------------------------ one user's data

    async def personal_data(self, user_id: int) -> PersonalRows:
        """The rows about a user, in all guilds."""
        async with self._searching:
            return await self._database.read(lambda connection: privacy.personal_data(connection, user_id))

    async def forget(self, user_id: int, rewriter: privacy.Rewriter, *, open_games: Collection[int] = ()) -> int:
        """Take a user out of every row, and return how many rows that changed: none the second time.

        Their results stay, without id and name, so that the other players' stay right. Entries are rewritten by
        `rewriter`, which knows what is in them. Games that are still open are left as they are but for `open_games`,
        to which nobody may write meanwhile. All or nothing.
        """
        touched = await self._database.write(
            lambda connection: privacy.forget(connection, user_id, rewriter, open_games)
        )
        await self._database.checkpoint()
        return touched

    # ------------------------------------------------------------------ people's own choices

    async def all_choices(self) -> dict[int, str]:
        """What everybody has chosen who has chosen anything, by their ids."""
        return await self._database.read(people.everybody)

    async def set_choices(self, user_id: int, choices: str | None) -> None:
        """Keep what a user has chosen; None keeps nothing."""
        await self._database.write(lambda connection: people.put(connection, user_id, choices))

    # ------------------------------------------------------------------ what is kept no longer

    async def drop_logs(self, before: datetime, *, after_id: int = 0) -> list[int]:
        """Drop the logs of some games closed before a moment, and who sat in them; their results stay.

        Returns the ids of those games, the oldest first, all of them after `after_id`; none if there are no more.
        """
        return await self._database.write(lambda connection: keeping.drop_logs(connection, before, after_id))

    async def drop_games(self, guild_id: int) -> int:
        """Drop some closed games of a server with all that belongs to them; returns how many, 0 if there are none."""
        return await self._database.write(lambda connection: keeping.drop_games(connection, guild_id))

    async def drop_rest(self, guild_id: int, keys: Collection[str]) -> bool:
        """Drop a server's small values and the note that it was left. Not if it still has games: returns False then."""
        return await self._database.write(lambda connection: keeping.drop_rest(connection, guild_id, keys))

    async def guilds(self) -> list[int]:
        """The ids of the servers that have games, open or closed."""
        return await self._database.read(keeping.guilds)

    async def departed(self) -> dict[int, datetime]:
        """The servers that were left, and when."""
        return await self._database.read(keeping.departed)

    async def depart(self, guild_ids: Collection[int], at: datetime) -> None:
        """Note that servers were left; of one that is noted already the earlier moment stands."""
        await self._database.write(lambda connection: keeping.depart(connection, guild_ids, at))

    async def take_back(self, guild_ids: Collection[int]) -> None:
        """Forget that servers were left: the bot is in them."""
        await self._database.write(lambda connection: keeping.take_back(connection, guild_ids))

    async def settle(self) -> None:
        """Let what was dropped be gone from the disk, too, as far as that can be done at once."""
        await self._database.checkpoint()

    # ------------------------------------------------------------------ small values

    async def get_value(self, key: str) -> str | None:
        """A small value by its key; None when there is none."""
        return await self._database.read(lambda connection: values.get(connection, key))

    async def values_of(self, prefix: str) -> dict[str, str]:
        """All small values whose keys begin so, by the rest of the key."""
        return await self._database.read(lambda connection: values.beginning(connection, prefix))

    async def set_value(self, key: str, value: str | None) -> None:
        """Set a small value, new or not; None takes it away."""
        await self._database.write(lambda connection: values.put(connection, key, value))
