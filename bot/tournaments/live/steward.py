"""Does what a tournament waits for: opens its tables, records how they end, and begins what is due.

What there is to do is found by comparing the tournament's log with its games, never by remembering: after a restart at
any point, the next look goes on from what is stored, and does nothing twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.club.store.revised import Verdict
from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.manager import TableManager
from bot.tables.log.actions import EndFixture
from bot.tables.refusals import TableRefusal
from bot.tournaments.live.outcome import (
    config_of,
    counts_already,
    fixture_of,
    outcome_of,
    seated,
    verdicts_of,
    walkover,
)
from bot.tournaments.live.running import LiveTournament, key_of
from bot.tournaments.live.view import NoThreads, Places, TryLater
from bot.tournaments.rules.log import Begin, BeginCheckIn, DrawRound, Report, TournamentAction
from bot.tournaments.rules.setup import min_entries
from bot.tournaments.rules.tournament import Format, Pairing, Tournament, TournamentRound, TournamentStage

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 5.0
"""Seconds until trying again after something failed."""
BUSY_SECONDS: Final = 600.0
"""Seconds until looking again whether the channel is free for the tournament of the week after."""


class Steward:
    """Looks after one tournament; `look` may be called any number of times."""

    def __init__(
        self,
        live: LiveTournament,
        tables: TableManager,
        places: Places,
        clock: Clock,
        open_next: Callable[[LiveTournament], Awaitable[None]],
    ) -> None:
        self._live = live
        self._open_next = open_next
        self._tables = tables
        self._places = places
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._due = False
        self._revised: list[Verdict] = []
        """How matches count, as far as their results are known to say so."""
        self._threadless_round = 0
        """The round for which the channel has no threads."""
        self._archived_channels = {link.channel_id for link in live.games.values() if not link.open}
        """The channels of tables that are over, if Discord was already told to archive them."""

    def look(self) -> None:
        """Something has changed, or its time has come: do what there is to do."""
        self._due = True
        if self._task is None and not (self._live.closing or self._live.asleep):
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Begin nothing more, and wait for what is under way."""
        self._live.closing = True
        self._clock.cancel(self._key)
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def _key(self) -> tuple[str, int]:
        return ("tournament", self._live.id)

    async def _run(self) -> None:
        again: float | None = None
        try:
            while self._due and not (self._live.closing or self._live.asleep):
                self._due, again = False, None
                again = await self._try()
        finally:
            self._task = None
            if not (self._live.closing or self._live.asleep):
                self._arm(again)

    async def _try(self) -> float | None:
        """Take every step that is due; returns after how many seconds to try again if one failed."""
        try:
            await self._advance()
        except TryLater as later:
            return later.seconds
        except (Refusal, StoreError) as error:
            if not self._live.closing:
                log.warning("Tournament %s waits: %s", self._live.id, error)
            return AGAIN_SECONDS
        except Exception:
            log.exception("Tournament %s could not go on", self._live.id)
            return AGAIN_SECONDS
        return None

    def _arm(self, again: float | None) -> None:
        live = self._live
        if again is not None:
            self._clock.after(self._key, again, self._ring)
        elif live.row.repeats and not live.lost:
            self._clock.after(self._key, BUSY_SECONDS, self._ring)
        elif live.open and not live.lost and (live.deadline or live.expires_at > self._clock.now()):
            self._clock.schedule(self._key, live.deadline or live.expires_at, self._ring)

    async def _ring(self) -> None:
        self.look()

    # -------------------------------------------------------------------- the steps that are due

    async def _advance(self) -> None:
        live = self._live
        if live.lost:
            if live.open:
                await live.cancel()
            return
        await self._close_others()
        self._archive()
        if live.row.repeats and live.row.message_id is None:
            await self._follow()
        action, uncalled = self._due_action(), live.state.uncalled
        if action is not None:
            await live.submit(action, manages=True)
            if isinstance(action, BeginCheckIn):
                self._places.call_to_check_in(live.view(), uncalled)
        elif self._has_expired:
            await live.cancel()
        await self._revise()
        state = live.state
        if state.stage is TournamentStage.PLAYING and state.round is not None:
            for pairing in state.round.pairings:
                await self._tend(state.round, pairing)

    def _due_action(self) -> TournamentAction | None:
        """The action that is due by now, taken in the organiser's place."""
        live, now = self._live, self._clock.now()
        state, organiser = live.state, live.state.organiser
        if not live.open:
            return None
        if live.deadline is not None and live.deadline <= now:
            if state.stage is TournamentStage.SIGN_UP:
                return BeginCheckIn(organiser)
            if state.stage is TournamentStage.CHECK_IN:
                return Begin(organiser, due=True) if state.starting >= min_entries(state.setup) else None
            return DrawRound(organiser, due=True)
        return None

    async def _follow(self) -> None:
        """Announce the tournament of the week after; once the channel is free, if it has another one."""
        try:
            await self._open_next(self._live)
        except Refusal as error:
            if error.code is not TableRefusal.CHANNEL_BUSY:
                raise

    @property
    def _has_expired(self) -> bool:
        """Whether nothing has happened for so long that it is cancelled."""
        live = self._live
        idle = live.open and live.expires_at <= self._clock.now()
        return idle and not any(link.open for link in live.games.values())

    async def _close_others(self) -> None:
        """End games that nobody waits for: their pairing is decided or played again, or the tournament is over.

        If it was cancelled, matches that count outside it go on: those who are losing them can't ask the organiser to.
        """
        live = self._live
        round = live.state.round
        wanted: set[str] = set()
        if round is not None and live.state.stage is TournamentStage.PLAYING:
            open_ones = (pairing.table for pairing in round.pairings if pairing.table not in round.outcomes)
            wanted = {key_of(round.number, table, round.attempt(table)) for table in open_ones}
        for key, link in list(live.games.items()):
            if not link.open:
                continue
            try:
                found = self._tables.get(link.game_id) or await self._tables.find(link.game_id)
            except Refusal:
                continue  # a newer version has written it
            if found is None:
                await live.read_games()  # it was damaged, and closed without anybody being told
                continue
            table = None if key in wanted else self._tables.get(link.game_id)
            if table is not None and not (live.state.cancelled_by is not None and counts_already(table.view())):
                await table.submit(EndFixture(_ender(live.state, key)))

    async def _revise(self) -> None:
        """Have matches count as was decided, if they ended with another result just after that."""
        live = self._live
        over = {key for key, link in live.games.items() if not link.open}
        verdicts = [verdict for verdict in verdicts_of(live.state) if verdict.fixture in over]
        if verdicts != self._revised:
            await live.revise(verdicts)
            self._revised = verdicts

    def _archive(self) -> None:
        """Have Discord archive the threads of tables that are over; with duplicate only once their round is
        over, as their end messages are edited then."""
        live = self._live
        sealed = live.state.setup.format is Format.DUPLICATE and live.open
        latest = live.state.round
        for key, link in live.games.items():
            if link.open or link.channel_id in self._archived_channels or link.channel_id == live.channel_id:
                continue
            running = latest is not None and not latest.over and key.split(".")[0] == str(latest.number)
            if not (sealed and running):
                self._archived_channels.add(link.channel_id)
                self._places.archive_soon(live.guild_id, link.channel_id)

    async def _tend(self, then: TournamentRound, pairing: Pairing) -> None:
        """Open a pairing's table, or record how it has ended, unless the tournament has gone on meanwhile."""
        live = self._live
        state = live.state
        round = state.round
        if round is None or round.number != then.number or pairing.table in round.outcomes or live.closing or live.lost:
            return
        attempt = round.attempt(pairing.table)
        key = key_of(round.number, pairing.table, attempt)
        link = live.games.get(key)
        if link is None:
            gone = (_is_gone(live, pairing.first), _is_gone(live, pairing.second))
            if any(gone):
                await live.submit(Report(round.number, pairing.table, attempt, walkover(gone=gone)))
            else:
                await self._open(round, pairing)
        elif not link.open and not link.resultless:
            try:
                finished = await self._tables.finished(link.game_id)
            except Refusal:
                finished = None  # a newer version has written it, and will know
            outcome = None if finished is None else outcome_of(finished.state)
            if outcome is None:
                live.note_resultless(key)
            else:
                await live.submit(Report(round.number, pairing.table, attempt, outcome))

    async def _open(self, round: TournamentRound, pairing: Pairing) -> None:
        live = self._live
        channel_id = await self._channel_for(round, pairing)
        if channel_id == live.channel_id and self._tables.has_table(channel_id):
            return  # its turn comes when the channel's present table is over
        state = live.state
        entries = (state.entry(pairing.first), state.entry(pairing.second))
        fixture = fixture_of(state.setup, state.lot, live.id, round.number, pairing.table, round.attempt(pairing.table))
        try:
            table = await self._tables.open_fixture(
                fixture,
                seated(entries),
                config_of(state.setup),
                guild_id=live.guild_id,
                channel_id=channel_id,
                locale=live.locale,
            )
        except Refusal as error:
            if error.code is TableRefusal.CHANNEL_BUSY:
                return
            if error.code is not CommonRefusal.STALE:
                raise
            await live.read_games()  # it was opened before, without this process having learnt of it
        else:
            live.note_table(fixture.key, table)
        self.look()  # meanwhile it may have turned out that nobody waits for the table

    async def _channel_for(self, round: TournamentRound, pairing: Pairing) -> int:
        """The channel to open a table in: a thread of its own if it can have one."""
        live = self._live
        if self._threadless_round == round.number:
            return live.channel_id
        entries = (live.state.entry(pairing.first), live.state.entry(pairing.second))
        try:
            channel_id = await self._places.thread(live.view(), round.number, pairing.table, entries)
        except NoThreads as error:
            told = live.no_threads_reason is error.reason
            told = told or any(link.channel_id == live.channel_id for link in live.games.values())
            self._threadless_round, live.no_threads_reason = round.number, error.reason
            if not told:
                self._places.tell_no_threads(live.view(), error.reason)
            return live.channel_id
        live.no_threads_reason = None
        return channel_id


def _ender(state: Tournament, key: str) -> Person:
    """The person whose decision ends a table: about its result or about the tournament."""
    round, table = (int(part) for part in key.split(".")[:2])
    corrected = state.corrected(round, table)
    if state.cancelled_by is not None:
        return state.cancelled_by
    return state.organiser if corrected is None else corrected.by


def _is_gone(live: LiveTournament, number: int) -> bool:
    """Whether an entry won't come to its table: it has withdrawn, or was erased."""
    entry = live.state.entry(number)
    return entry.withdrawn or any(person.id < 0 for person in entry.people)
