"""The clock's part in what is done at a table."""

from dataclasses import replace
from datetime import datetime

from bot.tables.live.timing import Timing
from bot.tables.log.actions import Action, Configure, Nudge
from bot.tables.log.events import Phase
from bot.tables.log.pace import Pace
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState


def is_half_over(timing: Timing, state: TableState, now: datetime) -> bool:
    """Whether half of a slow turn's time is over; in times when its clock stands still it isn't."""
    if not timing.pace.slow or timing.deadline is None or not state.current_here:
        return False
    return timing.holiday is None and (timing.deadline - now).total_seconds() <= timing.pace.turn / 2


def at_clock(times: Times, action: Action, state: TableState, timing: Timing, now: datetime, usual: Pace) -> Times:
    """Add what the clock says about an action. `times`: what is known of it otherwise; `usual`: the server's pace."""
    times = replace(
        times,
        overdue=timing.overdue,
        claimable=timing.claimable,
        answer_by=timing.answer_by,
        now=int(now.timestamp()),
        slow=timing.pace.slow,
        half_over=isinstance(action, Nudge) and is_half_over(timing, state, now),
    )
    if state.phase is not Phase.LOBBY:
        return times
    tempo = action.config.tempo if isinstance(action, Configure) else state.config.tempo
    slow, over = usual.at(tempo).slow, times.now >= timing.ok_until
    return replace(times, slow=slow, was_slow=times.slow, ok_by=timing.ok_by(tempo), ok_over=over)
