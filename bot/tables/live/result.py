"""The results of matches, matches that were broken off, and the check of stored games."""

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.club.rules.achievements import deeds_of
from bot.club.rules.playing import Share, gainers
from bot.club.store.results import MatchResult, PlayerResult
from bot.engine.match import Match
from bot.engine.views import PublicView, public_view
from bot.platform.database.continuing import read_log
from bot.platform.eventlog import CodecError
from bot.platform.people import told_apart
from bot.tables.log.codec import LOG
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.seats import Seat, is_against_people, is_ranked
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games

log = logging.getLogger(__name__)


def is_practice(config: Config, seats: Sequence[Seat]) -> bool:
    """Whether a lobby would begin a match against computers only, with those who sit there now."""
    seating = config.seating(len(seats))
    if seating is None:
        return len(seats) > 1 and sum(seat.person_id is not None for seat in seats) == 1
    return not is_against_people(seats, seating)


def may_ask_for_hints(config: Config, seats: Sequence[Seat], match: Match | None) -> bool:
    """Whether a match's rules allow advice: in practice they do, and in a friendly match if its lobby agreed on it."""
    if match is None or not is_against_people(seats, match.seating):
        return True
    return not config.rated and config.hints


def everybody_has_played(match: PublicView) -> bool:
    """Whether the player of every seat has played a card."""
    if match.scores or not match.deal:
        return bool(match.scores)
    dealt = match.rules.hands(match.seating)[match.deal - 1]
    return match.deal > 1 or all(count < dealt for count in match.hand_counts)


def result_of(
    state: TableState,
    *,
    guild_id: int | None,
    channel_id: int | None,
    ended_at: datetime,
    gains_by_play: bool = True,
) -> MatchResult | None:
    """The result of a table's match if it is finished or forfeited, else None.

    A person who left while others still played for it has lost and gets no points. A match to which nobody came counts
    for nobody, and so does one of a tournament that is lost before everybody has played a card, except in the
    tournament: nobody is rated for not coming, nor for somebody else's not coming.

    `gains_by_play`: people gain only what they have played for themselves, as in all matches but those that 1.0 began.
    """
    match, highlights = state.match, state.highlights
    if match is None or highlights is None or state.phase not in (Phase.FINISHED, Phase.FORFEITED):
        return None
    left = seats_given_up(state)
    if len(left) == len(state.seats):
        return None
    if state.phase is Phase.FORFEITED and state.fixture is not None and not everybody_has_played(public_view(match)):
        return None
    side_of = match.seating.side_of
    places = _places(state, match)
    winner = winner_of(state)
    shares = shares_of(state) if gains_by_play else ()
    gains = gainers(shares)
    players: list[PlayerResult] = []
    for index, seat in enumerate(state.seats):
        side = side_of(index)
        stayed = index not in left
        earns = stayed and (not gains or gains[index])
        players.append(
            PlayerResult(
                seat=index,
                side=side,
                user_id=seat.person_id,
                name=seat.name,
                won=stayed and side == winner,
                points=match.totals[side] if stayed else 0,
                escobas=match.escobas[side] if stayed else 0,
                place=places[side] if stayed else match.seating.sides,
                sources=_sources(match, side) if stayed else None,
                stayed=stayed,
                played=shares[index].played if shares else None,
                gains=gains[index] if gains else None,
                deeds=deeds_of(match, highlights, index) if earns else frozenset(),
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


def shares_of(state: TableState) -> tuple[Share, ...]:
    """Say for each seat of a rated match what part its holder had in it; a computer player has none. Nothing for other
    matches, by which nobody gains anything."""
    match = state.match
    if match is None or not is_ranked(state.config, state.seats, match.seating):
        return ()
    return tuple(
        Share(
            match.seating.side_of(index),
            played=not seat.is_computer and cards.first_round is not None and cards.first_round <= len(match.scores),
            mostly_robot=not seat.is_computer and cards.mostly_robot,
        )
        for index, (seat, cards) in enumerate(zip(state.seats, state.cards, strict=True))
    )


def is_broken_off(state: TableState) -> bool:
    """Whether a rated match has ended early, and nobody has won it."""
    return state.contested and not state.open and state.phase is not Phase.FINISHED and state.default_winner is None


def seats_given_up(state: TableState) -> frozenset[int]:
    """The seats whose people have lost the match by giving it up, whatever their side has scored."""
    if state.contested:
        return state.forfeits
    return frozenset(index for index, seat in enumerate(state.seats) if seat.presence is Presence.LEFT)


def winner_of(state: TableState) -> int | None:
    """The side that has won a match that is over; None if nobody has. Points that a computer scores for people who
    have given a rated match up don't decide that."""
    match = state.match
    if match is None or state.phase not in (Phase.FINISHED, Phase.FORFEITED):
        return None
    first = [side for side, place in enumerate(_places(state, match)) if place == 1]
    undecided = state.phase is Phase.FINISHED and match.winner is None
    return first[0] if len(first) == 1 and not undecided else None


def _places(state: TableState, match: Match) -> list[int]:
    """The place of each side, 1 for the winner; equal sides share one (1, 2, 2, 4). A side that was given up is last.

    If a rated match ends early although several sides still played for it, they share the first place.
    """
    sides = match.seating.sides
    lost = _lost_sides(state, match)
    winner = state.default_winner
    if winner is not None:
        return [1 if side == winner else sides if side in lost else 2 for side in range(sides)]
    if state.phase is Phase.FORFEITED:
        return [sides if side in lost else 1 for side in range(sides)]
    still = [total for side, total in enumerate(match.totals) if side not in lost]
    return [sides if side in lost else 1 + sum(other > own for other in still) for side, own in enumerate(match.totals)]


def _lost_sides(state: TableState, match: Match) -> set[int]:
    """The sides that have been given up: in a tournament by anybody on them, in a rated match by all of their people.

    A friendly match is played to its end by computers in their place.
    """
    side_of, left = match.seating.side_of, seats_given_up(state)
    if not state.contested:
        return {side_of(index) for index in left} if state.phase is Phase.FORFEITED else set()
    people = {index for index, seat in enumerate(state.seats) if seat.person_id is not None}
    return {side_of(index) for index in left} - {side_of(index) for index in people - left}


def _sources(match: Match, side: int) -> str:
    """Write where a side's points come from, as JSON: the points of each item that brought any."""
    points = Counter[str]()
    for score in match.scores:
        points.update({item.item.value: item.points[side] for item in score.items if item.points[side]})
    return json.dumps(points, separators=(",", ":"))


MOST: Final = 10
"""Most of the matches that were broken off which are listed."""


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """A rated match that ended early.

    Attributes:
        at: when.
        channel_id: where it was played.
        phase: how it ended.
        ended_by: the name of the person who ended it, if one did.
        seats: who played.
        match: the score.
        left: the seats whose people had left before, and have lost.
    """

    at: datetime
    channel_id: int
    phase: Phase
    ended_by: str | None
    seats: tuple[Seat, ...]
    match: PublicView
    left: frozenset[int]


async def broken_off(games: Games, guild_id: int) -> list[BrokenOff]:
    """Read the latest such matches whose logs are still kept, the latest first.

    Raises StoreError if they can't be read.
    """
    ids = await games.broken_off(guild_id, MOST)
    logs = await games.with_logs(ids)
    found: list[BrokenOff] = []
    for row, entries in (logs[game_id] for game_id in ids if game_id in logs):
        if not entries or row.closed_at is None:
            continue
        try:
            state = await read_log(LOG.replayed, entries)
        except CodecError as error:
            log.warning("Game %s, which was broken off, can't be read: %s", row.id, error)
            continue
        channel_id = state.thread_id or row.channel_id
        if state.match is not None and channel_id is not None:
            seats, by = told_apart(state.seats), state.ended_by
            name = None if by is None else next((each.name for each in seats if each.person_id == by.id), by.name)
            match = public_view(state.match)
            found.append(BrokenOff(row.closed_at, channel_id, state.phase, name, seats, match, state.forfeits))
    return found
