"""One table: its state, its lock, its deadlines. An action is decided, stored, and only then told to the observer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.engine.errors import IllegalMove
from bot.engine.match import Stage
from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.operating.meter import Meter
from bot.store import GameRow, LogEntry, Store, StoreError, VersionConflict
from bot.tables.alarm import Alarm
from bot.tables.chance import Chance
from bot.tables.clock import Clock
from bot.tables.errors import Refusal, RefusalCode, Returned
from bot.tables.log.actions import Action
from bot.tables.log.codec import CodecError, encode, last_moved, people_of, replayed
from bot.tables.log.decide import deal_next, decide
from bot.tables.log.events import Closed, LogEvent, Person, Phase, Presence, PresenceChanged
from bot.tables.log.state import TableState
from bot.tables.options import TableOptions
from bot.tables.result import is_ranked, result_of
from bot.tables.turn import Due, Step, Turn, TurnNotice
from bot.tables.view import MatchViews, TableView
from bot.tables.waiting import Waiting, waiting_since
from bot.thinking import Thinker

log = logging.getLogger(__name__)


class Observer(Protocol):
    """Shows people what happens at tables. Called once the store holds it; must neither block nor raise."""

    def table_changed(self, table: Table) -> None:
        """The table's state has changed."""
        ...

    def deadline_near(self, table: Table) -> None:
        """The current player has little time left."""
        ...

    def nudge_due(self, table: Table) -> None:
        """The current player should be notified that it's their turn."""
        ...

    def table_lost(self, table: Table) -> None:
        """The table's channel is gone: whatever happens there from now on, nobody can see it."""
        ...


class Observers:
    """Calls every observer, in the order in which they were added."""

    def __init__(self) -> None:
        self._observers: list[Observer] = []

    def add(self, observer: Observer) -> None:
        """Call this observer too, from now on."""
        self._observers.append(observer)

    def table_changed(self, table: Table) -> None:
        """See `Observer`."""
        for observer in self._observers:
            observer.table_changed(table)

    def deadline_near(self, table: Table) -> None:
        """See `Observer`."""
        for observer in self._observers:
            observer.deadline_near(table)

    def nudge_due(self, table: Table) -> None:
        """See `Observer`."""
        for observer in self._observers:
            observer.nudge_due(table)

    def table_lost(self, table: Table) -> None:
        """See `Observer`."""
        for observer in self._observers:
            observer.table_lost(table)


@dataclass(frozen=True, slots=True)
class Services:
    """What all tables need from outside.

    `store` holds every event before anybody sees it, `clock` schedules all deadlines, `observers` are called about
    what happens, `turn_notice` says when a person wants to be notified of their turn, `chance` shuffles the decks,
    `meter` counts what is stored, `thinker` finds the computers' moves.
    """

    store: Store
    clock: Clock
    observers: Observers
    turn_notice: Callable[[int | None], TurnNotice]
    chance: Chance
    meter: Meter
    thinker: Thinker


class Table:
    """A channel's game, from the lobby to its result; all writing goes through its lock.

    Args:
        services: what it needs from outside.
        options: how tables are run on its server.
        row: the game as the store has it.
        state: what its log comes to.
        restored: whether a process before this one began it.
        moved_at: when a person last did something there; when it was opened, unless given.
        waiting_since: when that began for which it waits; now, unless given.
        told: whether that one has told the player at turn of it, or needn't.
    """

    def __init__(
        self,
        services: Services,
        options: TableOptions,
        row: GameRow,
        state: TableState,
        *,
        restored: bool = False,
        moved_at: datetime | None = None,
        waiting_since: datetime | None = None,
        told: bool = False,
    ) -> None:
        self.id = row.id
        self.guild_id = row.guild_id
        self.channel_id = row.channel_id
        self.locale = row.locale
        self._services = services
        self._options = options
        self._state = state
        self._lock = asyncio.Lock()
        self._alarm = Alarm(services.clock, row.id, self._lock, self._rearm)
        self._deadline: datetime | None = None
        self._turn = Turn(quiet=told)
        self._steps: list[Due] = []
        """What comes next in the turn of a person, in order."""
        self._timed_out: tuple[tuple[int | None, ...], int] = ((), 0)
        """The latest turn whose deadline passed, and how often it did."""
        self._thought: tuple[int, Move] | None = None
        """What the computer at turn means to play, and in which version of the match."""
        self._suspended = False
        self._closing = False
        self._waiting = Waiting(services.clock.now, row.id, restored=restored, since=waiting_since)
        self.moved_at = moved_at or row.opened_at
        """When a person last did something at it that was stored."""
        self._view: TableView | None = None
        self._match_views = MatchViews(state.match)

    # -------------------------------------------------------------------- what may be seen

    def view(self) -> TableView:
        """The table as everybody sees it; the same object until something changes."""
        if self._view is None:
            state = self._state
            self._view = TableView(
                id=self.id,
                guild_id=self.guild_id,
                channel_id=self.channel_id,
                opener_id=state.opener_id,
                locale=self.locale,
                phase=state.phase,
                config=state.config,
                seats=state.seats,
                missing=state.missing,
                version=state.move_version,
                match=self._match_views.public(),
                deadline=self._deadline,
                waiting=state.phase is Phase.PLAYING and not state.anybody_here,
                restored=self._waiting.restored,
                starts_over=self._waiting.starts_over,
                stand_ins=state.stand_ins,
                ended_by=None if state.ended_by is None else state.ended_by.name,
                hints=self._options.hints and not (state.match and is_ranked(state.seats, state.match.seating)),
                talk=self._options.talk,
            )
        return self._view

    def seat_of(self, person_id: int) -> int | None:
        """The seat a person holds and has not left for good."""
        return self._state.seat_of(person_id)

    def seat_view(self, seat: int) -> SeatView | None:
        """What the player of a seat sees, the same object until something changes; None before the match."""
        return self._match_views.seat(seat)

    def may_cancel(self, person_id: int, *, moderator: bool) -> bool:
        """Whether somebody may end it for everybody."""
        return self._state.may_cancel(person_id, moderator=moderator)

    @property
    def forgotten(self) -> bool:
        """Whether nobody has moved for so long that others may end it; longer than two deadlines, if it has those."""
        pace = self._options.pace
        longest = max(pace.forgotten, 2 * pace.turn if self.phase is Phase.PLAYING else 0)
        return self.phase.open and self._seconds_still() >= longest

    def _seconds_still(self) -> float:
        return (self._services.clock.now() - self.moved_at).total_seconds()

    @property
    def version(self) -> int:
        """How many events the log holds."""
        return self._state.version

    @property
    def phase(self) -> Phase:
        """Where the table is in its life."""
        return self._state.phase

    # -------------------------------------------------------------------- what people do

    async def submit(self, action: Action) -> None:
        """Carry out an action: when this returns, the store holds it.

        Raises:
            Refusal: if it can't be done; nothing has changed then.
        """
        async with self._lock:
            if self._closing:
                raise Refusal(RefusalCode.CLOSING)
            if self.seat_of(action.person.id) is not None:
                self._turn.clicked(action.person.id, self._state.person_at_turn, self._services.clock.now())
            try:
                events = decide(self._state, action, self.id, self._services.chance)
            except Returned as refused:
                await self._commit([PresenceChanged(refused.seat, Presence.HERE)], by_person=True)
                raise
            if events:
                await self._commit(events, by_person=True)

    async def clear(self, person: Person) -> None:
        """End it without a result, because it is forgotten and somebody wants its channel.

        Raises:
            Refusal: if it isn't, any more.
        """
        async with self._lock:
            if self._closing:
                raise Refusal(RefusalCode.CLOSING)
            if not self._state.open:
                raise Refusal(RefusalCode.GAME_OVER)
            if not self.forgotten:
                raise Refusal(RefusalCode.NOT_FORGOTTEN)
            await self._commit([Closed(Phase.IDLE, person)])

    async def set_locale(self, locale: str) -> None:
        """Show the table in another language from now on, if the match has not begun.

        Raises:
            StoreError: if it can't be stored; the language is as before then.
        """
        async with self._lock:
            if self._closing or self.phase is not Phase.LOBBY or locale == self.locale:
                return
            await self._services.store.set_locale(self.id, locale)
            self.locale = locale
            self._view = None
            self._services.observers.table_changed(self)

    async def _commit(self, events: Sequence[LogEvent], *, by_person: bool = False) -> None:
        services, state = self._services, self._state
        entries: list[LogEntry] = []
        now = services.clock.now()
        for event in events:
            state = state.apply(event)
            entries.append(LogEntry(state.version, *encode(event), now))
        result = result_of(state, guild_id=self.guild_id, channel_id=self.channel_id, ended_at=now)
        try:
            with services.meter.storing(len(entries)):
                joined = people_of(events)
                await services.store.append(self.id, entries, joined=joined, result=result, close=not state.open)
        except VersionConflict as error:
            await self._reload()
            raise Refusal(RefusalCode.STALE) from error
        except StoreError as error:
            log.warning("Table %s: the store refused an entry (%s)", self.id, type(error).__name__)
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        if by_person:
            self.moved_at = now
        self._become(state, now)

    def _become(self, state: TableState, now: datetime, since: datetime | None = None) -> None:
        if state.turn_key != self._state.turn_key:
            self._turn.begin(now)
        self._be(state)
        self._waiting.begin(since or now)
        self.arm()
        self._services.observers.table_changed(self)

    def _be(self, state: TableState) -> None:
        self._state = state
        self._view = None
        self._match_views = MatchViews(state.match)

    async def _reload(self) -> None:
        """The log holds more than was known: an entry that was kept though the store reported a failure, say."""
        log.warning("Table %s: the log has gone on without it, and is read again", self.id)
        try:
            entries = await self._services.store.log(self.id)
            state = replayed(entries)
            self.moved_at = last_moved(entries, state)
        except (StoreError, CodecError, IllegalMove) as error:
            log.warning("Table %s: its log can't be read (%s)", self.id, type(error).__name__)
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self._become(state, self._services.clock.now(), waiting_since(entries, state))

    # -------------------------------------------------------------------- what a person may ask to be forgotten

    @asynccontextmanager
    async def standing_still(self) -> AsyncGenerator[None]:
        """While this lasts nothing happens at the table; clicks wait."""
        async with self._lock:
            yield

    def retell(self, change: Callable[[TableState], TableState]) -> None:
        """Change who sits there, and nothing else, while the table stands still; nobody is told yet.

        The one change of its state that is no event: its log was rewritten as if it had always been so.
        """
        self._be(change(self._state))

    # -------------------------------------------------------------------- what time does

    def arm(self) -> None:
        """Set the clock to what the table waits for now, if that isn't what it is set to already.

        A turn's deadline is kept while other seats change hands, while a laid card's capture is chosen, and over a
        restart; it begins anew with the turn, when its player comes back (once: nobody can hold a turn for ever), and
        when it passed, or nearly, while the bot was away.
        """
        before = self._deadline
        self._set_alarm()
        self._waiting.armed()
        if self._deadline != before:
            self._view = None

    def _set_alarm(self) -> None:
        state, pace, alarm = self._state, self._options.pace, self._alarm
        if not state.open or self._suspended:
            self._deadline = None
            alarm.meant_for = None
            if state.open:
                alarm.set(self._waiting.anew(pace.paused), self._abandon)
            else:
                alarm.unset()
            return
        match, computer = state.match, self._computer_plays()
        # A computer goes on after a move that leaves the turn where it was: a claim, which takes what somebody missed.
        signature = (state.phase, state.turn_key, state.anybody_here, state.move_version if computer else None)
        if signature == alarm.meant_for:
            return
        alarm.meant_for = signature
        self._deadline = None
        if match is None:
            alarm.set(self._waiting.left(pace.lobby), self._expire)
        elif not state.anybody_here:
            self._deadline = alarm.set(self._waiting.left(pace.abandon), self._abandon)
        elif match.stage is Stage.TO_DEAL:
            self._deadline = alarm.set(self._waiting.left(pace.next_round), self._deal)
        elif computer:
            alarm.set(pace.computer, self._play_computer, first=self._think)
        else:
            person_id, now = state.person_at_turn, self._services.clock.now()
            told, left = self._services.turn_notice(person_id), self._waiting.left(pace.turn)
            pace = replace(pace, nudge=self._waiting.anew(pace.nudge))
            self._steps = self._turn.steps(pace, left, person_id, told, now)
            self._deadline = next((due.at for due in self._steps if due.step is Step.DEADLINE), None)
            self._await_step()

    def suspend(self) -> None:
        """Let time stand still: nobody can see the table. If that lasts for very long, it is abandoned."""
        self._suspended = True
        self.arm()

    def resume(self) -> None:
        """Let time go on, with a deadline anew."""
        self._suspended = False
        self.arm()

    def close(self) -> None:
        """The bot stops: take no new moves. What was begun ends by itself, and time does nothing more."""
        self._closing = True
        self._alarm.close()

    async def abandon(self) -> None:
        """End it without a result: its channel is gone."""
        async with self._lock:
            if self._state.open:
                await self._commit([Closed(Phase.ABANDONED)])

    def _computer_plays(self) -> bool:
        """Whether the turn is a computer's: of its own, in place of somebody who is away, or of one who let the turn's
        deadline pass a second time."""
        state, match = self._state, self._state.match
        if match is None or match.turn is None or match.stage is not Stage.TO_PLAY:
            return False
        return not state.seats[match.turn].human_here or self._timed_out == (state.turn_key, 2)

    def _await_step(self) -> None:
        """Wait for what comes next in the turn."""
        pace = self._options.pace
        step = (self._steps[0].at - self._services.clock.now()).total_seconds() if self._steps else None
        idle = max(0.0, pace.idle - self._seconds_still()) if pace.idle and not pace.turn else None
        if idle is not None and (step is None or idle <= step):
            self._alarm.set(idle, self._idle)
        elif step is not None:
            self._alarm.set(step, self._pass_step)
        else:
            self._alarm.unset()

    async def _pass_step(self) -> None:
        """A step of the turn has come."""
        step = self._steps.pop(0).step
        if step is Step.DEADLINE:
            await self._time_out()
            return
        self._await_step()
        if step is Step.WARNING:
            self._services.observers.deadline_near(self)
            return
        notice = self._services.turn_notice(self._state.person_at_turn)
        if not self._turn.quiet and notice is not TurnNotice.NEVER:
            self._turn.quiet = True
            self._services.observers.nudge_due(self)

    async def _time_out(self) -> None:
        """The player at turn let the deadline pass: a computer plays for the seat until its owner clicks."""
        match, key = self._state.match, self._state.turn_key
        if match is None or match.turn is None:
            return
        await self._commit_later(PresenceChanged(match.turn, Presence.AWAY))
        if self._state.seats[match.turn].presence is Presence.AWAY:
            known, times = self._timed_out
            self._timed_out = (key, times + 1 if known == key else 1)

    async def _think(self) -> None:
        """Find the computer's move, while people may click."""
        match = self._state.match
        if match is None or match.turn is None:
            return
        seat = match.turn
        view = self._match_views.seat(seat)
        assert view is not None, "the match has a turn"
        # Seeded by the place in the match: a restart makes the same move, whatever was or wasn't stored.
        seed = f"{self.id}/{match.version}/{seat}"
        player = self._state.seats[seat]
        move = await self._services.thinker.move(view, player.level, seed, player.character)
        self._thought = (match.version, move)

    async def _play_computer(self) -> None:
        match = self._state.match
        (version, move), self._thought = self._thought or (0, None), None
        if match is None or move is None or match.version != version:
            self._alarm.try_again()  # the match went on while it was thought about
        else:
            await self._commit_later(match.event_of(move))

    async def _deal(self) -> None:
        await self._commit_later(deal_next(self._state, self.id, self._services.chance))

    async def _expire(self) -> None:
        await self._commit_later(Closed(Phase.EXPIRED))

    async def _abandon(self) -> None:
        await self._commit_later(Closed(Phase.ABANDONED))

    async def _idle(self) -> None:
        """Nobody has moved for so long that nobody will."""
        await self._commit_later(Closed(Phase.IDLE))

    async def _commit_later(self, event: LogEvent) -> None:
        """Commit what time brought; when the store can't, the waiting begins anew after a while."""
        try:
            await self._commit([event])
        except Refusal:
            self._alarm.try_again()

    async def _rearm(self) -> None:
        shown = self._deadline
        self.arm()
        if self._deadline != shown:
            self._services.observers.table_changed(self)
