"""A match told afterwards: its course, and its moments."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate

from bot.engine.cards import EMPTY, Canto, CardSet
from bot.engine.events import Event, Laid, MatchStarted
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed
from bot.engine.highlights import Feat, Highlights, Song
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.views import PublicView


class Course(StrEnum):
    """The course of a match that was won."""

    AT_ONCE = "at_once"
    """In a single round."""
    ALWAYS_AHEAD = "always_ahead"
    """The winner led after every round."""
    TOOK_LEAD = "turned"
    """The winner took the lead for good after some round."""
    AT_THE_LAST = "at_the_last"
    """The winner took the lead only with the last round."""
    DRAWN = "drawn"
    """Nobody won: the leading sides were level at the end of a match of a fixed number of rounds."""


@dataclass(frozen=True, slots=True)
class Decider:
    """A capture of the last round without whose point the winner wouldn't have won yet: the winner's last escoba, or
    else the capture of the seven of oros."""

    seat: int
    cards: CardSet
    escoba: bool


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match.

    Attributes:
        winner: the side that won; None after a draw.
        totals: each side's total after each round, from 0 at the start.
        course: how it was won.
        turning_round: the round after which the winner was ahead for good, from 1; 0 after a draw.
        behind: the most points that the winner was behind after a round, 0 if never.
        sweepers: the seats with the most escobas, of which each had `escobas`; none if all seats had equally many.
        best: the best capture; None if nobody took anything.
        song: the best hand that was sung; None if nobody sang.
        decider: the capture that decided it; None if one point made no difference, or neither kind made it.
    """

    winner: int | None
    totals: tuple[tuple[int, ...], ...]
    course: Course
    turning_round: int
    behind: int
    sweepers: tuple[int, ...]
    escobas: int
    best: Feat | None
    song: Song | None = None
    decider: Decider | None = None

    @property
    def rounds(self) -> int:
        return len(self.totals[0]) - 1


def story_of(match: PublicView | Match, highlights: Highlights) -> Story:
    """The story of a match that is over, with its highlights."""
    course, turning_round, behind = course_of(match)
    most = max(highlights.escobas)
    sweepers = [seat for seat, count in enumerate(highlights.escobas) if count == most > min(highlights.escobas)]
    return Story(
        winner=match.winner,
        totals=_totals(match),
        course=course,
        turning_round=turning_round,
        behind=behind,
        sweepers=tuple(sweepers),
        escobas=most,
        best=highlights.best,
        song=highlights.song,
        decider=_decider(match, highlights),
    )


def _decider(match: PublicView | Match, highlights: Highlights) -> Decider | None:
    winner, rules, side_of = match.winner, match.rules, match.seating.side_of
    if winner is None:
        return None
    total = match.totals[winner] - 1
    ahead = total - max(points for side, points in enumerate(match.totals) if side != winner)
    if ahead >= (1 if rules.rounds else rules.lead) and (rules.rounds or total >= rules.target):
        return None
    swept = [taken for taken in highlights.sweeps if side_of(taken.seat) == winner]
    if swept:
        return Decider(*swept[-1], escoba=True)
    seven = highlights.seven
    return Decider(*seven, escoba=False) if seven is not None and side_of(seven.seat) == winner else None


def course_of(match: PublicView | Match) -> tuple[Course, int, int]:
    """Find how a match was won, the round after which the winner was ahead for good, and how far behind they had
    been."""
    assert match.stage is Stage.OVER, "the match is over"
    totals = _totals(match)
    winner = match.winner
    rounds = len(match.scores)
    if winner is None:
        return Course.DRAWN, 0, 0
    leads = [_lead(totals, winner, number) for number in range(1, rounds + 1)]
    turning_round = rounds
    while turning_round > 1 and leads[turning_round - 2] > 0:
        turning_round -= 1
    if rounds == 1:
        course = Course.AT_ONCE
    elif turning_round == 1:
        course = Course.ALWAYS_AHEAD
    else:
        course = Course.AT_THE_LAST if turning_round == rounds else Course.TOOK_LEAD
    return course, turning_round, max(0, -min(leads))


def _totals(match: PublicView | Match) -> tuple[tuple[int, ...], ...]:
    sides = range(match.seating.sides)
    return tuple(tuple(accumulate((score.points[side] for score in match.scores), initial=0)) for side in sides)


def _lead(totals: tuple[tuple[int, ...], ...], side: int, number: int) -> int:
    """Compute by how much a side was ahead of the next best after a round; negative if it was behind."""
    return totals[side][number] - max(course[number] for other, course in enumerate(totals) if other != side)


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
