"""One table: its state, its lock, its log. An action is decided, stored, and only then shown to the observer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from math import ceil

from bot.engine.moves import Stage
from bot.engine.views import SeatView
from bot.platform.database.continuing import continuing, read_log, rereading
from bot.platform.eventlog import people_of
from bot.platform.observers import Observer
from bot.platform.people import Person
from bot.platform.place import Spot
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.ahead import with_ahead
from bot.tables.live.crowd import Ballot, Faces
from bot.tables.live.dealing import Dealing
from bot.tables.live.result import is_broken_off, may_ask_for_hints, result_of, shares_of, winner_of
from bot.tables.live.services import Services
from bot.tables.live.times import at_clock, is_half_over
from bot.tables.live.timing import TimedTable, Timing
from bot.tables.live.turn import TurnStep
from bot.tables.live.view import MatchViews, TableView
from bot.tables.live.waiting import Unseen
from bot.tables.log.actions import Action, Cancel, Join, NextRound
from bot.tables.log.change import Change
from bot.tables.log.codec import LOG, replayed
from bot.tables.log.decide import decide
from bot.tables.log.evenings import part_of
from bot.tables.log.events import Phase, Presence, PresenceChanged
from bot.tables.log.history import History, read_history
from bot.tables.log.lobby import check_may_move, join
from bot.tables.log.pace import DAY, is_unhurried
from bot.tables.log.questions import Times, check_may_cancel, deal_due, ended
from bot.tables.log.seats import Place, place_of, spot_of
from bot.tables.log.state import TableState
from bot.tables.log.target import days_of
from bot.tables.log.topics import Topic
from bot.tables.options import TableOptions
from bot.tables.refusals import Returned, TableRefusal
from bot.tables.store.deals import Draw
from bot.tables.store.rows import GameRow


class Table:
    """A channel's game, from the lobby to its result; all writing goes through its lock.

    `acted_at` is when a person's last stored action was.

    Args:
        services: the store, the clock and the like.
        observer: called after each change.
        options: how tables are run on its server.
        row: the game as it was stored.
        state: the state that its log amounts to.
        history: what else can be read from its log, if a restart brought it back.
    """

    def __init__(
        self,
        services: Services,
        observer: Observer[Table],
        options: TableOptions,
        row: GameRow,
        state: TableState,
        history: History | None = None,
    ) -> None:
        self._row = row
        self.id, self.opener_id = row.id, row.opener_id
        self.guild_id = row.guild_id
        """The server; None if its opener plays alone in private."""
        self.locale = row.locale
        self.acted_at = row.opened_at if history is None else history.person_acted_at
        self._services = services
        self._observer = observer
        self._dealing = Dealing(services, row)
        self._options = options = options if state.fixture is None else options.at_fixture()
        self.faces = Faces(services.games, row, state, wanted=options.reactions)
        self.votes = Ballot(services.games, row, state, wanted=options.reactions)
        self._view: TableView | None = None
        self._opened = False
        self._ready: frozenset[int] = frozenset()
        """The seats of the people who want the next round dealt. After a restart they are asked again."""
        self._reflect(state)
        self._lock = asyncio.Lock()
        timed = TimedTable(
            row.id,
            row.guild_id,
            self._dealing,
            seat_view=self.seat_view,
            idle_seconds=self._idle_seconds,
            commit=lambda events: self._commit(Change(self._state).then(events)),
            deal=self._deal,
            step_due=self._step_due,
            rearm=self._rearm,
        )
        self._timing = Timing(services, options.pace, timed, self._lock, history, state)

    # -------------------------------------------------------------------- what may be seen

    def view(self) -> TableView:
        """The table as everybody sees it; the same object until something changes."""
        if self._view is None:
            state, timing = self._state, self._timing
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
                guests=state.guests,
                version=state.move_version,
                match=self._match_views.public(),
                deadline=self._timing.deadline,
                waiting=state.phase is Phase.PLAYING and not state.anybody_here,
                restored=self._timing.waiting.restored,
                stand_ins=state.stand_ins,
                highlights=state.highlights,
                hints=self._options.hints and may_ask_for_hints(state.config, state.seats, state.match),
                remark=state.talk.remark if self._options.talk else None,
                faces=self.faces.counts(),
                poll=self.votes.poll(self._match_views.public()),
                ready=self._ready & state.people_here,
                overdue=self._timing.overdue and state.others_wait,
                claimable=self._timing.claimable and state.others_wait,
                claim_days=ceil(self._timing.pace.claim / DAY),
                slow=self._timing.pace.slow,
                days=days_of(state.config, len(state.seats), timing.pace) if state.phase is Phase.LOBBY else 0,
                lost_by_misses=state.lost_by_misses,
                missed=state.missed,
                question=state.question and replace(state.question, until=timing.answered_by),
                pause=state.pause_at(self._services.clock.now().timestamp()),
                holiday=timing.holiday,
                may_nudge=state.others_wait and is_half_over(timing, state, self._services.clock.now()),
                nudged_by=state.nudged_by,
                day_spent=state.day_spent,
                may_pause=state.askers(Topic.PAUSE) if self._pausable else frozenset(),
                vacant=next(iter(state.vacant(slow=timing.pace.slow)), None),
                forfeits=state.forfeits,
                late=state.late,
                default_winner=state.default_winner,
                best_left=winner_of(state),
                shares=() if state.open or not self._row.gains_by_play else shares_of(state),
                movable=state.movable,
                fixture=state.fixture,
                opened=self._opened,
                challenge=state.challenge,
                commitment=self._dealing.commitment,
                posted=self._dealing.posted,
                unseen=timing.unseen.since is not None,
                returned=timing.returned,
                changed=state.changed,
                ok_until=timing.ok_until if state.phase is Phase.LOBBY else 0,
            )
            if (by := state.ended_by) is not None:
                name = next((seat.name for seat in self._view.seats if seat.person_id == by.id), by.name)
                self._view = replace(self._view, ended_by=name)
        return self._view

    @property
    def spot(self) -> Spot:
        """Its channel on its server; it must have one."""
        return spot_of(self)

    @property
    def _pausable(self) -> bool:
        """Whether its clocks may be stopped for some days: people have chosen to play without hurry."""
        return not self.alone and is_unhurried(self._state.config.tempo, slow=self._timing.pace.slow)

    def may_join(self, person_id: int, roles: frozenset[int]) -> bool:
        """Whether a person with these roles could sit down in its lobby now."""
        try:
            join(self._state, Join(Person(person_id, ""), friendly=not self._state.config.rated, roles=roles))
        except Refusal:
            return False
        return self.phase is Phase.LOBBY

    def is_at(self, guild_id: int | None, channel_id: int | None) -> bool:
        """Whether its buttons are there. They stay in the channel when the lobby moves to a thread, and may be anywhere
        if somebody plays alone."""
        if self.alone:
            return True
        return guild_id == self.guild_id and (self.thread_id is not None or channel_id == self.channel_id)

    def check_may_move(self, person_id: int, *, moderator: bool) -> None:
        """Raise the `Refusal` that `MoveToThread` would meet."""
        check_may_move(self._state, person_id, moderator=moderator)

    def seat_of(self, person_id: int) -> int | None:
        """The seat a person holds and has not left for good."""
        return self._state.seat_of(person_id)

    @property
    def awaited(self) -> int | None:
        """The person whose move everybody waits for; None if a computer moves, or nobody."""
        state = self._state
        match = state.match if state.phase is Phase.PLAYING and state.current_here else None
        return None if match is None or match.turn is None else state.seats[match.turn].person_id

    def seat_view(self, seat: int) -> SeatView | None:
        """Return what the player of a seat sees; the same object until something changes. None before the match."""
        return self._match_views.seat(seat)

    def check_may_cancel(self, person_id: int, *, moderator: bool) -> None:
        """Raise the `Refusal` that `Cancel` would meet."""
        check_may_cancel(self._state, person_id, moderator=moderator, untouched=self._untouched)

    def may_take_out(self, person_id: int) -> bool:
        """Whether this person, who is a moderator, may take its match out of the channel."""
        return self._state.may_take_out(person_id)

    def may_propose_end(self, person_id: int) -> bool:
        return self._state.may_ask(Topic.END, person_id)

    def asked_by(self, person_id: int) -> bool:
        """Whether a person has asked for a vacant seat and waits for the answer."""
        return self._state.would_sit(person_id)

    @property
    def contested(self) -> bool:
        """Whether a rated match between people is played that is no tournament's."""
        return self._state.contested

    @property
    def forgotten(self) -> bool:
        """Whether anybody may close it: it is neither rated nor a tournament's, and nobody has moved for long."""
        pace, state = self._timing.pace, self._state
        longest = max(pace.forgotten, 2 * pace.turn if self.phase is Phase.PLAYING else 0)
        free = state.fixture is None and not state.contested
        return self.phase.open and free and self._idle_seconds() >= longest

    @property
    def _untouched(self) -> bool:
        """Whether nobody has moved for as long as a match without deadlines is kept."""
        idle = self._timing.pace.idle
        return idle > 0 and self._idle_seconds() >= idle

    @property
    def closed(self) -> bool:
        """Whether it takes no new moves in this process."""
        return self._timing.closed

    def tell(self, *, opened: bool = False) -> None:
        """Add to the view the faces and votes as they are, or that the boards are opened. Observers aren't called."""
        self._opened, self._view = opened or self._opened, None

    # -------------------------------------------------------------------- what people do

    async def submit(self, action: Action) -> None:
        """Carry out an action; when this returns, the store holds it.

        Raises:
            Refusal: if it isn't possible; then nothing has changed.
        """
        async with self._lock:
            if self._timing.closed:
                raise Refusal(CommonRefusal.CLOSING)
            if self.seat_of(action.person.id) is not None:
                self._timing.note_click(action.person.id)
            try:
                change = decide(self._state, action, self.id, self._times(action))
            except Returned as refused:
                back = PresenceChanged(refused.seat, Presence.HERE)
                await self._commit(Change(self._state).then([back]), by_person=True)
                raise
            change, draw = await self._dealing.complete(change)
            if change.events:
                await self._commit(change, draw, by_person=True)
            await self._note_ready(action)

    def _times(self, action: Action) -> Times:
        """Collect what the clock says about an action."""
        state, untouched = self._state, isinstance(action, Cancel) and self._untouched
        times = Times(unready=state.people_here - self._ready, pausable=self._pausable, untouched=untouched)
        return at_clock(times, action, state, self._timing, self._services.clock.now(), self._options.pace)

    async def _note_ready(self, action: Action) -> None:
        """Note that somebody wants the next round; deal it if it waits for nobody any more, because somebody left."""
        match = self._state.match
        if match is None or match.stage is not Stage.TO_DEAL:
            return
        seat = self.seat_of(action.person.id)
        if isinstance(action, NextRound) and seat is not None:
            self._ready |= {seat}
            self._view = None
            self._observer.table_changed(self)
        elif self._ready and self._state.open and not self._state.people_here - self._ready:
            with suppress(Refusal):  # the time that runs deals it
                await self._deal()

    async def clear(self, person: Person) -> None:
        """Close it without a result: it is forgotten, and somebody wants its channel.

        Raises:
            Refusal: if it is over, or somebody has moved after all.
        """
        async with self._lock:
            if self._timing.closed:
                raise Refusal(CommonRefusal.CLOSING)
            if not self._state.open:
                raise Refusal(TableRefusal.GAME_OVER)
            if not self.forgotten:
                raise Refusal(TableRefusal.NOT_FORGOTTEN)
            await self._commit(Change(self._state).then([ended(self._state, Phase.IDLE, person)]))

    async def set_locale(self, locale: str) -> None:
        """Show the table in another language from now on, unless the match has begun.

        Raises:
            StoreError: if it can't be stored; the language then stays as it was.
        """
        async with self._lock:
            if self._timing.closed or self.phase is not Phase.LOBBY or locale == self.locale:
                return
            await self._services.games.set_locale(self.id, locale)
            self.locale = locale
            self._view = None
            self._observer.table_changed(self)

    async def _deal(self) -> None:
        await self._commit(*await self._dealing.complete(Change(self._state, deal=deal_due(self._state))))

    async def _commit(self, change: Change, draw: Draw | None = None, *, by_person: bool = False) -> None:
        services = self._services
        change, spent = await with_ahead(change, services.games, self.id) if self._timing.pace.slow else (change, ())
        state, now, gains = change.state, services.clock.now(), self._row.gains_by_play
        entries = LOG.entries(change.events, now, after=self.version)
        result = result_of(state, guild_id=self.guild_id, channel_id=self.channel_id, ended_at=now, gains_by_play=gains)
        async with continuing(f"Table {self.id}", self._reload):
            with services.meter.storing(len(entries)):
                await services.games.append(
                    self.id,
                    entries,
                    joined=people_of(change.events),
                    result=result,
                    close=not state.open,
                    broken_off=is_broken_off(state),
                    moved_to=state.thread_id if state.thread_id != self.thread_id else None,
                    draw=draw,
                    spent=spent,
                    part=None if self.alone else part_of(state, unhurried=self._pausable),
                    faceless=self.faces.end_with(state.match),
                    voteless=self.votes.lost_with(state),
                )
        self.acted_at = now if by_person else self.acted_at
        self._become(state, now)

    def _become(self, state: TableState, now: datetime, wait_began_at: datetime | None = None) -> None:
        before = self._state
        nudged = state.nudged_by is not None and state.nudged_turn != before.nudged_turn
        if state.turn_key != before.turn_key:
            self._timing.attention.begin_turn(now)
        if (state.turn_key, state.current_here) != (before.turn_key, before.current_here):
            self._timing.turn_began_at = wait_began_at or now
        self._set_state(state)
        self._timing.waiting.begin(wait_began_at or now)
        self.arm()
        self._observer.table_changed(self)
        if nudged:
            self._observer.nudged(self)

    def _set_state(self, state: TableState) -> None:
        self._timing.follow(state)
        self.faces.follow(state.match)
        self.votes.follow(state)
        self._reflect(state)

    def _reflect(self, state: TableState) -> None:
        match = state.match
        if match is None or match.stage is not Stage.TO_DEAL:
            self._ready = frozenset()
        self._state, self.phase = state, state.phase
        self.version = state.version
        """The number of events in the log."""
        self.thread_id = state.thread_id
        """The thread it has moved to; None if it is still where it was opened."""
        self.taken_out = state.taken_out
        """Whether its match goes on without a channel: its place is a number below 0."""
        self.channel_id = state.thread_id or self._row.channel_id
        """The channel or thread; None if its opener plays alone in private."""
        self.alone = self.channel_id is None
        """Whether its opener plays alone in private."""
        self.place: Place = place_of(self)
        self._view = None
        self._match_views = MatchViews(state.match)

    async def _reload(self) -> None:
        """Catch up with the stored log, which is ahead: the store may keep an entry although it has reported a failure.

        Raises:
            Refusal: if the log can't be read; the table stays as it was.
        """
        with rereading(f"Table {self.id}"):
            history = await read_log(read_history, await self._services.games.log(self.id))
        self.acted_at = history.person_acted_at
        self._become(history.state, self._services.clock.now(), history.wait_began_at)

    @asynccontextmanager
    async def standing_still(self) -> AsyncGenerator[None]:
        """Context manager in which nothing happens at the table; clicks wait."""
        async with self._lock:
            yield

    async def reread(self) -> None:
        """Read again who sits there, while the table stands still, since its log was rewritten as if that had always
        been so. Observers aren't called yet.

        Raises:
            Refusal: if it can't be read.
        """
        with rereading(f"Table {self.id}"):
            self._set_state(replayed(await self._services.games.log(self.id)))

    # -------------------------------------------------------------------- what time does

    def arm(self) -> None:
        """Set the alarm to what the table waits for now; see `Timing.arm`."""
        timing = self._timing
        if self.taken_out:
            timing.set_unseen(True)
        before = (timing.deadline, timing.overdue, timing.claimable)
        timing.arm()
        if (timing.deadline, timing.overdue, timing.claimable) != before:
            self._view = None

    def rearm_for(self, person_id: int) -> None:
        """Set the clock of the turn again if it is a person's whose holidays or quiet hours may have changed."""
        if self._state.current_person_id == person_id:
            self.rearm()

    def rearm(self) -> None:
        """Set its clocks again after an outage, and show it if that changes anything."""
        shown, self._view = self.view(), None
        self.arm()
        if self.view() != shown:
            self._observer.table_changed(self)

    def note_posted(self, posted: int | None) -> None:
        """Its message is stored, with how often it has been posted (None after the first deal)."""
        if posted is not None:
            self._dealing.note_posted(posted)
            self._view = None
            self.arm()

    def set_unseen(self, unseen: bool) -> None:
        """Note whether its channel takes no message, so that a match goes on elsewhere, for those who know."""
        if not self.closed and self._timing.set_unseen(unseen):
            self._view = None
            self.arm()
            self._observer.table_changed(self)

    def note_heard(self, person_id: int) -> None:
        """Note that a person knows where the match goes on while its channel takes no message."""
        self._timing.note_heard(person_id)

    @property
    def unseen(self) -> Unseen:
        """The times in which its channel takes no message."""
        return self._timing.unseen

    def note_notified(self) -> None:
        """The bot before this one has notified the current player of their turn."""
        self._timing.attention.is_aware = True

    def close(self) -> None:
        """Take no new moves, because the bot is stopping. What has begun finishes; deadlines no longer do anything."""
        self._timing.close()

    async def abandon(self, phase: Phase = Phase.GONE, *, lobby_only: bool = False) -> None:
        """End it without a result, because its channel is gone, or as `phase` says."""
        async with self._lock:
            if self._state.open and (self.phase is Phase.LOBBY or not lobby_only):
                await self._commit(Change(self._state).then([ended(self._state, phase)]))

    def _idle_seconds(self) -> float:
        return self._timing.running(self.acted_at)

    def _step_due(self, step: TurnStep) -> None:
        if step is TurnStep.WARNING:
            self._observer.deadline_near(self)
        elif step in (TurnStep.OVERDUE, TurnStep.CLAIM, TurnStep.BREAK, TurnStep.HALF):
            self._view = None
            self._observer.table_changed(self)
        else:
            self._observer.nudge_due(self)

    async def _rearm(self) -> None:
        self.rearm()
