"""An open tournament: its state, its lock, its log. An action is decided, stored, and only then shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from bot.club.store.ratings import Ratings
from bot.club.store.revised import Verdict
from bot.platform.clock import Breaks, Clock
from bot.platform.database.continuing import continuing, read_log, rereading
from bot.platform.database.errors import StoreError
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.table import Table
from bot.tables.log.events import Fixture
from bot.tournaments.live.codec import LOG
from bot.tournaments.live.outcome import verdicts_of
from bot.tournaments.live.view import NoThreadsReason, TableLink, TournamentView
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.decide import decide
from bot.tournaments.rules.log import (
    Answer,
    Begin,
    Correct,
    Corrected,
    DrawRound,
    PlayAgain,
    Replayed,
    Report,
    StageBegan,
    TournamentAction,
    TournamentEvent,
)
from bot.tournaments.rules.setup import min_entries
from bot.tournaments.rules.state import apply_all
from bot.tournaments.rules.tournament import Tournament, TournamentStage
from bot.tournaments.store.logs import FixtureGame, TournamentLogs, TournamentRow

CHECK_IN: Final = timedelta(minutes=10)
"""Time that people have to say that they are there."""
PAUSE: Final = timedelta(minutes=2)
"""Time between a round's last table and the next round."""
ONE_MORE: Final = timedelta(minutes=1)
"""Time that others have to check in once enough are there, if the time for check-in was already over."""
UNTOUCHED: Final = timedelta(days=1)
"""After this long without anything happening, a tournament that waits for people is cancelled, and says so."""
CORRECTABLE: Final = timedelta(days=7)
"""How long after the end of a tournament its results may be corrected."""
AFTER_RESTART: Final = timedelta(minutes=1)
"""A wait that began before a restart, or another outage, lasts at least this long after it."""


class TournamentObserver(Protocol):
    """Hears what happens in tournaments, once the store holds it. Must neither block nor raise."""

    def tournament_changed(self, tournament: LiveTournament) -> None:
        """Something has happened in the tournament."""

    def tournament_lost(self, tournament: LiveTournament) -> None:
        """The tournament's channel is gone: nobody can see what happens in the tournament from now on."""


@dataclass(frozen=True, slots=True)
class Log:
    """A stored log: the state it adds up to, when its latest stage began, and when its latest entry was made."""

    state: Tournament
    stage_at: datetime
    touched_at: datetime

    @classmethod
    def read(cls, entries: Sequence[LogEntry]) -> Log:
        """Read a stored log.

        Raises CodecError if a row can't be read or is missing, ValueError if the rows don't make sense.
        """
        stages = [entry.at for entry in entries if entry.kind == _STAGE]
        state = LOG.replayed(entries)
        return cls(state, stages[-1] if stages else entries[0].at, entries[-1].at)


_STAGE: Final = LOG.encode(StageBegan(TournamentStage.CHECK_IN))[0]


class LiveTournament:
    """A tournament that is open, or whose end is yet to be shown; all writing goes through its lock.

    Args:
        logs: hold every event before anybody sees it.
        ratings: what people are paired by.
        clock: tells the time.
        away: the times in which the bot wasn't in a server, each in seconds since 1970.
        running: whether the match of a game runs, and already counts, whoever leaves it.
        changed: called after each change.
        row: the tournament as the store has it.
        known: what its log tells.
        games: the games that were opened for it.
        restored: whether a restart has brought it back.
    """

    def __init__(
        self,
        logs: TournamentLogs,
        ratings: Ratings,
        clock: Clock,
        away: Callable[[int], Sequence[tuple[float, float]]],
        running: Callable[[int], bool],
        changed: Callable[[LiveTournament], None],
        row: TournamentRow,
        known: Log,
        games: Sequence[FixtureGame] = (),
        *,
        restored: bool = False,
    ) -> None:
        self.row = row
        self.lost = False
        """Its channel is gone."""
        self.asleep = False
        """The bot isn't in its server: nothing is done until it is back."""
        self.closing = False
        """The bot is stopping: nothing more is done."""
        self.games: dict[str, TableLink] = {}
        """The games that were opened, by the key of their pairing."""
        self.no_threads_reason: NoThreadsReason | None = None
        self._logs, self._rated = logs, ratings
        self._clock = clock
        self._away = away
        self._running = running
        self._changed = changed
        self._known = known
        self._restored_at = clock.now() if restored else None
        self._lock = asyncio.Lock()
        self._note_games(games)

    # -------------------------------------------------------------------- what may be seen

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def guild_id(self) -> int:
        return self.row.guild_id

    @property
    def channel_id(self) -> int:
        return self.row.channel_id

    @property
    def locale(self) -> str:
        return self.row.locale

    @property
    def state(self) -> Tournament:
        return self._known.state

    @property
    def open(self) -> bool:
        """Whether something can still happen, besides corrections."""
        return self.state.stage.open

    def view(self) -> TournamentView:
        """The tournament as everybody sees it."""
        row = self.row
        return TournamentView(
            row.id,
            row.guild_id,
            row.channel_id,
            row.locale,
            self.state,
            row.message_id,
            newest_tables(self.state, self.games),
            self.deadline,
            self.no_threads_reason,
            row.opened_at,
        )

    @property
    def deadline(self) -> datetime | None:
        """When check-in begins by itself, or the end of check-in, or of the pause after a round."""
        state, known = self.state, self._known
        start = None if state.setup.start is None else state.setup.start.moment
        if state.stage is TournamentStage.SIGN_UP and start is not None:
            return start - CHECK_IN
        if state.stage is TournamentStage.CHECK_IN:
            enough, end = state.starting >= min_entries(state.setup), self._after(known.stage_at, CHECK_IN)
            end = end if start is None else max(start, end)
            if known.touched_at >= end:
                end = known.touched_at + ONE_MORE
            return end if enough or self._clock.now() < end else None
        if state.stage is TournamentStage.PLAYING and state.round is not None and state.round.over:
            return self._after(known.touched_at, PAUSE)
        return None

    @property
    def expires_at(self) -> datetime:
        """The moment at which it is cancelled if nothing happens and no table is open."""
        start = self.state.setup.start
        waits = not self.state.rounds and start is not None and start.moment > self._known.touched_at
        since = start.moment if start is not None and waits else self._known.touched_at
        return self._outages.after(since, UNTOUCHED.total_seconds())

    @property
    def _outages(self) -> Breaks:
        """When nothing could happen: the bot wasn't running, or not in the server."""
        return Breaks([*self._clock.outages.times, *self._away(self.guild_id)])

    def _after(self, since: datetime, wait: timedelta) -> datetime:
        outages = self._outages
        end = outages.after(since, wait.total_seconds())
        backs = [datetime.fromtimestamp(back, UTC) for _, back in outages.times]
        back = max(backs if self._restored_at is None else [*backs, self._restored_at], default=None)
        return end if back is None or since > back else max(end, back + AFTER_RESTART)

    # -------------------------------------------------------------------- what people do

    async def submit(
        self, action: TournamentAction | Report, *, manages: bool = False, moderates: bool = False
    ) -> None:
        """Carry out an action; when this returns, the store holds it.

        Args:
            action: what somebody asks for.
            manages: whether that person may manage events there.
            moderates: whether they may manage messages there.

        Raises:
            Refusal: if it can't be done; then nothing has changed.
        """
        async with self._lock:
            if self.closing:
                raise Refusal(CommonRefusal.CLOSING)
            late = self._clock.now() > self._known.stage_at + CORRECTABLE
            if isinstance(action, Correct | Answer) and not self.open and late:
                raise Refusal(TournamentRefusal.LONG_OVER)
            if isinstance(action, Begin) and self.state.setup.seeded:
                action = replace(action, ratings=await self._ratings())
            if isinstance(action, Begin | DrawRound):  # these draw a round, which would hold up everybody's clicks
                events = await asyncio.to_thread(decide, self.state, action, manages=manages)
            else:
                running = self._tables_running if isinstance(action, Correct | PlayAgain) else ()
                events = decide(self.state, action, manages=manages, moderates=moderates, running=running)
            if events:
                await self._commit(events)

    @property
    def _tables_running(self) -> frozenset[int]:
        """The latest round's tables without an outcome whose matches already count."""
        round, tables = self.state.round, newest_tables(self.state, self.games)
        return frozenset(
            table
            for (number, table), link in tables.items()
            if round is not None and number == round.number and table not in round.outcomes
            if self._running(link.game_id)
        )

    async def _ratings(self) -> tuple[tuple[int, float], ...]:
        """The ratings of all who have signed up. Raises Refusal if they can't be read."""
        people = {person.id for entry in self.state.entries for person in entry.people}
        try:
            lineup = await self._rated.lineup(self.guild_id, people, self._clock.now())
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
        return tuple((person_id, rating.value) for person_id, rating in sorted(lineup.ratings.items()))

    async def revise(self, verdicts: Sequence[Verdict]) -> None:
        """Have its matches count as was decided. Raises StoreError if that can't be stored."""
        await self._logs.revise(self.id, verdicts)

    async def cancel(self) -> None:
        """End it because its channel is gone, or because nothing has happened for long.

        Raises Refusal if the store can't write.
        """
        async with self._lock:
            if self.open and not self.closing:
                await self._commit([StageBegan(TournamentStage.CANCELLED)])

    async def set_message(self, message_id: int | None) -> None:
        """Note its public message; None once there is none, or once it shows the end.

        Raises StoreError if it can't be stored.
        """
        await self._logs.set_message(self.id, message_id)
        self.row = replace(self.row, message_id=message_id)

    async def set_event(self, event_id: int | None) -> None:
        """Note its scheduled event on Discord; None once there is none. Raises StoreError if it can't be stored."""
        await self._logs.set_event(self.id, event_id)
        self.row = replace(self.row, event_id=event_id)

    async def _commit(self, events: Sequence[TournamentEvent]) -> None:
        before, now = self.state, self._clock.now()
        after = apply_all(before, events)
        entries = LOG.entries(events, now, after=before.version)
        over = before.stage.open and not after.stage.open
        repeats = over and after.repeats and not self.lost
        async with continuing(f"Tournament {self.id}", self.reload):
            await self._logs.append(
                self.id,
                entries,
                joined=people_of(events),
                close=over,
                repeats=repeats,
                verdicts=_verdicts(events, after),
            )
        self.row = replace(self.row, repeats=self.row.repeats or repeats)
        stage_at = now if any(isinstance(event, StageBegan) for event in events) else self._known.stage_at
        self._known = Log(after, stage_at, now)
        self._changed(self)

    async def reload(self) -> None:
        """Catch up with the store: it may have kept an entry although it reported a failure, or a log was rewritten.

        Raises Refusal if the log can't be read; the tournament stays as it was.
        """
        with rereading(f"Tournament {self.id}"):
            known = await read_log(Log.read, await self._logs.log(self.id))
            row = await self._logs.get(self.id)
        self._known, self.row = known, row or self.row
        self._changed(self)

    def followed(self) -> None:
        """Note that the one of the week after has been opened."""
        self.row = replace(self.row, repeats=False)

    @property
    def done_with(self) -> bool:
        """Whether nothing is left to do for it: it is over, everybody is told, and no table of it is open."""
        row, tables = self.row, any(link.open for link in self.games.values())
        return not (self.open or tables or row.repeats or row.message_id is not None or row.event_id is not None)

    # -------------------------------------------------------------------- its games

    async def read_games(self) -> None:
        """Learn which games were opened for it. Raises StoreError if they can't be read."""
        self._note_games(await self._logs.games(self.id))

    def _note_games(self, games: Sequence[FixtureGame]) -> None:
        self.games = {game.key: TableLink(game.id, game.channel_id, game.closed_at is None) for game in games}

    def note_table(self, key: str, table: Table) -> None:
        """Note that one of its tables was opened, has moved, or is over."""
        self.games[key] = TableLink(table.id, table.spot.channel_id, table.phase.open)
        self._changed(self)

    def note_resultless(self, key: str) -> None:
        """Note that one of its tables is over, and has no result."""
        self.games[key] = replace(self.games[key], resultless=True)
        self._changed(self)

    # -------------------------------------------------------------------- erasing a person

    @asynccontextmanager
    async def standing_still(self) -> AsyncGenerator[None]:
        """Context manager during which nothing happens to the tournament; clicks wait."""
        async with self._lock:
            yield


def _verdicts(events: Sequence[TournamentEvent], after: Tournament) -> list[Verdict]:
    """Tell how its matches count after some events; nothing if these say nothing about it."""
    return verdicts_of(after) if any(isinstance(event, Corrected | Replayed) for event in events) else []


def newest_tables(state: Tournament, games: dict[str, TableLink]) -> dict[tuple[int, int], TableLink]:
    """The game that counts for each pairing, by round and table."""
    found: dict[tuple[int, int], TableLink] = {}
    for round in state.rounds:
        for pairing in round.pairings:
            link = games.get(key_of(round.number, pairing.table, round.attempt(pairing.table)))
            if link is not None:
                found[round.number, pairing.table] = link
    return found


def key_of(round: int, table: int, attempt: int) -> str:
    """The key of a pairing's game within the tournament."""
    return Fixture(0, round, table, attempt=attempt).key
