"""The moments of a finished match that are worth showing again: a chorizo, the largest escoba, its turning point."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.engine.cantos import Canto
from bot.engine.cards import EMPTY, CardSet
from bot.engine.events import Event, Laid, MatchStarted
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed
from bot.engine.highlights import Feat
from bot.engine.match import Match, start
from bot.engine.story import Course, course_of


class MomentKind(StrEnum):
    """The reason why a moment is worth showing, the rarest first."""

    CHORIZO = "chorizo"
    """Somebody sang three of one rank."""
    ESCOBA = "escoba"
    """The escoba of the most cards; among equals the most valuable, then the earliest."""
    TURNING_POINT = "turn"
    """The winner's best capture in the round after which they stayed ahead."""
    CAPTURE = "capture"
    """The best capture of a match that has nothing else."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A move that is worth showing: the match before it and after it, and whose it was.

    `feat` is its capture; None if the cards `sung` were sung. `totals` are the points at the end of the match.
    """

    kind: MomentKind
    before: Match
    after: Match
    seat: int
    feat: Feat | None = None
    sung: CardSet = EMPTY
    totals: tuple[int, ...] = ()


def moments_of(events: Iterable[Event]) -> tuple[Moment, ...]:
    """The moments of a match that is over, the best first; no move twice. Empty if it had no capture and no chorizo.

    Raises:
        IllegalMove: if an event isn't legal at that point.
    """
    moves, end = _moves(events)
    sung = next((move for move in moves if move.kind is MomentKind.CHORIZO), None)
    escobas = [move for move in moves if move.feat is not None and move.feat.escoba]
    escoba = max(escobas, key=lambda move: (_size(move), _worth(move)), default=None)
    found = [move for move in (sung, escoba and replace(escoba, kind=MomentKind.ESCOBA)) if move is not None]
    turn = _turning_point(moves, end)
    if turn is not None and turn.after not in [move.after for move in found]:
        found.append(turn)
    captures = [move for move in moves if move.feat is not None]
    if not found and captures:
        found.append(max(captures, key=_worth))
    return tuple(replace(move, totals=end.totals) for move in found)


def _moves(events: Iterable[Event]) -> tuple[list[Moment], Match]:
    """All captures, and all chorizos that were sung, in order; and the match at its end."""
    first, *later = events
    assert isinstance(first, MatchStarted), "a match begins with its rules"
    match, turn_of = start(first), None
    found: list[Moment] = []
    for event in later:
        before, number = turn_of or match, len(match.scores) + 1
        match = match.apply(event)
        # A card that is shown before its capture is chosen belongs to the same move.
        turn_of = before if isinstance(event, Laid) else None
        for fact in match.facts:
            match fact:
                case CantosSung(seat, cards, cantos) if Canto.CHORIZO in cantos:
                    found.append(Moment(MomentKind.CHORIZO, before, match, seat, sung=cards))
                case CardPlayed(seat, card, taken, escoba) | CaptureClaimed(seat, card, taken, escoba) if taken:
                    feat = Feat(number, seat, card, taken, escoba)
                    found.append(Moment(MomentKind.CAPTURE, before, match, seat, feat))
                case _:
                    pass
    return found, match


def _turning_point(moves: list[Moment], end: Match) -> Moment | None:
    """The move that turned the match; None if none did, or the match was broken off."""
    if not end.over:
        return None
    course, turning_round, _ = course_of(end)
    if course not in (Course.TOOK_LEAD, Course.AT_THE_LAST):
        return None
    side_of = end.seating.side_of
    theirs = [
        move
        for move in moves
        if move.feat is not None and move.feat.round == turning_round and side_of(move.seat) == end.winner
    ]
    best = max(theirs, key=_worth, default=None)
    return best and replace(best, kind=MomentKind.TURNING_POINT)


def _size(move: Moment) -> int:
    return 0 if move.feat is None else len(move.feat.cards)


def _worth(move: Moment) -> int:
    return 0 if move.feat is None else move.feat.worth
