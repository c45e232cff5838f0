"""Erases a person, also from tournaments: first they withdraw from the open ones, and leave all tables."""

import logging
from contextlib import AsyncExitStack

from bot.platform.database.errors import StoreError
from bot.platform.memories import Memories
from bot.platform.people import NOBODY, Person
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.privacy.live import erasure
from bot.privacy.live.erasure import Disguise
from bot.privacy.refusals import PrivacyRefusal
from bot.privacy.store.erasure import PersonalData
from bot.tables.live.manager import TableManager
from bot.tournaments.live.codec import LOG
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Withdraw
from bot.tournaments.rules.pairings import knocked_out
from bot.tournaments.store.logs import TournamentLogs

log = logging.getLogger(__name__)


async def erase(
    data: PersonalData,
    logs: TournamentLogs,
    tables: TableManager,
    tournaments: TournamentDirector,
    preferences: PreferencesCache,
    person: Person,
    memories: Memories | None = None,
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
            await data.erasure_done(person.id)
        except StoreError as error:
            raise Refusal(PrivacyRefusal.NOT_ERASED) from error
        for live in free if changed else ():
            await live.reload()
    try:
        if memories is not None:  # now that nothing is stored from which they could be read again
            await memories.forget(person.id)
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
