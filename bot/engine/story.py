"""A finished match's story, from what everybody saw: its turning point, the most escobas, the best capture and song."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from bot.engine.highlights import Feat, Highlights, Song
from bot.engine.match import Match
from bot.engine.stages import Stage
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
    )


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
