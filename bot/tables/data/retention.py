"""How long things are kept: once a day logs of games closed long ago are dropped, and servers that were left.

Of several processes each looks after its own servers, and the one with shard 0 after the logs of all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Final

from bot.store import Store, StoreError
from bot.tables.clock import Clock
from bot.tables.data.guild_settings import GuildSettingsCache, guild_settings_key
from bot.tables.manager import TableManager

log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 600
"""A start has better things to do at first."""
DAY_SECONDS: Final = 24 * 60 * 60
GONE_DAYS: Final = 30
"""For how long a server's data is kept after the bot was removed from it: it may be back."""


class Retention:
    """Drops what is kept no longer.

    Args:
        store: what keeps it.
        clock: the scheduler.
        manager: whose open games aren't touched.
        guild_settings: those of a server that was left are dropped.
        days: for how long the log of a closed game is kept; 0 is for ever.
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

    def start(self) -> None:
        """Look after it from now on."""
        self._clock.after("keeping", FIRST_SECONDS, self._daily)

    async def left(self, guild_ids: Collection[int]) -> None:
        """The bot is no longer in these servers: their time begins to run."""
        try:
            await self._store.depart(guild_ids, self._clock.now())
        except StoreError as error:
            # The next start finds that they are not there any more.
            self._warn("That the bot was removed from a server could not be noted", error)

    async def back(self, guild_ids: Collection[int]) -> None:
        """The bot is in these servers."""
        try:
            await self._store.take_back(guild_ids)
        except StoreError as error:
            self._warn("That the bot is back in a server could not be noted", error)

    async def compare(self, has_shard_of: Callable[[int], bool]) -> None:
        """All servers are known now: note which have gone and which have come while the bot was away.

        A server that is down for a while is known all the same. If not one of those with games is, this is another
        bot's database rather than a bot that everybody has thrown out: then nothing is noted.
        """
        try:
            with_games = [guild_id for guild_id in await self._store.guilds() if has_shard_of(guild_id)]
            noted = await self._store.departed()
        except StoreError as error:
            self._warn("Which servers have gone could not be looked up", error)
            return
        here = [guild_id for guild_id in with_games if self._here(guild_id)]
        if here:
            gone = [guild_id for guild_id in with_games if guild_id not in noted and not self._here(guild_id)]
            await self.left(gone)
        await self.back([guild_id for guild_id in noted if self._here(guild_id)])

    async def tidy(self) -> None:
        """Drop what is kept no longer, now.

        Raises:
            StoreError: if the store can't; what was dropped by then is.
        """
        servers = await self._drop_servers()
        games = await self._drop_logs()
        if servers or games:
            await self._store.settle()
            log.info("No longer kept: %s servers and the logs of %s games", servers, games)

    async def _daily(self) -> None:
        try:
            await self.tidy()
        except StoreError as error:
            self._warn("What is kept no longer could not be dropped", error)
        finally:
            if not self._manager.closing:
                self._clock.after("keeping", DAY_SECONDS, self._daily)

    def _warn(self, what: str, error: StoreError) -> None:
        """Say that something was not done; of a bot that is being stopped, whose store is closed, that is no news."""
        if not self._manager.closing:
            log.warning("%s (%s)", what, type(error).__name__)

    async def _drop_servers(self) -> int:
        dropped = 0
        last = self._clock.now() - timedelta(days=GONE_DAYS)
        for guild_id, left_at in sorted((await self._store.departed()).items()):
            if not self._manager.shards.has(guild_id):
                continue  # whether the bot is there only another process knows
            if self._here(guild_id):
                await self._store.take_back([guild_id])
            elif left_at <= last:
                for table in self._manager.within(guild_id=guild_id):
                    await self._manager.lose(table)
                while not self._manager.closing and await self._store.drop_games(guild_id):
                    pass
                if not self._manager.closing and await self._store.drop_rest(guild_id, [guild_settings_key(guild_id)]):
                    self._guild_settings.drop(guild_id)
                    dropped += 1
        return dropped

    async def _drop_logs(self) -> int:
        if not self._days or not self._manager.shards.first:
            return 0
        dropped = last = 0
        before = self._clock.now() - timedelta(days=self._days)
        while not self._manager.closing and (found := await self._store.drop_logs(before, after_id=last)):
            dropped, last = dropped + len(found), found[-1]
        return dropped
