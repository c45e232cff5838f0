"""The deal that is due at a table: that of a match that may begin, or of its next round."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.stages import Stage
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.log.change import DealDue
from bot.tables.log.events import LogEvent, Swapped
from bot.tables.log.state import TableState
from bot.tables.refusals import Conflicting, TableRefusal

_FEWEST = 2


def rematch_due(state: TableState) -> DealDue | None:
    """The start of a rematch once everybody has joined, with all in their old seats; None while somebody is missing.

    If others sit there too, or the number of players is different, the start is left to them.
    """
    if not state.invited or state.missing or len(state.seats) != len(state.invited):
        return None
    moved: list[LogEvent] = []
    for old_seat, person in enumerate(state.invited):
        now = None if person is None else state.seat_of(person.id)
        if now is not None and now != old_seat:
            moved.append(Swapped(old_seat, now))
            state = state.apply(moved[-1])
    try:
        return replace(match_due(state), before=tuple(moved), optional=True)
    except Refusal:
        return None


def match_due(state: TableState) -> DealDue:
    """The start of the match with its first deal. Raises Refusal if those who are seated can't play what was agreed."""
    config = state.config
    players = len(state.seats)
    if players < _FEWEST:
        raise Refusal(TableRefusal.TOO_FEW)
    seating = config.seating(players)
    if seating is None:
        raise Refusal(TableRefusal.NO_SEATING)
    if conflicts := config.conflicts_with(seating):
        raise Conflicting(conflicts)
    return DealDue(1, seating, begins=True)


def deal_due(state: TableState) -> DealDue:
    """The next round's deal. Raises Refusal if a round is running."""
    match = state.match
    if match is None or match.stage is not Stage.TO_DEAL:
        raise Refusal(CommonRefusal.STALE)
    return DealDue(match.round_number + 1, match.seating)
