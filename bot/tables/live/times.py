"""The clock's part in what is done at a table."""

from dataclasses import replace
from datetime import datetime

from bot.tables.live.timing import Timing
from bot.tables.log.actions import Action, Configure
from bot.tables.log.pace import Pace
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState


def is_half_over(timing: Timing, state: TableState, now: datetime) -> bool:
    """Whether half of a slow turn's time is over; in times when its clock stands still it isn't."""
    if not timing.pace.slow or timing.deadline is None or not state.current_here:
        return False
    return timing.holiday is None and (timing.deadline - now).total_seconds() <= timing.pace.turn / 2


def in_lobby(times: Times, action: Action, state: TableState, timing: Timing, usual: Pace) -> Times:
    """What the clock says about an action in a lobby. `times`: what it says anywhere; `usual`: the server's pace."""
    tempo = action.config.tempo if isinstance(action, Configure) else state.config.tempo
    return replace(
        times,
        slow=usual.at(tempo).slow,
        was_slow=times.slow,
        ok_by=timing.ok_by(tempo),
        ok_over=times.now >= timing.ok_until,
    )
