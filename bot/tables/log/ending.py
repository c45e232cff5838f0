"""The ways in which a match ends before it is played to its end. Pure, like `decide`."""

from __future__ import annotations

from bot.engine.match import Match
from bot.platform.people.person import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.events import Closed, LogEvent, Phase, Presence, PresenceChanged
from bot.tables.log.state import TableState
from bot.tables.refusals import TableRefusal


def claimed(state: TableState, match: Match, seat: int, *, claimable: bool) -> list[LogEvent]:
    """The current player loses by time; if only one side is left, it has won. Partners don't claim from each other."""
    if match.turn is None or not claimable or not state.contested or not state.seats[match.turn].human_here:
        raise Refusal(CommonRefusal.STALE)
    if match.seating.side_of(seat) == match.seating.side_of(match.turn):
        raise Refusal(CommonRefusal.STALE)
    lost = PresenceChanged(match.turn, Presence.LEFT, by=seat)
    after = state.apply(lost)
    return [lost] if after.default_winner is None else [lost, ended(after, Phase.FORFEITED)]


def check_may_cancel(state: TableState, person_id: int, *, moderator: bool) -> None:
    """Check that a person may end a table for everybody. Raises Refusal if they may not."""
    if state.may_cancel(person_id, moderator=moderator):
        return
    if state.contested:
        raise Refusal(TableRefusal.NEEDS_EVERYBODY)
    raise Refusal(TableRefusal.NOT_ALLOWED if state.fixture is None else TableRefusal.OF_TOURNAMENT)


def ended(state: TableState, phase: Phase, by: Person | None = None) -> Closed:
    """The end of a table whose match isn't played to its end. Whoever has given a rated match up has lost it, however
    it ends."""
    return Closed(Phase.FORFEITED if state.forfeits else phase, by)


def forfeit(*seats: int, by: Person | None = None) -> list[LogEvent]:
    """A tournament's match ends because the player of a seat has left (`by`) or let the deadline pass, or because
    nobody has come to any of its seats."""
    return [*(PresenceChanged(seat, Presence.LEFT) for seat in seats), Closed(Phase.FORFEITED, by)]
