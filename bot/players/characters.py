"""The levels of the computer players and their characters, each with a name, a face, a level and a manner of its own.

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


class Level(StrEnum):
    """How well a computer plays. The value is what is stored."""

    EASY = "easy"
    """Takes what looks best right now, not always wisely, and sometimes overlooks a capture."""
    NORMAL = "normal"
    """Counts the cards, and weighs what it takes against what it leaves for the next player."""
    HARD = "hard"
    """Simulates the round to its end, infers the others' hands from their plays, and solves the last deal."""


class Character(StrEnum):
    """Who plays for a computer's seat. The value is stored."""

    CURRO = "curro"
    BETO = "beto"
    LUCIA = "lucia"
    PIPO = "pipo"
    NICO = "nico"
    TITO = "tito"

    INES = "ines"
    BRAULIO = "braulio"
    CHELO = "chelo"
    MARTIN = "martin"
    ROSAURA = "rosaura"
    ANSELMO = "anselmo"

    NURIA = "nuria"
    DELFINA = "delfina"
    FERMIN = "fermin"
    MARGA = "marga"
    PURA = "pura"
    RAMIRO = "ramiro"


@dataclass(frozen=True, slots=True)
class Persona:
    """What a character is recognised by.

    `talks` is after how many of twelve escobas of its own it says something, `comments` the same for those of others.
    """

    name: str
    face: str
    level: Level
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
    Character.CURRO: Persona("Curro", "🎲", Level.EASY, bold),
    Character.BETO: Persona("Beto", "🧉", Level.EASY, plays_high, talks=12, comments=4),
    Character.LUCIA: Persona("Lucía", "🌻", Level.EASY, patient),
    Character.PIPO: Persona("Pipo", "🐣", Level.EASY, hunts_sevens),
    Character.NICO: Persona("Nico", "🪁", Level.EASY, hoards_oros),
    Character.TITO: Persona("Tito", "🐢", Level.EASY, lays_low, talks=3),
    Character.INES: Persona("Doña Inés", "👵", Level.NORMAL, patient),
    Character.BRAULIO: Persona("Don Braulio", "🎩", Level.NORMAL, hoards_oros),
    Character.CHELO: Persona("Chelo", "🔥", Level.NORMAL, bold),
    Character.MARTIN: Persona("Martín", "📚", Level.NORMAL, hunts_sevens),
    Character.ROSAURA: Persona("Rosaura", "💃", Level.NORMAL, plays_high, talks=8, comments=2),
    Character.ANSELMO: Persona("Anselmo", "🌾", Level.NORMAL, lays_low, talks=3),
    Character.NURIA: Persona("Nuria", "🦉", Level.HARD, hunts_sevens),
    Character.DELFINA: Persona("Delfina", "🦊", Level.HARD, lays_low, talks=3),
    Character.FERMIN: Persona("Don Fermín", "🐘", Level.HARD, patient),
    Character.MARGA: Persona("Marga", "⚡", Level.HARD, bold),
    Character.PURA: Persona("Doña Pura", "💍", Level.HARD, hoards_oros),
    Character.RAMIRO: Persona("Ramiro", "🐎", Level.HARD, plays_high, talks=8),
}
"""Each level has one character of each manner, and as many as a table has seats."""


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
