"""The retention of data: once a day, old logs and the data of servers that the bot has left are deleted. Until then
everything on such a server sleeps, in case it comes back.

If there are several processes, each takes care of its own servers, and the one with shard 0 takes care of all logs.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.club.settings import podium_key, rewarded_key
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreError
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import GuildSettingsCache, guild_settings_key
from bot.privacy.store.retention import KeptData
from bot.tables.live.manager import TableManager
from bot.tables.live.waiting import AwayTimes, away_key
from bot.tables.settings import sought_key
from bot.tables.store.alone import GamesAlone
from bot.tournaments.store.logs import TournamentLogs
from bot.training.settings import offered_key

log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 600
"""Seconds after the start until the first run is due: right after it the bot has more urgent work."""
DAY_SECONDS: Final = 24 * 60 * 60
IDLE_AT_ONCE: Final = 1_000
"""Matches of people who play alone that one run ends at most."""
_KEYS: Final = (guild_settings_key, podium_key, rewarded_key, sought_key, away_key, offered_key)
"""The keys of what is noted about a server."""
GONE_DAYS: Final = 30
"""Days that a server's data is kept after the bot was removed from it, in case it comes back."""


class Sleeper(Protocol):
    """A subject with something on servers that sleeps when the bot leaves one, and wakes, or ends, with it."""

    async def leave(self, guild_id: int) -> None: ...
    async def return_to(self, guild_id: int) -> None: ...
    async def drop(self, guild_id: int) -> None: ...


class Retention:
    """Deletes data that has been kept long enough, and keeps that of a server asleep while the bot isn't there.

    Args:
        database: holds the data.
        kept: tells what can be dropped, and drops it.
        alone: has the games of those who play alone.
        tournaments: has their logs.
        clock: the scheduler.
        manager: has the tables.
        guild_settings: drops the settings of a server that is deleted.
        away: keeps the times in which the bot wasn't in a server.
        sleepers: what sleeps with a server besides the tables.
        idle: how many seconds the match of somebody who plays alone is kept after the last move; 0 for ever.
        days: how long the log of a closed game is kept; 0 for ever.
        people_days: how long somebody's data is kept who does nothing any more; 0 for ever.
        erases: erases a person, by their id.
        here: whether the bot is in a server, as far as it knows.
        finds: asks Discord whether the bot is in a server; in doubt it is.
    """

    def __init__(
        self,
        database: Database,
        kept: KeptData,
        alone: GamesAlone,
        tournaments: TournamentLogs,
        clock: Clock,
        manager: TableManager,
        guild_settings: GuildSettingsCache,
        away: AwayTimes,
        sleepers: Sequence[Sleeper] = (),
        *,
        idle: float,
        days: int,
        here: Callable[[int], bool],
        finds: Callable[[int], Awaitable[bool]],
        people_days: int = 0,
        erases: Callable[[int], Awaitable[object]] | None = None,
    ) -> None:
        self._database = database
        self._kept = kept
        self._alone = alone
        self._tournaments = tournaments
        self._clock = clock
        self._manager = manager
        self._guild_settings = guild_settings
        self._away = away
        self._sleepers: Sequence[Sleeper] = (manager, *sleepers)
        self._idle = idle
        self._days = days
        self._here = here
        self._finds = finds
        self._people_days = people_days
        self._erases = erases
        self._left: dict[int, datetime] = {}
        """The time when the bot left each server that it isn't in, if there is anything of it."""
        self._in_order = asyncio.Lock()
        """Held while a server is left or joined: it may be the same one, a moment later."""
        self._compared = False
        """Whether it is known which servers the bot is in."""

    async def start(self) -> None:
        """Let the servers sleep that the bot isn't in, and run once a day from now on.

        Raises StoreError if they can't be read.
        """
        for guild_id, since in (await self._kept.departed()).items():
            if self._manager.shards.has(guild_id):
                await self._leave(guild_id, since)
        self._clock.after("keeping", FIRST_SECONDS, self._daily, lasts=False)

    async def guild_left(self, guild_id: int) -> None:
        """Let everything of a server sleep: the bot was removed from it, or no longer sees it."""
        async with self._in_order:
            try:
                await self._kept.depart([guild_id], self._clock.now())
            except StoreError as error:
                # The next start will notice that it is gone.
                self._warn("The removal of the bot from a server could not be recorded", error)
            await self._leave(guild_id, self._clock.now())

    async def _leave(self, guild_id: int, since: datetime) -> None:
        self._left.setdefault(guild_id, since)
        for sleeper in self._sleepers:
            await sleeper.leave(guild_id)

    async def guild_joined(self, guild_id: int) -> None:
        """Go on with everything of a server that the bot had left: it is back."""
        async with self._in_order:
            if (since := self._left.pop(guild_id, None)) is None:
                return
            await self._away.note(guild_id, since)
            try:
                await self._kept.rejoin([guild_id])
            except StoreError as error:
                self._warn("The return of the bot to a server could not be recorded", error)
            for sleeper in self._sleepers:
                await sleeper.return_to(guild_id)

    async def compare_guilds(self, has_shard_of: Callable[[int], bool], *, sure: bool) -> bool:
        """Note which servers were left or joined, now that all servers are known, including those with an outage.

        `sure`: whether this is certainly the bot's own database. If it isn't, and the bot is in none of the servers
        with games, nothing is noted, as it is probably another bot's. Returns whether it seems to be the bot's own.
        """
        try:
            everywhere = await self._kept.guilds([key(0).removesuffix("0") for key in _KEYS])
            departed = await self._kept.departed()
        except StoreError as error:
            self._warn("The servers that the bot has left could not be read", error)
            return False
        known = {guild_id for guild_id in {*everywhere, *departed} if has_shard_of(guild_id)}
        with_games = known.intersection(everywhere)
        here = {guild_id for guild_id in known if self._here(guild_id)}
        seems = not everywhere or not here.isdisjoint(with_games)
        if not (sure or seems):
            if with_games:
                log.warning("The bot is in none of the servers with games in its database: is it another bot's?")
            return False
        self._compared = True
        for guild_id in known & departed.keys():
            self._left.setdefault(guild_id, departed[guild_id])
        for guild_id in here & self._left.keys():
            await self.guild_joined(guild_id)
        if new := with_games - here - departed.keys():
            log.warning("%s servers with games are missing: everything there sleeps for %s days", len(new), GONE_DAYS)
        for guild_id in new:
            await self.guild_left(guild_id)
        return seems

    async def delete_expired(self) -> None:
        """Delete everything that has been kept long enough.

        Raises StoreError if the store fails; what was deleted before that stays deleted.
        """
        await self._end_idle()
        servers = await self._drop_servers()
        games = await self._drop_logs()
        limits = await self._kept.drop_limits(self._clock.now())
        crowds = await self._kept.drop_crowds()
        people = await self._erase_inactive()
        if any(done := (servers, games, limits, crowds, people)):
            await self._database.checkpoint()
            log.info(
                "Deleted expired data of %s servers, logs of %s games, %s limits, %s votes and faces, %s people", *done
            )

    async def _daily(self) -> None:
        try:
            await self.delete_expired()
        except StoreError as error:
            self._warn("Expired data could not be deleted", error)
        finally:
            if not self._manager.closing:
                self._clock.after("keeping", DAY_SECONDS, self._daily, lasts=False)

    def _warn(self, what: str, error: StoreError) -> None:
        """Log a failure, except while the bot is stopping and its store is closed."""
        if not self._manager.closing:
            log.warning("%s: %s", what, error)

    async def _drop_servers(self) -> int:
        dropped = 0
        if not self._compared:
            return dropped
        last = self._clock.now() - timedelta(days=GONE_DAYS)
        for guild_id, left_at in sorted((await self._kept.departed()).items()):
            if not self._manager.shards.has(guild_id):
                continue  # only another process knows whether the bot is there
            if self._here(guild_id):
                await self.guild_joined(guild_id)
            elif left_at <= last and not await self._finds(guild_id):
                for sleeper in self._sleepers:
                    await sleeper.drop(guild_id)
                while not self._manager.closing and await self._kept.drop_games(guild_id):
                    pass
                keys = [key(guild_id) for key in _KEYS]
                if not self._manager.closing and await self._kept.drop_rest(guild_id, keys):
                    self._guild_settings.drop(guild_id)
                    self._away.drop(guild_id)
                    self._left.pop(guild_id, None)
                    dropped += 1
        return dropped

    async def _end_idle(self) -> None:
        """End the matches of those who play alone, and haven't come back for as long as others' are kept."""
        if not self._idle or not self._manager.shards.first:
            return
        before = self._clock.now() - timedelta(seconds=self._idle)
        for person_id in await self._alone.idle(before, limit=IDLE_AT_ONCE):
            if not self._manager.closing:
                with suppress(Refusal):  # they have just come back, or a newer version has written it
                    await self._manager.end_idle(person_id)

    async def _erase_inactive(self) -> int:
        """Erase the people who have done nothing for long, as by themselves."""
        erased, now = 0, self._clock.now()
        if not self._manager.shards.first:
            return erased
        await self._kept.note_chosen(now)
        if self._people_days and self._erases is not None:
            before = now - timedelta(days=self._people_days)
            for person_id in await self._kept.inactive(before):
                if not self._manager.closing and await self._kept.inactive(before, person_id):  # not just come back
                    with suppress(Refusal):  # tomorrow
                        await self._erases(person_id)
                        erased += 1
        return erased

    async def _drop_logs(self) -> int:
        if not self._days or not self._manager.shards.first:
            return 0
        dropped = last = 0
        before = self._clock.now() - timedelta(days=self._days)
        while not self._manager.closing and (found := await self._kept.drop_logs(before, after_id=last)):
            dropped, last = dropped + len(found), found[-1]
        return dropped + await self._tournaments.drop_logs(before)
