"""An exercise: a decision that was found or missed, to ask somebody about, with what each of its moves is worth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from bot.coach.analysis import Analysis, MoveRating, Term, is_term, term_of
from bot.engine.errors import EngineError, UnknownNotation
from bot.engine.moves import Move
from bot.engine.notation import format_event
from bot.engine.position import Position, format_position, parse_position
from bot.engine.views import SeatView
from bot.platform.outside import read_json
from bot.training.live.review import Decision, Judged


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position and the ratings of its moves. Show people its `view` and, once they have answered, what `judged` says
    of their move.

    The ratings cover all moves that are worth considering; a move without one is at least as bad as the worst of them.
    """

    position: Position
    analysis: Analysis

    @property
    def view(self) -> SeatView:
        """The view of the player at turn."""
        return self.position.view

    def name_of(self, move: Move) -> str:
        """Write a legal move in the engine's notation."""
        return format_event(self.position.match.event_of(move))

    def move_named(self, name: str) -> Move | None:
        """Find the legal move with this name; None if there is none."""
        return next((move for move in self.view.moves if self.name_of(move) == name), None)

    def judged(self, move: Move) -> Judged:
        """Judge a move by the ratings."""
        decision, analysis = Decision(self.view.public.version, self.view, move), self.analysis
        if any(rating.move == move for rating in analysis.ratings):
            return Judged(decision, analysis)
        worst = replace(analysis.ratings[-1], move=move)
        return Judged(decision, replace(analysis, ratings=(*analysis.ratings, worst)), untried=True)

    def dump(self) -> str:
        """Write the exercise as text, for the store."""
        ratings = [
            [self.name_of(each.move), each.points, each.last, each.behind, each.error, each.terms, each.errors]
            for each in self.analysis.ratings
        ]
        body = {"position": format_position(self.position), "exact": self.analysis.exact, "ratings": ratings}
        return json.dumps(body, separators=(",", ":"))

    @classmethod
    def load(cls, text: str) -> Exercise:
        """Read the exercise in a stored text.

        Raises:
            NewerExercise: if it has a rule, a move or a term that this version doesn't know.
            ExerciseError: if it isn't one.
        """
        try:
            body: dict[str, Any] = read_json(text)
            position = parse_position(body["position"].splitlines())
            moves = {format_event(position.match.event_of(move)): move for move in position.view.moves}
            if not all(is_term(term) for rating in body["ratings"] for terms in rating[5:] for term in terms):
                raise NewerExercise("an exercise has terms that aren't known")
            ratings = tuple(
                MoveRating(
                    moves[name],
                    float(points),
                    _by_term(terms),
                    float(last),
                    float(behind),
                    float(error),
                    *map(_by_term, errors),
                )
                for name, points, last, behind, error, terms, *errors in body["ratings"]
            )
            if not ratings:
                raise ExerciseError("an exercise has ratings")
            return cls(position, Analysis(ratings, bool(body["exact"])))
        except UnknownNotation as error:
            raise NewerExercise("a newer version has written an exercise") from error
        except (EngineError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise ExerciseError(f"an exercise can't be read ({type(error).__name__})") from error


def _by_term(values: dict[str, Any]) -> dict[Term, float]:
    return {term_of(term): float(value) for term, value in values.items()}


class ExerciseError(Exception):
    """A stored exercise can't be read."""


class NewerExercise(ExerciseError):
    """A newer version has written an exercise: it stays as it is until one reads it."""
