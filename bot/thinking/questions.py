"""The messages to a worker process and back: questions are pickled, answers are JSON.

The bot doesn't trust answers: one that doesn't fit its question is treated as no answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from bot.engine.errors import EngineError
from bot.engine.position import Position, format_position, parse_position
from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.lookahead import CANDIDATES, Stop
from bot.players.training.analysis import Analysis, MoveRating, Tallies, analyse, tallied, term_of, terms_of
from bot.players.training.finding import Wanted, scout
from bot.players.training.luck import DealtRound, mean_points
from bot.thinking.port import seeded


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A question: which move does a level play? `effort` is the fraction of its usual work to do."""

    view: SeatView
    level: Level
    seed: str
    effort: float
    character: Character | None = None

    def think(self, stop: Stop) -> object:
        """The index of the move among the view's moves."""
        rng = seeded(self.seed)
        move = choose(self.view, self.level, rng, character=self.character, effort=self.effort, stop=stop)
        return self.view.moves.index(move)

    def parse(self, answer: Any) -> Move:
        """The move with that index."""
        return _move(self.view, answer)


@dataclass(frozen=True, slots=True)
class AnalysisQuestion:
    """A question: how good are a view's moves?"""

    view: SeatView
    seed: str
    draws: int
    played: Move | None

    def think(self, stop: Stop) -> object:
        """Whether the analysis is exact, and a row for each move with its index and figures; it never stops early."""
        found = analyse(self.view, seeded(self.seed), draws=self.draws, played=self.played)
        moves = self.view.moves
        ratings = [
            [moves.index(each.move), each.points, each.last, each.behind, each.error, each.terms]
            for each in found.ratings
        ]
        return [found.exact, ratings]

    def parse(self, answer: Any) -> Analysis:
        """The analysis that those rows describe."""
        exact, rows = answer
        ratings: list[MoveRating] = []
        for number, points, last, behind, error, terms in rows:
            named = {term_of(name): float(value) for name, value in terms.items()}
            move = _move(self.view, number)
            ratings.append(MoveRating(move, float(points), named, float(last), float(behind), float(error)))
        if not ratings or (self.played is not None and all(each.move != self.played for each in ratings)):
            raise ValueError("a move is missing")
        return Analysis(tuple(ratings), bool(exact))


@dataclass(frozen=True, slots=True)
class ScoutQuestion:
    """A question: which decisions of a random round are worth a longer look?"""

    wanted: Wanted
    seed: str

    def think(self, stop: Stop) -> object:
        """The positions, as text."""
        return [format_position(position) for position in scout(self.wanted, seeded(self.seed))]

    def parse(self, answer: Any) -> tuple[Position, ...]:
        """The positions that the texts describe."""
        try:
            return tuple(parse_position(text.splitlines()) for text in answer)
        except EngineError as error:
            raise ValueError("not a position") from error


@dataclass(frozen=True, slots=True)
class TallyQuestion:
    """A question: how do a view's moves come out in some draws? One part of an analysis, which never takes long."""

    view: SeatView
    seed: str
    draws: int

    def think(self, stop: Stop) -> object:
        return tallied(self.view, seeded(self.seed), draws=self.draws)

    def parse(self, answer: Any) -> Tallies:
        """The tallies: one for each move that is tried, all with the expected numbers of draws and terms."""
        found = [(_numbers(values), _numbers(terms), int(last)) for values, terms, last in answer]
        terms = len(terms_of(self.view.public.rules))
        shape = {(len(values) in (1, self.draws), len(values), len(each) == terms) for values, each, _ in found}
        if len(found) != min(CANDIDATES, len(self.view.moves)) or len(shape) != 1 or not all(shape.pop()):
            raise ValueError("a part is missing")
        return found


@dataclass(frozen=True, slots=True)
class LuckQuestion:
    """A question: what does each side score on average when a round is played again that many times?"""

    dealt: DealtRound
    seed: str
    games: int

    def think(self, stop: Stop) -> object:
        """The mean points by side; it never stops early."""
        return mean_points(self.dealt, seeded(self.seed), self.games)

    def parse(self, answer: Any) -> list[float]:
        """The mean points by side."""
        means = _numbers(answer)
        if len(means) != self.dealt.seating.sides:
            raise ValueError("these aren't the points of all sides")
        return means


def bare(view: SeatView) -> SeatView:
    """A view without the match's history, which is large and not needed."""
    return replace(view, public=replace(view.public, scores=(), facts=(), recent=()))


def _move(view: SeatView, number: Any) -> Move:
    if not isinstance(number, int) or not 0 <= number < len(view.moves):
        raise ValueError("no such move")
    return view.moves[number]


def _numbers(values: Any) -> list[float]:
    found = [float(value) for value in values]
    if not all(map(isfinite, found)):
        raise ValueError("not a number")
    return found
