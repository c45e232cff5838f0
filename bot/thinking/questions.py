"""What goes to a process that thinks and what comes back: a question is pickled on its way, an answer is JSON.

The bot believes no answer: whatever isn't one to its question is as if there were none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol, TypeVar

from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.analysis import Analysis, Rating, Term, analyse

Stop = Callable[[], bool]
T_co = TypeVar("T_co", covariant=True)


class Question(Protocol[T_co]):
    """Something to be thought about."""

    def think(self, stop: Stop) -> object:
        """The answer, as JSON has it; made in the process. `stop` says when to make do with what there is."""
        ...

    def parse(self, answer: Any) -> T_co:
        """What an answer says; made in the bot.

        Raises:
            ValueError, TypeError, KeyError, IndexError: if it is no answer to this question.
        """
        ...


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """Which move a level plays, and how much of its usual work may go into that."""

    view: SeatView
    level: Level
    seed: str
    effort: float
    character: Character | None = None

    def think(self, stop: Stop) -> object:
        """The number of the move among the view's."""
        rng = Random(self.seed)  # noqa: S311 - a move in a game, no secret
        move = choose(self.view, self.level, rng, character=self.character, effort=self.effort, stop=stop)
        return self.view.moves.index(move)

    def parse(self, answer: Any) -> Move:
        """The move."""
        return _move(self.view, answer)


@dataclass(frozen=True, slots=True)
class AnalysisQuestion:
    """What a view's moves come to."""

    view: SeatView
    seed: str
    draws: int
    played: Move | None

    def think(self, stop: Stop) -> object:
        """Whether it is exact, and of each move its number and its figures."""
        rng = Random(self.seed)  # noqa: S311 - no secret either
        found = analyse(self.view, rng, draws=self.draws, played=self.played, stop=stop)
        moves = self.view.moves
        ratings = [
            [moves.index(each.move), each.points, each.last, each.behind, each.error, each.terms]
            for each in found.ratings
        ]
        return [found.exact, ratings]

    def parse(self, answer: Any) -> Analysis:
        """The analysis."""
        exact, rows = answer
        ratings: list[Rating] = []
        for number, points, last, behind, error, terms in rows:
            named = {Term(name): float(value) for name, value in terms.items()}
            move = _move(self.view, number)
            ratings.append(Rating(move, float(points), named, float(last), float(behind), float(error)))
        if not ratings or (self.played is not None and all(each.move != self.played for each in ratings)):
            raise ValueError("a move is missing")
        return Analysis(tuple(ratings), bool(exact))


def bare(view: SeatView) -> SeatView:
    """A view without what happened long ago, which is neither needed nor small."""
    return replace(view, public=replace(view.public, scores=(), facts=(), recent=()))


def _move(view: SeatView, number: Any) -> Move:
    if not isinstance(number, int) or not 0 <= number < len(view.moves):
        raise ValueError("no such move")
    return view.moves[number]
