"""A person's turn: when they are notified of it, warned, and out of time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Final, Protocol

from bot.platform.clock import Breaks
from bot.platform.language.quiet import Quiet
from bot.tables.log.pace import Pace
from bot.tables.settings import TurnNotice

AT_ONCE_SECONDS: Final = 3.0
"""Seconds into a turn after which those who want to be notified at once are notified: players of fast games have
clicked by then."""
PRESENT_SECONDS: Final = 15.0
"""A person who clicked less than this before their turn sees it begin, and is notified no sooner than others."""


LAST: Final = datetime.max.replace(tzinfo=UTC)
"""Later than any time."""


class TurnNotices(Protocol):
    """Tells when a person wants to be notified; None is a computer player. `unhurried`: in a match without hurry."""

    def __call__(self, person_id: int | None, *, unhurried: bool = False) -> TurnNotice: ...


class QuietHours(Protocol):
    """Tells a person's quiet hours, on a server if they have chosen no time zone; None if they have none."""

    def __call__(self, person_id: int | None, guild_id: int | None) -> Quiet | None: ...


class TurnStep(Enum):
    """A step in a turn as time passes and nobody plays."""

    NUDGE = auto()
    WARNING = auto()
    HALF = auto()
    """Half of a slow turn's time is over: the others may nudge its player."""
    DEADLINE = auto()
    OVERDUE = auto()
    """The others have waited for so long that they may have a computer play."""
    CLAIM = auto()
    """They have waited for so long that they may claim a rated match."""
    BREAK = auto()
    """The clock stops, or goes on."""


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """A step of a turn, and the time at which it is due."""

    at: datetime
    step: TurnStep


class Attention:
    """Whether the current player knows that it's their turn.

    `is_aware`: they have clicked in this turn, or have been notified of it.
    """

    __slots__ = ("_last_clicks", "_turn_began_at", "is_aware")

    def __init__(self, *, is_aware: bool) -> None:
        self.is_aware = is_aware
        self._last_clicks: dict[int, datetime] = {}
        self._turn_began_at: datetime | None = None

    def note_click(self, person_id: int, current_player_id: int | None, now: datetime) -> None:
        """A person with a seat has clicked."""
        self._last_clicks[person_id] = now
        if person_id == current_player_id:
            self.is_aware = True

    def begin_turn(self, now: datetime) -> None:
        self.is_aware = False
        self._turn_began_at = now

    def last_click(self, person_id: int | None) -> datetime | None:
        """Tell when a person last clicked, as far as this process knows."""
        return None if person_id is None else self._last_clicks.get(person_id)

    def needed(self, notice: TurnNotice, person_id: int | None) -> TurnNotice:
        """The notice that a person who wants this one still needs."""
        if self.is_aware:
            return TurnNotice.NEVER
        return TurnNotice.LATER if notice is TurnNotice.AT_ONCE and self.was_present(person_id) else notice

    def was_present(self, person_id: int | None) -> bool:
        """Whether a person clicked shortly before this turn began."""
        clicked = self.last_click(person_id)
        if clicked is None or self._turn_began_at is None:
            return False
        return self._turn_began_at - clicked < timedelta(seconds=PRESENT_SECONDS)


def steps_of_turn(pace: Pace, seconds_left: float, now: datetime, notice: TurnNotice) -> list[ScheduledStep]:
    """List what will happen in a turn, in order.

    Args:
        pace: how long things wait.
        seconds_left: until the deadline, if there is one.
        now: the current time.
        notice: when to notify the player; never if they know already.
    """
    steps: list[ScheduledStep] = []
    if pace.turn:
        steps.append(ScheduledStep(now + timedelta(seconds=seconds_left), TurnStep.DEADLINE))
        if 0 < pace.warning < pace.turn:
            warning = max(0, seconds_left - pace.warning)
            steps.insert(0, ScheduledStep(now + timedelta(seconds=warning), TurnStep.WARNING))
    if pace.nudge and notice is not TurnNotice.NEVER:
        seconds = min(AT_ONCE_SECONDS, pace.nudge) if notice is TurnNotice.AT_ONCE else pace.nudge
        nudge = ScheduledStep(now + timedelta(seconds=seconds), TurnStep.NUDGE)
        if not steps or nudge.at < steps[0].at:  # a warning or a deadline notifies them too
            steps.insert(0, nudge)
    if pace.overdue and not pace.turn:
        steps.append(ScheduledStep(now + timedelta(seconds=pace.overdue), TurnStep.OVERDUE))
    if pace.slow and seconds_left > pace.turn / 2:
        steps.append(ScheduledStep(now + timedelta(seconds=seconds_left - pace.turn / 2), TurnStep.HALF))
    steps.sort(key=lambda step: step.at)
    return steps


def outside(steps: Sequence[ScheduledStep], now: datetime, breaks: Breaks, quiet: Quiet | None) -> list[ScheduledStep]:
    """Move steps out of the times in which the clock stands still, and those that notify the player out of their quiet
    hours: a nudge to their end, a warning before them if little is left of the day after them."""
    steps = [replace(step, at=breaks.after(now, (step.at - now).total_seconds())) for step in steps]
    if quiet is None:
        return steps
    times = {step.step: step.at for step in steps}
    if TurnStep.NUDGE in times:
        times[TurnStep.NUDGE] = quiet.after(times[TurnStep.NUDGE])
    if TurnStep.WARNING in times:
        warning = quiet.before(times[TurnStep.WARNING], times[TurnStep.DEADLINE])
        times[TurnStep.WARNING] = quiet.after(max(now, warning))
    last = min(times.get(TurnStep.WARNING, LAST), times.get(TurnStep.DEADLINE, LAST))
    if TurnStep.NUDGE in times and times[TurnStep.NUDGE] >= last:  # a warning or a deadline notifies them too
        del times[TurnStep.NUDGE]
    return sorted((ScheduledStep(at, step) for step, at in times.items()), key=lambda each: each.at)
