"""Erasing a person from tournaments, and giving them another name in logs.

Whoever clicks under a new one is shown by it from then on, and after a restart, too. A name is part of stored rows and
of open logs, where it is replaced, so that nothing else need be kept. Matches and tournaments that are over keep the
name of then.
"""

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from typing import Final

from cachetools import LRUCache

from bot.platform.database.errors import StoreError
from bot.platform.people import NOBODY, Person
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.privacy.live import erasure
from bot.privacy.live.erasure import Disguise
from bot.privacy.refusals import PrivacyRefusal
from bot.privacy.store.erasure import GuildNames, PersonalData
from bot.tables.live.manager import TableManager
from bot.tournaments.live.codec import LOG
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Withdraw
from bot.tournaments.rules.pairings import knocked_out
from bot.tournaments.store.logs import TournamentLogs


async def erase(
    data: PersonalData,
    logs: TournamentLogs,
    tables: TableManager,
    tournaments: TournamentDirector,
    preferences: PreferencesCache,
    person: Person,
) -> int:
    """Remove a person from everything that is stored and shown; see `bot.privacy.live.erasure`.

    For tournaments that are open in another process, or that a newer version has written, the erasure is noted for a
    process that can do it: see `erase_due`.

    Returns:
        How many rows changed.

    Raises:
        Refusal: if the store can't write; the person may have left everything already.
    """
    for live in tournaments.attended:
        await _withdraw(live, person)
    touched = await erasure.erase(data, tables, preferences, person)
    async with AsyncExitStack() as stack:
        for live in tournaments.attended:  # in the order of their numbers, so that two erasures can't deadlock
            await stack.enter_async_context(live.standing_still())
        free = [live for live in tournaments.attended if not _plays_on(live, person)]
        try:
            changed = await logs.forget(
                person.id,
                Disguise(person.id, LOG).rewriter,
                open_ones=[live.id for live in free],
                shards=tables.shards,
                later=tournaments.newer,
            )
        except StoreError as error:
            raise Refusal(PrivacyRefusal.NOT_ERASED) from error
        for live in free if changed else ():
            await live.reload()
    try:
        await tournaments.reread_finished(person.id)
    except StoreError as error:
        raise Refusal(PrivacyRefusal.NOT_ERASED) from error
    return touched + changed


async def erase_due(
    data: PersonalData, logs: TournamentLogs, tables: TableManager, tournaments: TournamentDirector
) -> int:
    """Erase, from this process's tables and tournaments, the people whom another process was asked to erase.

    Returns:
        From how many games and tournaments somebody was erased.

    Raises:
        StoreError, Refusal: if the store fails; the rest stays due.
    """
    due, left = await logs.erasures_due(tables.shards), 0
    for tournament_id, person_id in due:
        rewriter = Disguise(person_id, LOG).rewriter
        try:
            live = await tournaments.find(tournament_id)
        except Refusal:  # it waits for a newer version, and so does the erasure
            left += 1
            continue
        if live is None:
            await logs.forget_in(tournament_id, person_id, rewriter)
            continue
        await _withdraw(live, Person(person_id, NOBODY))
        async with live.standing_still():
            await logs.forget_in(tournament_id, person_id, rewriter)
            await live.reload()
    return len(due) - left + await erasure.erase_due(data, tables)


def _plays_on(live: LiveTournament, person: Person) -> bool:
    """Whether somebody may still be drawn for a round, so that their entry must stay theirs."""
    entry = live.state.entry_of(person.id)
    return live.open and entry is not None and not knocked_out(live.state, entry.number)


async def _withdraw(live: LiveTournament, person: Person) -> None:
    asked = any(each.id == person.id for each in live.state.asked)
    if not live.open or not (asked or live.state.entry_of(person.id)):
        return
    try:
        await live.submit(Withdraw(person))
    except Refusal as error:
        if not isinstance(error.code, TournamentRefusal):
            raise Refusal(PrivacyRefusal.NOT_ERASED) from error


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
