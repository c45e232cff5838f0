"""What tables ask of whoever thinks for their computers, and people who want advice; and the simplest who does."""

from __future__ import annotations

import asyncio
from enum import IntEnum
from random import Random
from typing import Protocol

from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose
from bot.players.analysis import Analysis, analyse


class Urgency(IntEnum):
    """What is thought about first when several wait."""

    MOVE = 0
    """A computer is at turn, and a table waits."""
    HINT = 1
    """A person at turn asks for advice."""
    REVIEW = 2
    """A decision of a match that is over."""


class Thinker(Protocol):
    """Finds computers' moves. It never raises and always answers, if need be with a weaker level's move."""

    async def move(self, view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
        """One of the view's legal moves, of which there is at least one.

        Args:
            view: what the seat at turn sees; all that may be known.
            level: how well to play.
            seed: the same seed makes the same move, unless there was too much to do.
            character: who plays, if it is somebody in particular.
        """
        ...

    async def close(self) -> None:
        """Think no more: what is under way is answered at once."""
        ...


class Analyst(Protocol):
    """Says what the moves of a seat come to. It never raises; there may be nobody to ask at the moment."""

    async def analysis(
        self, view: SeatView, seed: str, urgency: Urgency, *, draws: int, played: Move | None = None
    ) -> Analysis | None:
        """What the moves come to; None if that can't be found now, because of too much to do or a failure.

        Args:
            view: what the seat at turn sees; all that may be known.
            seed: the same seed makes the same analysis.
            urgency: what it is for; computers' moves go before anything else.
            draws: how many draws of the hidden cards.
            played: a move that is rated by all draws, however bad it is.
        """
        ...


class InlineThinker:
    """Thinks where it is asked, and everything else waits meanwhile: for a simulation, and for tests.

    Args:
        most_draws: an analysis makes no more draws than that.
    """

    def __init__(self, most_draws: int = 300) -> None:
        self._most_draws = most_draws

    async def move(self, view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
        """The level's move."""
        return chosen(view, level, seed, character)

    async def analysis(
        self, view: SeatView, seed: str, urgency: Urgency, *, draws: int, played: Move | None = None
    ) -> Analysis | None:
        """What the moves come to, after whatever else can go on."""
        await asyncio.sleep(0)
        return analysed(view, seed, min(draws, self._most_draws), played)

    async def close(self) -> None:
        """Nothing."""


def chosen(view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
    """The move of a level with chance from a seed."""
    return choose(view, level, Random(seed), character=character)  # noqa: S311 - a move in a game, no secret


def analysed(view: SeatView, seed: str, draws: int, played: Move | None) -> Analysis:
    """An analysis with chance from a seed."""
    return analyse(view, Random(seed), draws=draws, played=played)  # noqa: S311 - no secret either
