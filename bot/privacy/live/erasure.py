"""Erasing a person from tables: their seats, and what logs say about them."""

import logging
import secrets
from collections.abc import Generator, Iterable
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Any, Final

from bot.platform.database.errors import StoreError
from bot.platform.database.event_logs import Rewrite
from bot.platform.eventlog import EventLog
from bot.platform.people import NOBODY, Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.privacy.refusals import PrivacyRefusal
from bot.privacy.store.erasure import PersonalData
from bot.tables.live.manager import TableManager
from bot.tables.live.showing import forget_in_crowds
from bot.tables.live.table import Table
from bot.tables.log.actions import Leave
from bot.tables.log.codec import LOG
from bot.tables.refusals import TableRefusal

log = logging.getLogger(__name__)

_LARGEST: Final = 2**52


class Disguise:
    """Replaces a person with a stand-in: a different one in each log, so that the logs can't be linked.

    Stand-ins have negative ids, which Discord never assigns, and no name. `sort` is that of the logs: tables' by
    default.
    """

    def __init__(self, person_id: int, sort: EventLog[Any, Any] = LOG) -> None:
        self._person_id = person_id
        self._sort = sort

    def rewriter(self, _: int) -> Rewrite:
        """A function that rewrites the entries of one log."""
        stand_in = Person(-1 - secrets.randbelow(_LARGEST), NOBODY)
        return partial(self._sort.rewritten, self._person_id, stand_in)


_DONE_ALREADY: Final = (TableRefusal.NOT_SEATED, TableRefusal.GAME_OVER)


class DataRequests:
    """Limits each person to one request about their data at a time, as a request may read a lot."""

    def __init__(self) -> None:
        self._busy: set[int] = set()

    @contextmanager
    def one_at_a_time(self, person_id: int) -> Generator[None]:
        """A context in which a person's request is handled.

        Raises Refusal if another request of theirs is being handled.
        """
        if person_id in self._busy:
            raise Refusal(PrivacyRefusal.DATA_BUSY)
        self._busy.add(person_id)
        try:
            yield
        finally:
            self._busy.discard(person_id)


async def erase(data: PersonalData, tables: TableManager, preferences: PreferencesCache, person: Person) -> int:
    """Make a person leave every open table, then remove them from everything that is stored and shown.

    Their tables stand still meanwhile. If they join a table again at the same time, they stay there, as if they had
    joined after the erasure. Erasing twice changes nothing more. Games that are open in another process, or written by
    a newer version, are recorded in the same transaction for a process that can deal with them: see `erase_due`.

    Returns:
        How many rows changed.

    Raises:
        Refusal: if the store can't write; they may have left their tables already.
    """
    try:
        return await _erase(data, tables, preferences, person)
    finally:
        await tables.sleep_on()


async def _erase(data: PersonalData, tables: TableManager, preferences: PreferencesCache, person: Person) -> int:
    try:
        rows = await data.of(person.id)
        own = [
            row.id for row in rows.games if row.closed_at is None and row.guild_id and tables.shards.has(row.guild_id)
        ]
        found, newer = await _open_tables(tables, own)
        await tables.forsake(person.id)
    except StoreError as error:
        raise Refusal(CommonRefusal.UNAVAILABLE) from error
    try:
        for table in found:
            await _leave(table, person)
    except Refusal as error:
        raise Refusal(PrivacyRefusal.NOT_ERASED if error.code is CommonRefusal.UNAVAILABLE else error.code) from error
    disguise = Disguise(person.id)
    try:
        await data.note_erasure(person.id, tables.now())
    except StoreError as error:  # the erasure itself matters more
        log.warning("Could not note an erasure beside the backups: restoring one won't repeat it (%s)", error)
    async with AsyncExitStack() as stack:
        for table in found:  # in the order of their numbers, so that two erasures can't deadlock
            await stack.enter_async_context(table.standing_still())
        free = [table.id for table in found if table.seat_of(person.id) is None]
        try:
            touched = await data.forget(
                person.id, disguise.rewriter, tables.now(), open_games=free, shards=tables.shards, later=newer
            )
        except StoreError as error:
            raise Refusal(PrivacyRefusal.NOT_ERASED) from error
        await tables.rest(person.id)
        preferences.drop(person.id)
        for table in found:
            await table.reread()
    forget_in_crowds(tables, person.id)
    for table in found:
        if tables.get(table.id) is table:  # one that closed when they left has been shown already
            tables.announce(table)
    return touched


async def erase_due(data: PersonalData, tables: TableManager) -> int:
    """Erase from this process's tables the people whom another process was asked to erase.

    If a game has ended meanwhile it may have left a result, so everything about the person is erased once more.

    Returns:
        How many erasures, each of one person from one game, were due.

    Raises:
        StoreError, Refusal: if the store fails; the rest stays due.
    """
    due = await data.erasures_due(tables.shards)
    left = 0
    for game_id, person_id in due:
        disguise = Disguise(person_id)
        try:
            table = await tables.find(game_id, even_left=True)
        except Refusal:  # it waits for a newer version, and so does the erasure
            left += 1
            continue
        if table is None:
            await data.forget(person_id, disguise.rewriter, tables.now(), shards=tables.shards)
            await data.forget_in(game_id, person_id, disguise.rewriter)
            continue
        await _leave(table, Person(person_id, NOBODY))
        async with table.standing_still():
            if table.seat_of(person_id) is not None:
                continue  # they have just joined again, and will be removed by the next call
            if not table.phase.open:  # they have lost by leaving, which has left a result
                await data.forget(person_id, disguise.rewriter, tables.now(), shards=tables.shards)
            await data.forget_in(game_id, person_id, disguise.rewriter)
            await table.reread()
        forget_in_crowds(tables, person_id)
        if tables.get(game_id) is table:
            tables.announce(table)
    await tables.sleep_on()
    return len(due) - left


async def _open_tables(tables: TableManager, game_ids: Iterable[int]) -> tuple[list[Table], list[int]]:
    """The open tables among some games, and the games that a newer version has written."""
    found: list[Table] = []
    newer: list[int] = []
    for game_id in game_ids:
        try:
            table = await tables.find(game_id, even_left=True)
        except Refusal:
            newer.append(game_id)
        else:
            found += [] if table is None else [table]
    return found, newer


async def _leave(table: Table, person: Person) -> None:
    if table.seat_of(person.id) is None and not table.asked_by(person.id):
        return
    try:
        await table.submit(Leave(person, for_good=True))
    except Refusal as error:
        if error.code not in _DONE_ALREADY:
            raise
