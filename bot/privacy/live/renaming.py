"""The present names of people: whoever clicks under a new one is shown by it from then on, and after a restart, too.

A name is part of stored rows and of open logs, where it is replaced, so that nothing else need be kept. Matches and
tournaments that are over keep the name of then.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from cachetools import LRUCache

from bot.platform.database.errors import StoreError
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.privacy.store.erasure import GuildNames
from bot.tables.live.manager import TableManager
from bot.tournaments.live.director import TournamentDirector

log = logging.getLogger(__name__)


MOST: Final = 20_000
"""The number of people who are remembered as named right."""


SECONDS: Final = 0.5
"""Seconds that an answer waits until its person is renamed."""


class PresentNames:
    """Keeps the names of people on each server up to date; a person's first click, and one under a new name, is
    compared with what is stored."""

    def __init__(self, names: GuildNames, tables: TableManager, tournaments: TournamentDirector) -> None:
        self._names = names
        self._tables = tables
        self._tournaments = tournaments
        self._right: LRUCache[tuple[int, int], int] = LRUCache(MOST)
        """The hashes of the names under which people are known on a server. No name is kept here to be erased."""
        self._under_way: dict[tuple[int, int], asyncio.Task[None]] = {}

    def forget(self, person_id: int) -> None:
        """Forget under which names somebody is known, or everybody for 0."""
        for key in [key for key in self._right if person_id in (0, key[1])]:
            del self._right[key]

    async def note(self, guild_id: int, person: Person) -> None:
        """Note the name of somebody who has clicked on a server, and rename them wherever they have another one."""
        key = guild_id, person.id
        if self._right.get(key) != hash(person.name) and key not in self._under_way:
            self._under_way[key] = task = asyncio.create_task(self._compare(guild_id, person))
            task.add_done_callback(lambda _: self._under_way.pop(key))
            await asyncio.wait([task], timeout=SECONDS)

    async def _compare(self, guild_id: int, person: Person) -> None:
        key = guild_id, person.id
        try:
            if key in self._right or await self._names.is_outdated(guild_id, person):
                self._right[key] = 0  # if this fails half-way, all of it is done again
                await self._rename(guild_id, person)
        except (StoreError, Refusal) as error:
            log.info("Somebody's new name could not be stored; trying again at their next click (%s)", error)
        except Exception:
            log.exception("Somebody's new name could not be stored")
        else:
            self._right[key] = hash(person.name)

    async def _rename(self, guild_id: int, person: Person) -> None:
        games, tournaments = await self._names.rename_in_logs(guild_id, person)
        for number in games:
            with suppress(Refusal):  # one that can't be read now is read later
                await self._tables.wake(number)
            if (table := self._tables.get(number)) is not None:
                async with table.standing_still():
                    await table.reread()
                self._tables.announce(table)
        for live in self._tournaments.within(guild_id):
            if live.id in tournaments:
                async with live.standing_still():
                    await live.reload()
        await self._names.rename(guild_id, person)  # what has ended meanwhile included
