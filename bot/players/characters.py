"""Who the computer players are: six characters, each with a name, a face, and a manner of its own.

A character plays as well as its level. Its manner only decides between moves that the level holds to be as good as
equal, so that one knows Nuria by her sevens and not by her points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.cards import CardSet, Rank, Suit
from bot.engine.round import Claim, Move
from bot.engine.views import SeatView

Manner = Callable[[SeatView, Move], float]
"""How much a character likes a move, from what its seat sees; only the order counts."""

NEARLY: Final = 0.01
"""Moves whose worth differs by no more, in points, are as good as equal."""


class Character(StrEnum):
    """Who sits at a computer's seat. The value is what is stored."""

    INES = "ines"
    CURRO = "curro"
    NURIA = "nuria"
    BRAULIO = "braulio"
    BETO = "beto"
    DELFINA = "delfina"


@dataclass(frozen=True, slots=True)
class Persona:
    """What one knows a character by. `talks`: after how many of twelve escobas of its own it says a word.

    `comments`: the same for the escobas of others.
    """

    name: str
    face: str
    manner: Manner
    talks: int = 4
    comments: int = 0


def patient(_: SeatView, move: Move) -> float:
    """Waits: what can be taken later need not be taken now."""
    return -len(move.captured)


def bold(_: SeatView, move: Move) -> float:
    """Takes as many cards as there are to take."""
    return len(move.captured)


def hunts_sevens(_: SeatView, move: Move) -> float:
    """Takes sevens, and lays none."""
    return _kept(move, lambda cards: len(cards.of_rank(Rank.SEVEN)))


def hoards_oros(_: SeatView, move: Move) -> float:
    """Takes oros, and lays none."""
    return _kept(move, lambda cards: len(cards.of_suit(Suit.OROS)))


def plays_high(_: SeatView, move: Move) -> float:
    """Plays the largest card: figures are made to be seen."""
    return 0 if isinstance(move, Claim) else move.card.worth


def lays_low(view: SeatView, move: Move) -> float:
    """Leaves as little on the table as may be."""
    left = view.public.table - move.captured
    if not isinstance(move, Claim) and not move.captured:
        left = left.with_card(move.card)
    return -left.worth


def _kept(move: Move, count: Callable[[CardSet], int]) -> int:
    """How many of some cards a move brings home, less how many it gives up."""
    if isinstance(move, Claim):
        return count(move.captured)
    played = count(CardSet.of([move.card]))
    return count(move.captured) + played if move.captured else -played


PERSONAS: Final = {
    Character.INES: Persona("Doña Inés", "👵", patient),
    Character.CURRO: Persona("Curro", "🎲", bold),
    Character.NURIA: Persona("Nuria", "🦉", hunts_sevens),
    Character.BRAULIO: Persona("Don Braulio", "🎩", hoards_oros),
    Character.BETO: Persona("Beto", "🧉", plays_high, talks=12, comments=4),
    Character.DELFINA: Persona("Delfina", "🦊", lays_low, talks=3),
}
"""They come from Salamanca, Cádiz, Girona, Tacuarembó, Rosario and Montevideo. As many as may sit at a table."""


def preferred(view: SeatView, moves: Sequence[Move], worths: Sequence[float], character: Character | None) -> Move:
    """The best of some moves, or of those that are as good as the best the one that a character likes most.

    Args:
        view: what the seat at turn sees.
        moves: what is to be chosen from; of equals the first is taken.
        worths: what each move is worth to the level, in points.
        character: who plays; None: nobody in particular.
    """
    best = max(worths)
    if character is None:
        return moves[worths.index(best)]
    manner = PERSONAS[character].manner
    good = [index for index, worth in enumerate(worths) if worth >= best - NEARLY]
    return moves[max(good, key=lambda index: (manner(view, moves[index]), worths[index]))]
