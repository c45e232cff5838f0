"""What a table asks of whoever thinks for its computers, and the simplest one that does."""

from __future__ import annotations

from random import Random
from typing import Protocol

from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.players import Character, Level, choose


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


class AtOnce:
    """Thinks where it is asked, and everything else waits meanwhile: for a simulation, and for tests."""

    async def move(self, view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
        """The level's move."""
        return chosen(view, level, seed, character)

    async def close(self) -> None:
        """Nothing."""


def chosen(view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
    """The move of a level with chance from a seed."""
    return choose(view, level, Random(seed), character=character)  # noqa: S311 - a move in a game, no secret
