"""The characters of the computer players: six of them, each with a name, a face and a manner of its own.

A character plays as well as its level. Its manner only decides between moves that the level considers practically
equal, so that players recognise Nuria by her sevens and not by her score.
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
"""How much a character likes a move, given what its seat sees; only the order matters."""

NEARLY: Final = 0.01
"""Moves whose worth differs by no more than this, in points, are practically equal."""


class Character(StrEnum):
    """Who plays for a computer's seat. The value is stored."""

    INES = "ines"
    CURRO = "curro"
    NURIA = "nuria"
    BRAULIO = "braulio"
    BETO = "beto"
    DELFINA = "delfina"


@dataclass(frozen=True, slots=True)
class Persona:
    """What a character is recognised by.

    `talks` is after how many of twelve escobas of its own it says something, `comments` the same for those of others.
    """

    name: str
    face: str
    manner: Manner
    talks: int = 4
    comments: int = 0


def patient(_: SeatView, move: Move) -> float:
    """Waits: what can be captured later needn't be captured now."""
    return -len(move.captured)


def bold(_: SeatView, move: Move) -> float:
    """Captures as many cards as possible."""
    return len(move.captured)


def hunts_sevens(_: SeatView, move: Move) -> float:
    """Captures sevens and doesn't lay them."""
    return _kept(move, lambda cards: len(cards.of_rank(Rank.SEVEN)))


def hoards_oros(_: SeatView, move: Move) -> float:
    """Captures oros and doesn't lay them."""
    return _kept(move, lambda cards: len(cards.of_suit(Suit.OROS)))


def plays_high(_: SeatView, move: Move) -> float:
    """Plays the highest card: figures are there to be seen."""
    return 0 if isinstance(move, Claim) else move.card.worth


def lays_low(view: SeatView, move: Move) -> float:
    """Leaves as little on the table as possible."""
    return -move.table_after(view.public.table).worth


def _kept(move: Move, count: Callable[[CardSet], int]) -> int:
    """How many of certain cards a move gains, or minus one if it lays such a card."""
    if isinstance(move, Claim) or move.captured:
        return count(move.gained)
    return -count(CardSet.of([move.card]))


PERSONAS: Final = {
    Character.INES: Persona("Doña Inés", "👵", patient),
    Character.CURRO: Persona("Curro", "🎲", bold),
    Character.NURIA: Persona("Nuria", "🦉", hunts_sevens),
    Character.BRAULIO: Persona("Don Braulio", "🎩", hoards_oros),
    Character.BETO: Persona("Beto", "🧉", plays_high, talks=12, comments=4),
    Character.DELFINA: Persona("Delfina", "🦊", lays_low, talks=3),
}
"""They come from Salamanca, Cádiz, Girona, Tacuarembó, Rosario and Montevideo. A table has no more seats than this."""


def preferred(view: SeatView, moves: Sequence[Move], worths: Sequence[float], character: Character | None) -> Move:
    """The best move or, of those that are practically as good, the one that a character likes most.

    Args:
        view: what the seat at turn sees.
        moves: the moves to choose from; the first of equals is chosen.
        worths: what each move is worth to the level, in points.
        character: who plays; None for nobody in particular.
    """
    best = max(worths)
    if character is None:
        return moves[worths.index(best)]
    manner = PERSONAS[character].manner
    good = [index for index, worth in enumerate(worths) if worth >= best - NEARLY]
    return moves[max(good, key=lambda index: (manner(view, moves[index]), worths[index]))]
