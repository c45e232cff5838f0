"""The present names of people: whoever clicks under a new one is shown by it from then on, and after a restart, too.

A name is part of stored rows and of open logs, where it is replaced, so that nothing else need be kept. Matches and
tournaments that are over keep the name of then.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from cachetools import LRUCache

from bot.club.person import Person
from bot.eventlog.people import named_in
from bot.store import Store, StoreError
from bot.tables.errors import Refusal
from bot.tables.manager import TableManager
from bot.tables.table import Table
from bot.tournaments.director import TournamentDirector
from bot.tournaments.live import LiveTournament

log = logging.getLogger(__name__)

MOST: Final = 20_000
"""The number of people who are remembered as named right."""
SECONDS: Final = 0.5
"""Seconds that an answer waits until its person is renamed."""


class PresentNames:
    """Keeps the names of people on each server up to date; a click costs something only if its person's is new."""

    def __init__(self, store: Store, tables: TableManager, tournaments: TournamentDirector) -> None:
        self._store = store
        self._tables = tables
        self._tournaments = tournaments
        self._right: LRUCache[tuple[int, int], int] = LRUCache(MOST)
        """The hashes of the names under which people are known on a server. No name is kept here to be erased."""
        self._under_way: dict[tuple[int, int], asyncio.Task[None]] = {}

    def look_again(self) -> None:
        """Compare everybody's name once more: tables have been brought back."""
        self._right.clear()

    async def note(self, guild_id: int, person: Person) -> None:
        """Note the name of somebody who has clicked on a server, and rename them wherever they have another one."""
        key = guild_id, person.id
        known = self._right.get(key)
        if known == hash(person.name) or key in self._under_way:
            return
        tables = {each: each.names_of(person.id) for each in self._tables.within(guild_id=guild_id)}
        live = {each: _names_in(each, person.id) for each in self._tournaments.within(guild_id)}
        if known is None and set().union(*tables.values(), *live.values()) == {person.name}:
            self._right[key] = hash(person.name)
            return
        old = {person.name}
        renaming = self._rename(
            guild_id,
            person,
            [table for table, names in tables.items() if names - old],
            [tournament for tournament, names in live.items() if names - old],
        )
        self._under_way[key] = task = asyncio.create_task(renaming)
        task.add_done_callback(lambda _: self._under_way.pop(key))
        await asyncio.wait([task], timeout=SECONDS)

    async def _rename(
        self, guild_id: int, person: Person, tables: list[Table], tournaments: list[LiveTournament]
    ) -> None:
        try:
            for table in tables:
                async with table.standing_still():
                    await self._store.rename_in(table.id, person)
                    await table.reread()
                self._tables.announce(table)
            for live in tournaments:
                async with live.standing_still():
                    await self._store.tournaments.rename_in(live.id, person)
                    await live.reload()
            if await self._store.is_outdated(guild_id, person):
                await self._store.rename(guild_id, person)
        except (StoreError, Refusal) as error:
            log.info("Somebody's new name could not be stored; trying again at their next click (%s)", error)
        except Exception:
            log.exception("Somebody's new name could not be stored")
        else:
            self._right[guild_id, person.id] = hash(person.name)


def _names_in(live: LiveTournament, person_id: int) -> set[str]:
    return {each.name for each in named_in(live.state) if each.id == person_id}
