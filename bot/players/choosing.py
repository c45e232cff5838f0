"""The play of each level: `choose` picks a legal move by its worth to the level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.moves import Move, Sing
from bot.engine.views import SeatView
from bot.players.characters import PERSONAS, Character, Level, preferred
from bot.players.hard import think
from bot.players.lookahead import Stop, never
from bot.players.outlook import Outlook
from bot.players.rng import Rng
from bot.players.weights import WEIGHTS


@dataclass(frozen=True, slots=True)
class _Skill:
    """The skill of a level: whether it looks ahead, how often it overlooks a capture, how noisy its judgement is, and
    how often it sings what it can, unless its character has a rate of its own."""

    looks_ahead: bool
    overlooks: float
    noise: float
    sings: float


_SKILLS: Final = {
    # The noise only breaks ties, so that the level doesn't always pick the same one of equal moves.
    Level.NORMAL: _Skill(looks_ahead=True, overlooks=0.0, noise=1e-6, sings=1.0),
    # Overlooking a quarter shows without looking silly; noise of a fifth of a point hides an oro, not an escoba.
    Level.EASY: _Skill(looks_ahead=False, overlooks=0.25, noise=0.2, sings=0.6),
}


def choose(
    view: SeatView,
    level: Level,
    rng: Rng,
    *,
    character: Character | None = None,
    effort: float = 1.0,
    stop: Stop = never,
) -> Move:
    """Choose a legal move of `view`; the same one for the same view, level, character, effort and state of `rng`.

    After a card has been laid, the legal moves are its captures. With a compulsory duty no legal move misses a capture
    of the card it plays, so the easy level can overlook one only by playing another card (RULES.md, decision 2).

    Args:
        view: the view of the seat at turn.
        level: the skill to play with.
        rng: the source of randomness.
        character: decides between moves that the level considers practically equal; None: chance decides.
        effort: the fraction of its usual work that the hard level does; the others do next to none.
        stop: ends the hard level's search early; the move then depends on when that happens.

    Raises:
        ValueError: if the seat has no legal move because it isn't its turn.
    """
    if not view.moves:
        raise ValueError("there is no legal move to choose from")
    if level is Level.HARD:
        if len(view.moves) == 1:
            return view.moves[0]
        return think(view, rng, character=character, effort=effort, stop=stop)
    skill, moves = _SKILLS[level], view.moves
    if isinstance(moves[0], Sing):
        if rng.random() < (skill.sings if character is None else PERSONAS[character].sings / 12):
            return moves[0]
        moves = moves[1:]
    moves = _noticed(moves, skill.overlooks, rng)
    if len(moves) == 1:
        return moves[0]
    outlook = Outlook.from_view(view, WEIGHTS)
    judge = outlook.worth if skill.looks_ahead else outlook.gain
    return preferred(view, moves, [judge(move) + skill.noise * rng.random() for move in moves], character)


def _noticed(moves: Sequence[Move], overlooks: float, rng: Rng) -> Sequence[Move]:
    """Drop the moves that a player overlooks: never one that lays a card, perhaps a capture or a claim."""
    if not overlooks:
        return moves
    return [move for move in moves if not move.captured or rng.random() >= overlooks] or moves
