"""The ports of a thinker, which tables ask, and of an analyst, for people who want advice; and the simplest of each."""

import json
from collections.abc import Generator
from enum import IntEnum
from random import Random
from typing import Any, Protocol, TypeVar

from bot.coach.analysis import Analysis, analyse
from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.lookahead import Stop, never

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Urgency(IntEnum):
    """The urgency of a request: of those waiting, the lowest value is computed first."""

    MOVE = 0
    """It is a computer's turn, and a table is waiting."""
    HINT = 1
    """A person whose turn it is asks for advice."""
    DAY = 2
    """A step in the search for a day's position."""
    REVIEW = 3
    """A decision in a match that is over."""
    LUCK = 4
    """The luck of the cards: what they alone would have brought in a match that is over."""


class Thinker(Protocol):
    """Finds computers' moves. It never raises and always returns a move, if necessary a weaker level's."""

    async def move(
        self, view: SeatView, level: Level, seed: str, character: Character | None = None, *, person: int | None = None
    ) -> Move:
        """One of the view's legal moves; there must be at least one.

        Args:
            view: what the seat whose turn it is sees, and all that may be used.
            level: how well to play.
            seed: the same seed gives the same move, unless the thinker is too busy.
            character: who plays; None for nobody in particular.
            person: somebody at the table, whose tables take turns with those of others.
        """
        ...

    async def close(self) -> None:
        """Stop thinking; requests in progress are answered right away."""
        ...


class Analyst(Protocol):
    """Rates the moves of a seat. It never raises, but may be unavailable."""

    async def analysis(
        self,
        view: SeatView,
        seed: str,
        urgency: Urgency,
        *,
        draws: int,
        played: Move | None = None,
        person: int | None = None,
    ) -> Analysis | None:
        """The ratings of a seat's moves; None if the analyst is too busy or has failed.

        Args:
            view: what the seat whose turn it is sees, and all that may be used.
            seed: the same seed gives the same analysis.
            urgency: what it is for; computers' moves come before anything else.
            draws: how many times to draw the hidden cards.
            played: a move to rate with all draws, however bad it is.
            person: the person who wants to know; people take turns in what is equally urgent.
        """
        ...


class Question(Protocol[T_co]):
    """Something for a worker process to think about."""

    def think(self, stop: Stop) -> object:
        """Compute the answer, as a JSON value, in the worker. `stop` says when to settle for what has been found."""
        ...

    def parse(self, answer: Any) -> T_co:
        """Decode an answer, in the bot.

        Raises:
            ValueError, TypeError, KeyError, IndexError: if it isn't a valid answer to this question.
        """
        ...


Work = Generator[Question[Any], Any, T]
"""Questions, each made from the answer to the one before, and what comes of them."""


class Solver(Protocol):
    """Does work that nobody at a table waits for. It never raises, but may be unavailable."""

    async def solve(self, work: Work[T], urgency: Urgency, person: int | None = None) -> T | None:
        """Answer the work's questions, and return its result; None if the solver is too busy or has failed. A question
        must not take long, because no move that is asked for in the meantime can start before it is answered.

        `person`: somebody for whom it is; people take turns in what is equally urgent."""
        ...


class InlineThinker:
    """A `Thinker`, an `Analyst` and a `Solver` that compute in the caller's thread and block it.

    It is for the simulation and for tests.

    Args:
        most_draws: the maximum number of draws for an analysis.
    """

    def __init__(self, most_draws: int = 300) -> None:
        self._most_draws = most_draws

    async def move(
        self, view: SeatView, level: Level, seed: str, character: Character | None = None, *, person: int | None = None
    ) -> Move:
        return chosen_move(view, level, seed, character)

    async def analysis(
        self,
        view: SeatView,
        seed: str,
        urgency: Urgency,
        *,
        draws: int,
        played: Move | None = None,
        person: int | None = None,
    ) -> Analysis | None:
        """The ratings of a seat's moves, computed once other tasks have had a chance to run."""
        from asyncio import sleep  # here, since the process that thinks does without it: 6 MB

        await sleep(0)
        return analyse(view, seeded(seed), draws=min(draws, self._most_draws), played=played)

    async def solve(self, work: Work[T], urgency: Urgency, person: int | None = None) -> T | None:
        """Answer the work's questions, and return its result; other tasks may run before each question."""
        from asyncio import sleep  # as above

        answer: Any = None
        while True:
            await sleep(0)
            try:
                question = work.send(answer)
            except StopIteration as end:
                return end.value
            answer = question.parse(json.loads(json.dumps(question.think(never))))

    async def close(self) -> None:
        """Nothing to close."""


def chosen_move(view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
    return choose(view, level, seeded(seed), character=character)


def seeded(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - for moves in a game, not for secrets
