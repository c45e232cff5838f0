"""The retention of data: once a day, old logs and the data of servers that the bot has left are deleted.

If there are several processes, each takes care of its own servers, and the one with shard 0 takes care of all logs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from operator import itemgetter
from typing import Final

from bot.store import Store, StoreError
from bot.tables.clock import Clock
from bot.tables.errors import Refusal
from bot.tables.manager import TableManager
from bot.tables.server.guild_settings import (
    GuildSettingsCache,
    guild_settings_key,
    podium_key,
    rewarded_key,
    sought_key,
)

log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 600
"""Seconds after the start until the first run is due: right after it the bot has more urgent work."""
DAY_SECONDS: Final = 24 * 60 * 60
IDLE_AT_ONCE: Final = 1_000
"""Matches of people who play alone that one run ends at most."""
MISSING: Final = timedelta(days=1)
"""Time that a server is missing before its games end, unless Discord has said that the bot was removed from it."""
GONE_DAYS: Final = 30
"""Days that a server's data is kept after the bot was removed from it, in case it comes back."""


class Retention:
    """Deletes data that has been kept long enough.

    Args:
        store: holds the data.
        clock: the scheduler.
        manager: ends open games of a server before its data is deleted.
        guild_settings: drops the settings of a server that is deleted.
        days: how long the log of a closed game is kept; 0 for ever.
        here: whether the bot is in a server.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        manager: TableManager,
        guild_settings: GuildSettingsCache,
        *,
        days: int,
        here: Callable[[int], bool],
    ) -> None:
        self._store = store
        self._clock = clock
        self._manager = manager
        self._guild_settings = guild_settings
        self._days = days
        self._here = here
        self._compared = False
        """Whether it is known which servers the bot is in."""

    def start(self) -> None:
        """Run once a day from now on."""
        self._clock.after("keeping", FIRST_SECONDS, self._daily)

    async def guilds_left(self, guild_ids: Collection[int]) -> None:
        """Note that the bot is no longer in these servers, so that their data expires."""
        try:
            await self._store.depart(guild_ids, self._clock.now())
        except StoreError as error:
            # The next start will notice that they are gone.
            self._warn("The removal of the bot from a server could not be recorded", error)

    async def guilds_joined(self, guild_ids: Collection[int]) -> None:
        """Note that the bot is in these servers."""
        try:
            await self._store.rejoin(guild_ids)
        except StoreError as error:
            self._warn("The return of the bot to a server could not be recorded", error)

    async def guilds_missing(self, guild_ids: Collection[int]) -> None:
        """Note that the bot no longer sees these servers, though Discord hasn't said that it left them."""
        try:
            await self._store.note_missing(guild_ids, self._clock.now())
        except StoreError as error:
            # The next start will notice that they are missing.
            self._warn("Servers that are missing could not be recorded", error)
        await self._end_missing()

    async def compare_guilds(self, has_shard_of: Callable[[int], bool], *, sure: bool) -> bool:
        """Note which servers are missing or back, now that all servers are known, including those with an outage.

        `sure`: whether this is certainly the bot's own database. If it isn't, and the bot is in none of the servers
        with games, nothing is noted, as it is probably another bot's. Returns whether it seems to be the bot's own.
        """
        try:
            everywhere = await self._store.guilds()
            departed, missing = await self._store.departed(), await self._store.missing()
        except StoreError as error:
            self._warn("The servers that the bot has left could not be read", error)
            return False
        with_games = [guild_id for guild_id in everywhere if has_shard_of(guild_id)]
        here = {guild_id for guild_id in {*with_games, *departed, *missing} if self._here(guild_id)}
        seems = not everywhere or not here.isdisjoint(with_games)
        if not (sure or seems):
            if with_games:
                log.warning("The bot is in none of the servers with games in its database: is it another bot's?")
            return False
        self._compared = True
        await self.guilds_joined([guild_id for guild_id in here if guild_id in departed or guild_id in missing])
        for guild_id in self._manager.by_guild():
            if guild_id in departed and guild_id not in here:
                await self._manager.lose_all(guild_id=guild_id)  # games that couldn't be ended at the removal
        noted = here | departed.keys() | missing.keys()
        if new := [guild_id for guild_id in with_games if guild_id not in noted]:
            log.warning("%s servers with games are missing; if they still are in a day, their games end", len(new))
        await self.guilds_missing(new)
        return seems

    async def _end_missing(self) -> None:
        """End the games of servers that have been missing for a day, and check again when that is true of the next.

        Nothing ends before the servers have been compared: one whose shard isn't connected yet may be back.
        """
        if self._manager.closing or not self._compared:
            return
        now, wait = self._clock.now(), timedelta(seconds=DAY_SECONDS)
        try:
            for guild_id, since in sorted((await self._store.missing()).items(), key=itemgetter(1)):
                if not self._manager.shards.has(guild_id) or self._here(guild_id):
                    continue
                if now - since < MISSING:
                    wait = since + MISSING - now
                    break
                log.info("A server has been missing for a day, so its games end")
                await self._manager.lose_all(guild_id=guild_id)
                await self._store.depart([guild_id], now)
        except StoreError as error:
            self._warn("The games of missing servers could not be ended", error)
            wait = timedelta(seconds=FIRST_SECONDS)
        self._clock.after("missing", wait.total_seconds(), self._end_missing)

    async def delete_expired(self) -> None:
        """Delete everything that has been kept long enough.

        Raises:
            StoreError: if the store fails; what was deleted before that stays deleted.
        """
        await self._end_idle()
        servers = await self._drop_servers()
        games = await self._drop_logs()
        if servers or games:
            await self._store.checkpoint()
            log.info("Deleted expired data of %s servers and the logs of %s games", servers, games)

    async def _daily(self) -> None:
        try:
            await self.delete_expired()
        except StoreError as error:
            self._warn("Expired data could not be deleted", error)
        finally:
            if not self._manager.closing:
                self._clock.after("keeping", DAY_SECONDS, self._daily)

    def _warn(self, what: str, error: StoreError) -> None:
        """Log a failure, except while the bot is stopping and its store is closed."""
        if not self._manager.closing:
            log.warning("%s: %s", what, error)

    async def _drop_servers(self) -> int:
        dropped = 0
        if not self._compared:
            return dropped
        last = self._clock.now() - timedelta(days=GONE_DAYS)
        for guild_id, left_at in sorted((await self._store.departed()).items()):
            if not self._manager.shards.has(guild_id):
                continue  # only another process knows whether the bot is there
            if self._here(guild_id):
                await self._store.rejoin([guild_id])
            elif left_at <= last:
                for table in self._manager.within(guild_id=guild_id):
                    await self._manager.lose(table)
                while not self._manager.closing and await self._store.drop_games(guild_id):
                    pass
                keys = [key(guild_id) for key in (guild_settings_key, podium_key, rewarded_key, sought_key)]
                if not self._manager.closing and await self._store.drop_rest(guild_id, keys):
                    self._guild_settings.drop(guild_id)
                    dropped += 1
        return dropped

    async def _end_idle(self) -> None:
        """End the matches of those who play alone, and haven't come back for as long as others' are kept."""
        idle = self._guild_settings.defaults.pace.idle
        if not idle or not self._manager.shards.first:
            return
        before = self._clock.now() - timedelta(seconds=idle)
        for person_id in await self._store.idle_alone(before, limit=IDLE_AT_ONCE):
            if not self._manager.closing:
                with suppress(Refusal):  # they have just come back, or a newer version has written it
                    await self._manager.end_idle(person_id)

    async def _drop_logs(self) -> int:
        if not self._days or not self._manager.shards.first:
            return 0
        dropped = last = 0
        before = self._clock.now() - timedelta(days=self._days)
        while not self._manager.closing and (found := await self._store.drop_logs(before, after_id=last)):
            dropped, last = dropped + len(found), found[-1]
        return dropped + await self._store.tournaments.drop_logs(before)
