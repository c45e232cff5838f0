"""The levels of the computer players, and `choose`: one of the legal moves, by what each is worth to the level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.round import Claim, Move
from bot.engine.views import SeatView
from bot.players.characters import Character, preferred
from bot.players.hard import Stop, never, think
from bot.players.outlook import Outlook
from bot.players.rng import Rng
from bot.players.weights import Weights


class Level(StrEnum):
    """How well a computer plays. The value is what is stored."""

    EASY = "easy"
    """Takes what looks best at once, not always well, and overlooks something now and then."""
    NORMAL = "normal"
    """Counts the cards, and weighs what it takes against what it leaves to the next player."""
    HARD = "hard"
    """Plays the round to its end in thought, reads the others' hands from their plays, and solves the last deal."""


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a level decides: does it look ahead, how often it overlooks a capture, how far its judgement is off."""

    ahead: bool
    overlooks: float
    noise: float


_MANNERS: Final = {
    # The noise only breaks ties: equal moves are not always answered in the same way.
    Level.NORMAL: _Manner(ahead=True, overlooks=0.0, noise=1e-6),
    # A quarter overlooked is felt without looking silly; a noise of a fifth of a point hides an oro, not an escoba.
    Level.EASY: _Manner(ahead=False, overlooks=0.25, noise=0.2),
}
_WEIGHTS: Final = Weights()


def choose(
    view: SeatView,
    level: Level,
    rng: Rng,
    *,
    character: Character | None = None,
    effort: float = 1.0,
    stop: Stop = never,
) -> Move:
    """One of the legal moves of `view`; the same one for the same view, level, character, effort and state of `rng`.

    After a card has been laid these are its captures. Under a compulsory duty no legal move misses the capture of the
    card it plays, so that even the easy level can only overlook by playing another card (RULES.md, decision 2).

    Args:
        view: what the seat at turn sees.
        level: how well to play.
        rng: where chance comes from.
        character: who decides between moves that are as good as equal to the level; None: chance.
        effort: how much of its usual work the hard level does; the others do next to none.
        stop: asked now and then by the hard level, ends its search early; what it finds then depends on when.

    Raises:
        ValueError: if the seat has no legal move, because it isn't its turn.
    """
    if not view.moves:
        raise ValueError("there is no legal move to choose from")
    if level is Level.HARD:
        if len(view.moves) == 1:
            return view.moves[0]
        return think(view, rng, character=character, effort=effort, stop=stop)
    manner = _MANNERS[level]
    moves = _noticed(view.moves, manner.overlooks, rng)
    if len(moves) == 1:
        return moves[0]
    outlook = Outlook.of(view, _WEIGHTS)
    judge = outlook.worth if manner.ahead else outlook.gain
    return preferred(view, moves, [judge(move) + manner.noise * rng.random() for move in moves], character)


def _noticed(moves: Sequence[Move], overlooks: float, rng: Rng) -> Sequence[Move]:
    """The moves that a player notices: laying a card always, each capture and claim unless overlooked."""
    if not overlooks:
        return moves
    noticed = [move for move in moves if not _takes(move) or rng.random() >= overlooks]
    return noticed or moves


def _takes(move: Move) -> bool:
    return isinstance(move, Claim) or bool(move.captured)
