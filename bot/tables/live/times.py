"""The clock's part in what is done at a table."""

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from bot.tables.live.services import Services
from bot.tables.log.actions import Action, Configure
from bot.tables.log.events import LogEvent, Phase
from bot.tables.log.pace import Pace, Tempo
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState
from bot.tables.log.topics import DaySpent


class Clocks(Protocol):
    """The part of a table's `Timing` that is needed here."""

    overdue: bool

    @property
    def pace(self) -> Pace: ...
    @property
    def claimable(self) -> bool: ...
    @property
    def answer_by(self) -> int: ...
    @property
    def deadline(self) -> datetime | None: ...
    @property
    def holiday(self) -> datetime | None: ...
    @property
    def ok_until(self) -> int: ...
    def ok_by(self, tempo: Tempo) -> int: ...


def is_half_over(timing: Clocks, state: TableState, now: datetime) -> bool:
    """Whether half of a slow turn's time is over; in times when its clock stands still it isn't."""
    if not timing.pace.slow or timing.deadline is None or not state.current_here:
        return False
    return timing.holiday is None and (timing.deadline - now).total_seconds() <= timing.pace.turn / 2


async def day_spent(services: Services, state: TableState) -> list[LogEvent]:
    """Spend a day of holidays of the current player of a slow match, whose time is up, if they have any left.

    Not twice in a row, since the person would be away all the same, nor a third time in a match, nor in a tournament.

    Raises:
        Refusal: if it can't be stored.
    """
    turn, person_id = None if state.match is None else state.match.turn, state.current_person_id
    if turn is None or person_id is None or state.fixture is not None or not state.spending.may(turn):
        return []
    return [DaySpent(turn)] if await services.spend_day(person_id, services.clock.now()) else []


def at_clock(times: Times, action: Action, state: TableState, timing: Clocks, now: datetime, usual: Pace) -> Times:
    """Add what the clock says about an action. `times`: what is known of it otherwise; `usual`: the server's pace."""
    times = replace(
        times,
        overdue=timing.overdue,
        claimable=timing.claimable,
        answer_by=timing.answer_by,
        now=int(now.timestamp()),
        slow=timing.pace.slow,
        half_over=is_half_over(timing, state, now),
    )
    if state.phase is not Phase.LOBBY:
        return times
    tempo = action.config.tempo if isinstance(action, Configure) else state.config.tempo
    slow, over = usual.at(tempo).slow, times.now >= timing.ok_until
    return replace(times, slow=slow, was_slow=times.slow, ok_by=timing.ok_by(tempo), ok_over=over)
