"""The passing of time at a table: deadlines, warnings, nudges, the next round's deal, the computers' moves."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.match import Match
from bot.engine.moves import Move, Stage
from bot.engine.views import SeatView
from bot.platform.clock import UNBROKEN, Breaks
from bot.platform.database.errors import StoreError
from bot.platform.refusals import Refusal
from bot.tables.live.dealing import Dealing
from bot.tables.live.services import Services, day_spent
from bot.tables.live.turn import Attention, ScheduledStep, TurnStep, outside, steps_of_turn
from bot.tables.live.waiting import Alarm, CurrentWait, Unseen
from bot.tables.log.events import LogEvent, Phase, Presence, PresenceChanged, TurnMissed
from bot.tables.log.history import History
from bot.tables.log.pace import SLOW_MISSES, Pace, Tempo, is_unhurried
from bot.tables.log.questions import claimed, ended, forfeit
from bot.tables.log.state import TableState
from bot.tables.log.topics import QuestionLapsed, TableMove
from bot.tables.settings import TurnNotice

log = logging.getLogger(__name__)

FEAT_SECONDS: Final = 3.0
"""The least pause of a computer after an escoba or a canto, which people are to see."""
_DEALT: Final = 2
"""The version of a match in which no card has been played: it has started, and its first round is dealt."""


@dataclass(frozen=True, slots=True)
class TimedTable:
    """The part of a table that `Timing` needs.

    Attributes:
        id: its number.
        guild_id: its server; None for somebody who plays alone in private.
        dealing: how it gets its decks.
        seat_view: what the player of a seat sees.
        idle_seconds: how long ago a person last did something.
        commit: stores and applies events.
        deal: deals the next round, and stores and applies that.
        step_due: called for a warning or a nudge, when the turn becomes overdue or no longer is, and when the match can
            be claimed; deadlines are handled here.
        rearm: arms the table again after something failed.
    """

    id: int
    guild_id: int | None
    dealing: Dealing
    seat_view: Callable[[int], SeatView | None]
    idle_seconds: Callable[[], float]
    commit: Callable[[Sequence[LogEvent]], Awaitable[None]]
    deal: Callable[[], Awaitable[None]]
    step_due: Callable[[TurnStep], None]
    rearm: Callable[[], Awaitable[None]]


def computers_pause(state: TableState, pace: Pace) -> float:
    """Return a computer's wait before its move, in seconds: long enough for people to see an escoba or a canto."""
    assert state.match is not None, "somebody's turn has come"
    happened = (fact for fact in reversed(state.match.recent) if isinstance(fact, TableMove | OpeningTaken))
    match next(happened, None):
        case CantosSung() | CardPlayed(escoba=True) | CaptureClaimed(escoba=True) | OpeningTaken():
            return max(pace.computer, FEAT_SECONDS) if pace.computer else 0
        case _:
            return pace.computer


class Timing:
    """Sets a table's alarm to whatever the table waits for, and does it when the time has come.

    `deadline` is when the turn, the pause after a round, or the wait for somebody to return is over; None without one.
    `overdue`: the current player, who has no deadline, hasn't clicked for so long that the others may have a computer
    play for them. `turn_began_at`: when the turn, or the current player's return in it, began.

    Args:
        services: clock, decks and thinker.
        usual: how long things wait on the table's server.
        table: the table.
        lock: held while something is done.
        history: what the log tells about a table that was brought back after a restart.
        state: the table's state, until it `follow`s another.
    """

    def __init__(
        self,
        services: Services,
        usual: Pace,
        table: TimedTable,
        lock: asyncio.Lock,
        history: History | None,
        state: TableState,
    ) -> None:
        self.deadline: datetime | None = None
        self.overdue = self._claim_due = False
        self._services = services
        self._usual = usual
        self.follow(state)
        self._table = table
        self._alarm = Alarm(services.clock, table.id, lock, table.rearm)
        self._answers = Alarm(services.clock, table.id, lock, table.rearm, key=("answers", table.id))
        """The alarm of the question to all players."""
        self.turn_began_at = services.clock.now() if history is None else history.wait_began_at
        self.attention = Attention(is_aware=history is not None and history.player_clicked)
        began_at = None if history is None else history.wait_began_at
        self.waiting = CurrentWait(services.clock.now, table.id, restored=history is not None, began_at=began_at)
        self._breaks, self._quiet = UNBROKEN, None
        self._steps: list[ScheduledStep] = []
        """The next steps of a person's turn, in order."""
        self._timed_out: tuple[tuple[int | None, ...], int] = ((), 0)
        """The latest turn whose deadline passed, and how often it did."""
        self._thought: tuple[int, Move] | None = None
        """The version of the match, and the move that the current computer player means to make in it."""
        self.unseen = Unseen()
        """The times in which its channel takes no message."""

    def follow(self, state: TableState) -> None:
        """Measure by a state of the table from now on."""
        self._state = state
        self.pace = self._usual.at(state.config.tempo)
        """The waits at this table."""

    def note_click(self, person_id: int) -> None:
        """A person with a seat has clicked."""
        current, now = self._state.current_person_id, self._services.clock.now()
        self.attention.note_click(person_id, current, now)
        self.note_heard(person_id)
        if self.overdue and person_id == current:
            self.overdue = False
            self._add_step(ScheduledStep(self._overdue_at(now), TurnStep.OVERDUE))
            self._await_step()
            self._table.step_due(TurnStep.OVERDUE)

    def note_heard(self, person_id: int) -> None:
        """A person knows where the match goes on while its channel takes no message: the clock of their turn runs."""
        news = self.unseen.note_heard(person_id, self._services.clock.now())
        if news and person_id == self._state.current_person_id:
            self.arm()
            self._table.step_due(TurnStep.BREAK)

    def set_unseen(self, unseen: bool) -> bool:
        """Note whether the channel takes no message; returns whether that is news."""
        if unseen is (self.unseen.since is not None):
            return False
        now, current = self._services.clock.now(), self._state.current_person_id
        if unseen:
            self.unseen.begin(now)
            return True
        if self.unseen.waits_for(current):
            self.attention.is_aware = False  # whatever has notified them led nowhere
        self.unseen.end(now, self.turn_began_at)
        return True

    @property
    def claimable(self) -> bool:
        """Whether the current player hasn't moved for so long that the others may claim a rated match; nobody may
        while its channel takes no message, or it has none and the player doesn't know."""
        state = self._state
        gone = self.unseen.waits_for(state.current_person_id) if state.taken_out else self.unseen.since is not None
        return self._claim_due and not gone

    @property
    def returned(self) -> bool:
        """Whether the bot wasn't in the server for a part of the turn."""
        away = self._services.away(self._table.guild_id)
        return bool(away) and away[-1][1] > self.turn_began_at.timestamp()

    @property
    def closed(self) -> bool:
        return self._alarm.closed

    def close(self) -> None:
        """Do nothing more; what is under way is left to finish."""
        self._alarm.close()
        self._answers.close()

    @property
    def answer_by(self) -> int:
        """When a question to all players that is asked now must be answered, in seconds since 1970."""
        return int(self._services.clock.now().timestamp() + self.pace.answer)

    @property
    def answered_by(self) -> int:
        """The time by which the open question must be answered: outages since it was asked don't count."""
        question = self._state.question
        assert question is not None, "a question is open"
        return self.waiting.prolonged(question.until, self.pace.answer, self._outages)

    def ok_by(self, tempo: Tempo) -> int:
        """Compute until when the start waits for an OK on a change that is made now. `tempo`: the lobby's after it."""
        return int(self._services.clock.now().timestamp()) + self._usual.ok_seconds(tempo, self._state.config.tempo)

    @property
    def ok_until(self) -> int:
        """The time until which the start waits for an OK on the latest change; outages since don't count."""
        return self.waiting.prolonged(self._state.ok_until, self._ok_seconds, self._outages)

    @property
    def _ok_seconds(self) -> int:
        """The longest wait of the start for an OK; a lobby that waits for one is kept as much longer."""
        return self._usual.ok_seconds(self._state.config.tempo) if self._state.unagreed else 0

    def arm(self) -> None:
        """Set the alarm to what the table waits for now, unless it is already set to that.

        A turn's deadline is kept while other seats change hands, while the capture of a laid card is chosen, and across
        a restart, but for the outage. It starts over with each turn, and when the turn's player comes back (only once,
        so that nobody can hold up a turn for ever).
        """
        self._set_alarm()
        self._await_answers()
        self.waiting.armed()

    def _set_alarm(self) -> None:
        state = self._state
        pace = self.pace
        alarm = self._alarm
        if not state.open:
            self.deadline, self.overdue, self._claim_due = None, False, False
            alarm.situation = None
            alarm.unset()
            return
        match, computer = state.match, self._computer_plays(state)
        # A computer goes on after a move that leaves the turn where it was: a claim, which takes what somebody missed.
        undealt = match is not None and match.round is None  # a tournament's table, which begins with its match
        waits = undealt and self._table.dealing.waits
        situation = (state.phase, state.turn_key, state.anybody_here, state.move_version if computer else None, waits)
        breaks, same, failed = self._find_breaks(), situation == alarm.situation, alarm.failed
        quiet = self._services.quiet(state.current_person_id, self._table.guild_id) if self._unhurried else None
        if same and not failed and (breaks.times, quiet) == (self._breaks.times, self._quiet):
            return
        alarm.situation, self._breaks, self._quiet, outages = situation, breaks, quiet, self._outages
        left = partial(self.waiting.left, outages=outages, same=same, failed=failed)
        self.deadline, self.overdue, self._claim_due = None, False, False
        if waits or (pace.timeless and not computer):
            alarm.unset()
        elif match is None:
            alarm.set(left(pace.lobby + self._ok_seconds, outages), partial(self._end, Phase.EXPIRED))
        elif undealt:
            alarm.set(0, self._deal)
        elif not state.anybody_here:
            self.deadline = alarm.set(left(pace.abandon, outages), partial(self._end, Phase.ABANDONED))
        elif match.stage is Stage.TO_DEAL:
            self.deadline = alarm.set(left(pace.next_round, outages), self._deal)
        elif computer:
            alarm.set(computers_pause(state, pace), self._play_computer, first=self._think, lasts=True)
        else:
            self._await_person(state.current_person_id, left(pace.turn, breaks, quiet=quiet))

    def _find_breaks(self) -> Breaks:
        """The times in which the clock of what the table waits for stands still, past ones included."""
        pauses = [(pause.since, pause.until) for pause in self._state.pauses]
        holidays = self._services.holidays(self._state.current_person_id) if self.has_holidays else ()
        outages = self._outages
        return Breaks([*pauses, *holidays, *outages.times]) if pauses or holidays else outages

    @property
    def _outages(self) -> Breaks:
        """When nobody could do anything: the bot wasn't running or not in the server, or the player wasn't told."""
        services, outages = self._services, self._services.clock.outages
        away = services.away(self._table.guild_id)
        unseen = self.unseen.breaks(self._state.current_person_id, self.turn_began_at)
        return Breaks([*outages.times, *away, *unseen]) if away or unseen else outages

    def _until(self, seconds: float) -> float:
        """Compute the seconds until the clock has run for this many."""
        now = self._services.clock.now()
        return (self._breaks.after(now, seconds) - now).total_seconds()

    @property
    def has_holidays(self) -> bool:
        """Whether the current player's holidays stop the clock: in a slow match that is no tournament's."""
        state = self._state
        return self.pace.pausable and state.fixture is None and state.current_here

    @property
    def holiday(self) -> datetime | None:
        """The end of the holiday that the current player is on."""
        if not self.has_holidays:
            return None
        now = self._services.clock.now().timestamp()
        times = self._services.holidays(self._state.current_person_id)
        return next((datetime.fromtimestamp(end, UTC) for begin, end in times if begin <= now < end), None)

    def running(self, since: datetime) -> float:
        """Count the seconds for which the clock has run since a moment."""
        return self._breaks.running(since, self._services.clock.now())

    def _computer_plays(self, state: TableState) -> bool:
        """Whether a computer plays the current turn: its own, that of somebody who is away or has missed the turn, or
        that of somebody who let the turn's deadline pass a second time."""
        match = state.match
        if match is None or match.turn is None or match.stage is not Stage.TO_PLAY:
            return False
        return not state.current_here or self._timed_out == (state.turn_key, 2)

    def _await_person(self, person_id: int | None, left: float) -> None:
        full = self.waiting.full
        pace = replace(self.pace, nudge=full(self.pace.nudge), overdue=full(self.pace.overdue))
        notice = self.attention.needed(self._turn_notice(person_id), person_id)
        now = self._services.clock.now()
        self._steps = outside(steps_of_turn(pace, left, now, notice), now, self._breaks, self._quiet)
        self.deadline = next((step.at for step in self._steps if step.step is TurnStep.DEADLINE), None)
        if self.unseen.waits_for(person_id):
            self.deadline = None
            if not pace.turn:
                self._add_step(ScheduledStep(self._breaks.after(now, 0), TurnStep.DEADLINE))
        if pace.claim and self._state.contested:
            self._add_step(ScheduledStep(self._breaks.after(self.turn_began_at, pace.claim), TurnStep.CLAIM))
        self._await_break()
        self._await_step()

    def _await_break(self) -> None:
        """Show the table again when its clock next stops, or goes on."""
        if (when := self._breaks.next_change(self._services.clock.now())) is not None:
            self._add_step(ScheduledStep(when, TurnStep.BREAK))

    def _turn_notice(self, person_id: int | None) -> TurnNotice:
        return self._services.turn_notice(person_id, unhurried=self._unhurried)

    @property
    def _unhurried(self) -> bool:
        return is_unhurried(self._state.config.tempo, slow=self.pace.slow)

    def _await_step(self) -> None:
        pace = self.pace
        step = (self._steps[0].at - self._services.clock.now()).total_seconds() if self._steps else None
        kept = self._kept()
        idle = self._until(max(0.0, kept - self._table.idle_seconds())) if kept and not pace.turn else None
        if idle is not None and (step is None or idle <= step):
            self._alarm.set(idle, partial(self._end, Phase.IDLE))  # nobody will move any more
        elif step is not None:
            self._alarm.set(step, self._take_step)
        else:
            self._alarm.unset()

    def _kept(self) -> float:
        """How long a match without deadlines is kept after the last move; 0 for ever. One that is won already doesn't
        wait for its winner."""
        state, pace = self._state, self.pace
        if state.default_winner is not None:
            return pace.abandon
        return 2 * pace.idle if state.contested else pace.idle

    async def _take_step(self) -> None:
        step = self._steps.pop(0).step
        if step is TurnStep.DEADLINE:
            await self._time_out()
            return
        if step is TurnStep.OVERDUE and not self._is_overdue():
            return
        if step is TurnStep.CLAIM:
            self._claim_due = True
        if step is TurnStep.BREAK:
            self._await_break()
        self._await_step()
        if step is TurnStep.NUDGE:
            notice = self._turn_notice(self._state.current_person_id)
            if self.attention.is_aware or notice is TurnNotice.NEVER:
                return
            self.attention.is_aware = True
        self._table.step_due(step)

    def _is_overdue(self) -> bool:
        """Whether the current player hasn't clicked for a long time; if they have, this is checked again later."""
        now = self._services.clock.now()
        clicked = self.attention.last_click(self._state.current_person_id)
        when = now if clicked is None else self._overdue_at(clicked)
        self.overdue = when <= now
        if not self.overdue:
            self._add_step(ScheduledStep(when, TurnStep.OVERDUE))
            self._await_step()
        return self.overdue

    def _add_step(self, step: ScheduledStep) -> None:
        self._steps = sorted((*self._steps, step), key=lambda each: each.at)

    def _overdue_at(self, clicked: datetime) -> datetime:
        return self._breaks.after(clicked, self.pace.overdue)

    async def _time_out(self) -> None:
        """The current player let the deadline pass: a computer plays for the seat until its owner clicks.

        A slow turn costs one move, until too many in a row are missed: then a rated match of two is lost. At a
        tournament's table the player has lost at once. Nobody loses by a turn that they may not have known of.
        """
        state = self._state
        match, key = state.match, state.turn_key
        if match is None or match.turn is None:
            return
        if self.unseen.waits_for(state.current_person_id):
            await self._play_on(match.turn, key)
            return
        if state.fixture is not None:
            seats = [match.turn] if self._anybody_came(state) else range(len(state.seats))
            await self._commit_or_retry(*forfeit(*seats))
            return
        if self.pace.slow:
            if spent := await self._spent(state):
                await self._commit_or_retry(*spent)
                return
            if state.missed.count(match.turn) + 1 < SLOW_MISSES:
                await self._commit_or_retry(TurnMissed(match.turn))
                return
            if state.lost_by_misses:
                await self._commit_or_retry(*claimed(state, match, 1 - match.turn, claimable=True))
                return
        await self._play_on(match.turn, key)

    async def _spent(self, state: TableState) -> list[LogEvent]:
        try:
            return await day_spent(self._services, state)
        except Refusal:
            return []

    async def _play_on(self, seat: int, key: tuple[int | None, ...]) -> None:
        """Have a computer play for a seat from this turn on, until its owner clicks."""
        await self._commit_or_retry(PresenceChanged(seat, Presence.AWAY))
        if self._state.seats[seat].presence is Presence.AWAY:
            known, times = self._timed_out
            self._timed_out = (key, times + 1 if known == key else 1)

    def _anybody_came(self, state: TableState) -> bool:
        """Whether anybody has come to a tournament's table. Clicks aren't stored: after a restart, somebody is assumed
        to have come."""
        begun = state.match is not None and state.match.version > _DEALT
        clicked = any(self.attention.last_click(seat.person_id) for seat in state.seats)
        return begun or clicked or self.waiting.restored

    async def _think(self) -> None:
        """Find the computer's move, while people may click."""
        state = self._state
        match = state.match
        if match is None or match.turn is None:
            return
        seat = match.turn
        view = self._table.seat_view(seat)
        assert view is not None, "the match has a turn"
        # Seeded by the place in the match: after a restart the same move is made, whatever was or wasn't stored.
        try:
            seed = await self._table.dealing.computers_seed(match.version, seat)
        except StoreError as error:
            log.warning("Table %s: a computer can't move yet: %s", self._table.id, error)
            return  # so there is no move, and it thinks again later
        player = state.seats[seat]
        thinker, person = self._services.thinker, next((each.person_id for each in state.seats if each.person_id), None)
        move = await thinker.move(view, player.level, seed, player.character, person=person)
        self._thought = (match.version, move)

    async def _play_computer(self) -> None:
        match: Match | None = self._state.match
        (version, move), self._thought = self._thought or (0, None), None
        if match is None or move is None or match.version != version:
            self._alarm.retry_later()  # the match went on while the computer was thinking
        else:
            moved = match.event_of(move)
            missed = [TurnMissed(moved.seat)] if self._state.current_here else []  # they are back, but too late
            await self._commit_or_retry(*missed, moved)

    async def _deal(self) -> None:
        try:
            await self._table.deal()
        except Refusal:
            self._alarm.retry_later()

    async def _end(self, phase: Phase) -> None:
        await self._commit_or_retry(ended(self._state, phase))

    def _await_answers(self) -> None:
        """Set the other alarm to when the open question must be answered, if there is one."""
        state = self._state
        question = state.question if state.open else None
        if question is None:
            self._answers.situation = None
            self._answers.unset()
        elif self._answers.failed or self._answers.situation != (question.number, self.answered_by):
            self._answers.situation = question.number, self.answered_by
            self._answers.set(max(0.0, self.answered_by - self._services.clock.now().timestamp()), self._lapse)

    async def _lapse(self) -> None:
        """Drop the question, which not everybody has answered in time."""
        if self._state.question is not None:
            await self._commit_or_retry(QuestionLapsed(), alarm=self._answers)

    async def _commit_or_retry(self, *events: LogEvent, alarm: Alarm | None = None) -> None:
        """Commit events; if the store can't, the table is armed again in a while."""
        try:
            await self._table.commit(events)
        except Refusal:
            (alarm or self._alarm).retry_later()
