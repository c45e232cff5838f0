"""The result of a finished match, as rows for the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.engine.rules import Seating
from bot.store import MatchResult, PlayerResult
from bot.tables.log.events import Phase, Presence
from bot.tables.log.state import Seat, TableState


def is_ranked(seats: Sequence[Seat], seating: Seating) -> bool:
    """Whether a match counts for the leaderboard: there are, or were, people on at least two sides."""
    return len({seating.side_of(index) for index, seat in enumerate(seats) if seat.person_id is not None}) > 1


def result_of(state: TableState, *, guild_id: int, channel_id: int, ended_at: datetime) -> MatchResult | None:
    """The result of a table's match if it is finished, else None.

    A person who left for good has lost and gets no points.
    """
    match = state.match
    if state.phase is not Phase.FINISHED or match is None:
        return None
    side_of = match.seating.side_of
    players: list[PlayerResult] = []
    for index, seat in enumerate(state.seats):
        side = side_of(index)
        stayed = seat.presence is not Presence.LEFT
        players.append(
            PlayerResult(
                seat=index,
                side=side,
                user_id=seat.person_id,
                name=seat.name,
                won=stayed and side == match.winner,
                points=match.totals[side] if stayed else 0,
                escobas=match.escobas[side] if stayed else 0,
            )
        )
    return MatchResult(
        guild_id=guild_id,
        channel_id=channel_id,
        ended_at=ended_at,
        preset=state.config.preset,
        target=match.rules.target,
        seating=match.seating.value,
        rounds=len(match.scores),
        ranked=is_ranked(state.seats, match.seating),
        players=tuple(players),
    )
