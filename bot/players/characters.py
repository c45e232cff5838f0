"""The levels of the computer players and their characters, each with a name, a face, a level and a habit of its own.

A character plays nearly as well as its level. Its habit decides between moves whose worth to the level differs by no
more than the character's freedom. The freedoms are as large as a tenth of a point a round allows, so that habits show:
players recognise Nuria by the sevens that she keeps and not by her score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Final

from bot.engine.cards import CardSet, Rank, Suit
from bot.engine.moves import Claim, Move, Play, Sing
from bot.engine.views import SeatView

Habit = Callable[[Play | Claim, CardSet, int], int]
"""A count of what a character likes about a move, given the table and the number of its cards in hand after it.
Everybody can see it: above zero the move shows the habit."""


class Level(StrEnum):
    """The skill of a computer player. The value is what is stored."""

    EASY = "easy"
    """An easy opponent: takes what looks best right now, not always wisely, and sometimes overlooks a capture."""
    NORMAL = "normal"
    """A sound opponent: counts the cards, and weighs what it takes against what it leaves for the next player."""
    HARD = "hard"
    """A strong opponent: simulates the round to its end, infers the others' hands from their plays, solves the last
    deal."""


class Character(StrEnum):
    """The character that plays a computer's seat. The value is stored."""

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
    """The marks by which people recognise a character.

    `freedom` is what it may give away in a move to have its own way, in points as the level values them. `talks` is
    after how many of twelve escobas of its own it says something, and of eighteen moves that show its habit;
    `comments` is after how many of twelve escobas of people.
    `sings` is how many of twelve hands that can be sung it sings; at the hard level, looking ahead decides that.
    """

    name: str
    face: str
    level: Level
    habit: Habit
    freedom: float
    talks: int = 4
    comments: int = 0
    sings: int = 12


def patient(move: Play | Claim, _table: CardSet, _left: int) -> int:
    """Take little: one card from the table, and leave the rest for another time."""
    return len(move.gained) == _PAIR


def doubles(move: Play | Claim, table: CardSet, _left: int) -> int:
    """Dare the others: lay a card beside one of its rank."""
    return isinstance(move, Play) and not move.captured and len(table.of_rank(move.card.rank)) > 1


def holds_sevens(move: Play | Claim, _table: CardSet, left: int) -> int:
    """Hold sevens and sixes back: lay none but with the last card of a deal."""
    return -(isinstance(move, Play) and not move.captured and move.card.rank in _SEVENS and left > 0)


def hoards_oros(move: Play | Claim, _table: CardSet, left: int) -> int:
    """Begin no deal with an oro."""
    return -(isinstance(move, Play) and move.card.suit is Suit.OROS and left >= _EARLY)


def begins_high(move: Play | Claim, _table: CardSet, left: int) -> int:
    """Begin a deal with a figure: they are there to be seen."""
    return isinstance(move, Play) and move.card.rank in _FIGURES and left >= _EARLY


def begins_low(move: Play | Claim, _table: CardSet, left: int) -> int:
    """Begin a deal with an ace, a two or a three."""
    return isinstance(move, Play) and move.card.rank in _LOW and left >= _EARLY


def _takes_sevens(move: Play | Claim, _table: CardSet, _left: int) -> int:
    return len(move.gained.of_rank(Rank.SEVEN))


def _takes_oros(move: Play | Claim, _table: CardSet, _left: int) -> int:
    return len(move.gained.of_suit(Suit.OROS))


def shows(habit: Habit, move: Play | Claim, table: CardSet, left: int) -> bool:
    """Whether a move shows a habit; what is held back shows once more of it is taken."""
    return _SHOWN.get(habit, habit)(move, table, left) > 0


_SHOWN: Final[Mapping[Habit, Habit]] = {holds_sevens: _takes_sevens, hoards_oros: _takes_oros}
_PAIR: Final = 2
_EARLY: Final = 2
"""With this many cards left in hand a deal has just begun."""
_SEVENS: Final = frozenset({Rank.SEVEN, Rank.SIX})
_FIGURES: Final = frozenset({Rank.SOTA, Rank.CABALLO, Rank.REY})
_LOW: Final = frozenset({Rank.ACE, Rank.TWO, Rank.THREE})

PERSONAS: Final = {
    Character.CURRO: Persona("Curro", "🎲", Level.EASY, doubles, 0.12),
    Character.BETO: Persona("Beto", "🧉", Level.EASY, begins_high, 0.1, talks=12, comments=4),
    Character.LUCIA: Persona("Lucía", "🌻", Level.EASY, patient, 0.3, sings=7),
    Character.PIPO: Persona("Pipo", "🐣", Level.EASY, holds_sevens, 0.1, sings=8),
    Character.NICO: Persona("Nico", "🪁", Level.EASY, hoards_oros, 0.1, sings=5),
    Character.TITO: Persona("Tito", "🐢", Level.EASY, begins_low, 0.1, talks=3, sings=3),
    Character.INES: Persona("Doña Inés", "👵", Level.NORMAL, patient, 0.25),
    Character.BRAULIO: Persona("Don Braulio", "🎩", Level.NORMAL, hoards_oros, 0.17),
    Character.CHELO: Persona("Chelo", "🔥", Level.NORMAL, doubles, 0.15),
    Character.MARTIN: Persona("Martín", "📚", Level.NORMAL, holds_sevens, 0.15),
    Character.ROSAURA: Persona("Rosaura", "💃", Level.NORMAL, begins_high, 0.12, talks=8, comments=2),
    Character.ANSELMO: Persona("Anselmo", "🌾", Level.NORMAL, begins_low, 0.12, talks=3),
    Character.NURIA: Persona("Nuria", "🦉", Level.HARD, holds_sevens, 0.2),
    Character.DELFINA: Persona("Delfina", "🦊", Level.HARD, begins_low, 0.15, talks=3),
    Character.FERMIN: Persona("Don Fermín", "🐘", Level.HARD, patient, 0.2),
    Character.MARGA: Persona("Marga", "⚡", Level.HARD, doubles, 0.2),
    Character.PURA: Persona("Doña Pura", "💍", Level.HARD, hoards_oros, 0.2),
    Character.RAMIRO: Persona("Ramiro", "🐎", Level.HARD, begins_high, 0.15, talks=8),
}
"""Each level has one character of each habit, and as many as a table has seats."""


def preferred(view: SeatView, moves: Sequence[Move], worths: Sequence[float], character: Character | None) -> Move:
    """Choose the best move or, of those within a character's freedom of it, the one that the character likes most.

    Args:
        view: the view of the seat at turn.
        moves: the moves to choose from; the first of equals is chosen. Habits have no say in whether to sing.
        worths: the worth of each move to the level, in points.
        character: the character that plays; None for nobody in particular.
    """
    best = max(worths)
    found = moves[worths.index(best)]
    if character is None or isinstance(found, Sing):
        return found
    persona = PERSONAS[character]
    good = [
        (persona.habit(move, move.table_after(view.public.table), left_after(view, move)), worth, move)
        for move, worth in zip(moves, worths, strict=True)
        if worth >= best - persona.freedom and not isinstance(move, Sing)
    ]
    return max(good, key=itemgetter(0, 1))[-1]


def left_after(view: SeatView, move: Play | Claim) -> int:
    """Count the cards in hand after a move; a card that has been laid has left the hand already."""
    return len(view.hand) - (isinstance(move, Play) and move.card in view.hand)
