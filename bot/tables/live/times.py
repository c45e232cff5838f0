"""The clock's part in what is done in a lobby."""

from dataclasses import replace

from bot.tables.live.timing import Timing
from bot.tables.log.actions import Action, Configure
from bot.tables.log.pace import Pace
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState


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
