"""Exercises, and the search for good ones.

The position of a day is searched for in many short steps, in the thinking process, seeded by the date. The draws by
which a decision is found flatter it: among many decisions, those with luck in their draws seem clearest. So it is
accepted, and its moves are rated, by other draws.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import inf, sqrt
from typing import Any, Final

from bot.coach.analysis import Analysis, MoveRating, Tallies, Term, is_term, merged, term_of
from bot.coach.finding import AHEAD, Wanted, fits
from bot.engine.errors import EngineError, UnknownNotation
from bot.engine.moves import Move
from bot.engine.notation import Position, format_event, format_position, parse_position
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import SeatView
from bot.platform.outside import read_json
from bot.players.lookahead import Lookahead
from bot.players.rng import shuffle
from bot.thinking import Solver, Urgency
from bot.thinking.port import seeded
from bot.thinking.worker import RngState, bare, scouted_in_steps, tried_in_steps
from bot.training.live.review import Decision, Judged
from bot.training.rules.themes import Theme, theme_of


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


DRAWS: Final = 4_000
"""Least number of draws by which the moves of a day's position are rated."""
ERROR: Final = 0.03
"""The standard error, in points, of how far the second best move is behind: draws are added until it is reached."""
LOOKS: Final = (500, 1_000, 2_000, DRAWS, 2 * DRAWS, 3 * DRAWS)
"""Numbers of draws after which to decide whether a decision is still worth more."""
FIRST_DRAWS: Final = 2_000
"""Draws by which a decision is found."""
HOPELESS: Final = 1.5
"""A decision is given up when its best move would have to be this many standard errors further ahead."""
ROUNDS: Final = 240
"""Most rounds that are looked through; fifty are enough as a rule."""
PATIENCE: Final = 12
"""Rounds after which one more theme will do."""
THEMES: Final = (Theme.ESCOBA, Theme.LEFT_OPEN, Theme.SEVENS, Theme.OROS, Theme.CARDS, Theme.COUNTING)
"""The themes, each of which is looked for first on one of every six days."""
PLAN: Final = (
    *(("escoba", Seating.TWO), ("quince", Seating.TWO), ("escoba", Seating.PAIRS), ("juegon", Seating.TWO)),
    *(("escoba", Seating.THREE), ("clasica", Seating.PAIRS), ("cientifica", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("quince", Seating.PAIRS), ("escoba", Seating.TWO), ("juegon", Seating.THREE)),
    *(("escoba", Seating.PAIRS), ("clasica", Seating.TWO), ("cientifica", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("quince", Seating.TRIPLE_PAIRS), ("escoba", Seating.FOUR), ("juegon", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("clasica", Seating.THREE), ("cientifica", Seating.PAIRS)),
)
"""The rule system and the seating of each day of three weeks, from Monday on."""


def number_of(day: date) -> int:
    """Return a day's place in `PLAN`."""
    return (day.toordinal() - 1) % len(PLAN)


def wanted_on(day: date, secret: str) -> Wanted:
    """Choose what to look for on a day: on two of every six days a greedy player may find the move, and on one of these
    it may be obvious."""
    preset, seating = PLAN[number_of(day)]
    block, place = divmod(day.toordinal(), len(THEMES))
    days = _shuffled(f"{secret}/{block}")
    return Wanted(PRESETS[preset].rules, seating, greedy=place in days[:2], obvious=place == days[0])


def themes_on(day: date, secret: str) -> list[Theme]:
    """Put the themes in the order in which they are wanted on a day."""
    block, place = divmod(day.toordinal(), len(THEMES))
    order = [THEMES[each] for each in _shuffled(f"{secret}/themes/{block}")]
    return order[place:] + order[:place]


def _shuffled(seed: str) -> list[int]:
    order = list(range(len(THEMES)))
    shuffle(order, seeded(seed))
    return order


async def find(solver: Solver, day: date, secret: str, *, draws: int = DRAWS) -> Exercise | None:
    """Find the position of a day; None if it can't be found now.

    Args:
        solver: thinks about each step.
        day: the date, of UTC.
        secret: determines the position; anybody who knows it can find out the position in advance.
        draws: the least number of draws by which the moves are rated.
    """
    seed = f"{secret}/{day.isoformat()}"
    return await _DaySearch(solver, wanted_on(day, secret), themes_on(day, secret), seed, draws).found()


class _Unavailable(Exception):
    """The solver doesn't answer."""


class _DaySearch:
    def __init__(self, solver: Solver, wanted: Wanted, themes: list[Theme], seed: str, draws: int) -> None:
        self._solver = solver
        self._wanted = wanted
        self._themes = themes
        self._seed = seed
        self._draws = draws

    async def found(self) -> Exercise | None:
        try:
            for number in range(ROUNDS):
                seed = f"{self._seed}/{number}"
                positions = await self._solver.solve(scouted_in_steps(self._wanted, seed), Urgency.DAY)
                if positions is None:
                    return None
                for place, position in enumerate(positions):
                    themes = self._themes[: 1 + number // PATIENCE]
                    if (analysis := await self._looked_into(position, themes, f"{seed}/{place}")) is not None:
                        return Exercise(position, analysis)
        except _Unavailable:
            pass
        return None

    async def _looked_into(self, position: Position, themes: Sequence[Theme], seed: str) -> Analysis | None:
        """Analyse a decision; None as soon as it turns out not to be what is wanted."""
        view = position.view
        found = await self._rated(view, f"{seed}/first", themes, min(self._draws, FIRST_DRAWS), inf)
        if found is None or found.exact:
            return found
        again = await self._rated(view, seed, themes, self._draws, ERROR)
        return again if again is not None and again.best.move == found.best.move else None

    async def _rated(
        self, view: SeatView, seed: str, themes: Sequence[Theme], least: int, error: float
    ) -> Analysis | None:
        """Rate the moves by at least so many draws, and so many more that the error is small enough; None as soon as
        the decision turns out not to be what is wanted."""
        ahead = Lookahead(view)
        parts: list[Tallies] = []
        rng: str | RngState = seed
        drawn = 0
        for look in (1,) if ahead.open_end else LOOKS:
            work = tried_in_steps(bare(view), rng, ahead.moves, look - drawn)
            tried = await self._solver.solve(work, Urgency.DAY)
            if tried is None:
                raise _Unavailable
            more, rng = tried
            parts += more
            drawn = look
            analysis = merged(view, parts)
            second = analysis.ratings[1]
            if theme_of(view, analysis) not in themes:
                return None
            if ahead.open_end or (drawn >= least and second.error <= error):
                return analysis if fits(self._wanted, view, analysis) else None
            too_varied = second.error > ERROR * sqrt(LOOKS[-1] / drawn)
            if too_varied or second.behind + HOPELESS * second.error < AHEAD:
                return None
        return None
