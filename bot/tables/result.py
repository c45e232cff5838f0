"""The result of a finished match, as rows for the leaderboard."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from bot.club.achievements import deeds_of
from bot.engine.match import Match
from bot.engine.rules import Seating
from bot.store import MatchResult, PlayerResult
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.state import Seat, TableState


def is_against_people(seats: Sequence[Seat], seating: Seating) -> bool:
    """Whether there are, or were, people on at least two sides: otherwise it is practice."""
    return len({seating.side_of(index) for index, seat in enumerate(seats) if seat.person_id is not None}) > 1


def is_practice(config: Config, seats: Sequence[Seat]) -> bool:
    """Whether a lobby would begin a match against computers only, with those who sit there now."""
    seating = config.seating(len(seats))
    if seating is None:
        return len(seats) > 1 and sum(seat.person_id is not None for seat in seats) == 1
    return not is_against_people(seats, seating)


def is_ranked(config: Config, seats: Sequence[Seat], seating: Seating) -> bool:
    """Whether a match counts for the leaderboard."""
    return config.rated and is_against_people(seats, seating)


def may_ask_for_hints(config: Config, seats: Sequence[Seat], match: Match | None) -> bool:
    """Whether a match's rules allow advice: in practice they do, and in a friendly match if its lobby agreed on it."""
    if match is None or not is_against_people(seats, match.seating):
        return True
    return not config.rated and config.hints


def result_of(state: TableState, *, guild_id: int, channel_id: int, ended_at: datetime) -> MatchResult | None:
    """The result of a table's match if it is finished or forfeited, else None.

    A person who left for good has lost and gets no points. A match to which nobody came counts for nobody.
    """
    match, highlights = state.match, state.highlights
    if match is None or highlights is None or state.phase not in (Phase.FINISHED, Phase.FORFEITED):
        return None
    if all(seat.presence is Presence.LEFT for seat in state.seats):
        return None
    side_of = match.seating.side_of
    places, drawn = _places(state, match), state.phase is Phase.FINISHED and match.winner is None
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
                won=stayed and places[side] == 1 and not drawn,
                points=match.totals[side] if stayed else 0,
                escobas=match.escobas[side] if stayed else 0,
                place=places[side] if stayed else match.seating.sides,
                sources=_sources(match, side) if stayed else None,
                stayed=stayed,
                deeds=deeds_of(match, highlights, index) if stayed else frozenset(),
            )
        )
    return MatchResult(
        guild_id=guild_id,
        channel_id=channel_id,
        ended_at=ended_at,
        preset=state.config.preset,
        target=0 if match.rules.rounds else match.rules.target,
        seating=match.seating.value,
        rounds=len(match.scores),
        ranked=is_ranked(state.config, state.seats, match.seating),
        rule_set=None if state.config.rule_set is None else state.config.rule_set.number,
        friendly=not state.config.rated and is_against_people(state.seats, match.seating),
        players=tuple(players),
    )


def _places(state: TableState, match: Match) -> list[int]:
    """The place of each side, 1 for the winner; equal sides share one (1, 2, 2, 4). A side that forfeited is last."""
    if state.phase is Phase.FORFEITED:
        lost = {
            match.seating.side_of(index) for index, seat in enumerate(state.seats) if seat.presence is Presence.LEFT
        }
        return [match.seating.sides if side in lost else 1 for side in range(match.seating.sides)]
    return [1 + sum(other > own for other in match.totals) for own in match.totals]


def _sources(match: Match, side: int) -> str:
    """Write where a side's points come from, as JSON: the points of each item that brought any."""
    points = Counter[str]()
    for score in match.scores:
        points.update({item.item.value: item.points[side] for item in score.items if item.points[side]})
    return json.dumps(points, separators=(",", ":"))
