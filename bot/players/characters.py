"""The levels of the computer players and their characters: each has a name, a face, a level, a habit and things to say.

A character plays nearly as well as its level. Its habit decides between moves whose worth to the level differs by no
more than the character's freedom. The freedoms are as large as a tenth of a point a round allows, so that habits show:
players recognise Nuria by the sevens that she keeps and not by her score.

The moments at which they talk in a match are folded from its public facts, so that a restart changes nothing. What
somebody says again and again is said in another way each time: `Remark.number` counts how often they have said
something on such an occasion before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt
from operator import itemgetter
from typing import Final
from zlib import crc32

from bot.engine.cards import CardSet, Rank, Suit
from bot.engine.facts import CaptureClaimed, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.moves import Claim, Move, Play, Sing
from bot.engine.rules import Seating
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


NORMAL: Final = 1000
"""The rating with which everybody begins."""
POINT_OF_SKILL: Final = 48
"""A unit of the skill that the model estimates, in points of the ratings that are shown."""
BETA: Final = 25 / 6
"""The spread of a person's play from match to match, according to the model."""
_LOWEST: Final = 200
"""The lowest rating that is given: below it the shares of matches won are too small to be told apart."""

_WON: Final = {
    "escoba": (Seating.TWO, 6, 66),
    "juegon": (Seating.TWO, 6, 66),
    "quince": (Seating.TWO, 2, 66),
    "clasica": (Seating.TWO, 4, 84),
    "cientifica": (Seating.PAIRS, 0, 89),
    "chorizo": (Seating.TWO, 11, 61),
}
"""The percentages of matches that the easy and the hard level win against the normal one; see docs/PLAYERS.md."""


def rating_of(preset: str, level: Level) -> int:
    """Return the fixed rating of a level in a rule system, accurate to about thirty points."""
    seating, easy, hard = _WON[preset]
    share = max({Level.EASY: easy, Level.NORMAL: 50, Level.HARD: hard}[level], 0.1) / 100
    apart = POINT_OF_SKILL * sqrt(2) * BETA * log(share / (1 - share)) * seating.sides / seating.seats
    return max(_LOWEST, round((NORMAL + apart) / 10) * 10)


class Occasion(StrEnum):
    """The subject of a character's remark."""

    ESCOBA = "escoba"
    """An escoba of their own."""
    HABIT = "habit"
    """A move that shows their habit."""
    OTHERS = "others"
    """A person's escoba."""


_OF: Final = 12
"""The number of escobas of which a persona's `talks` and `comments` are parts."""
_SHOWN_OF: Final = 18
"""The number of moves that show a habit of which `talks` is a part."""


@dataclass(frozen=True, slots=True)
class Remark:
    """The seat of the character that says something, the occasion, and how often it came to that before."""

    seat: int
    occasion: Occasion
    number: int


@dataclass(frozen=True, slots=True)
class Talk:
    """Remarks made in a match: by seat and occasion, in order; and what is said about the latest event.

    `lot` decides who speaks; it follows from the plays, which everybody has seen.
    """

    said: tuple[tuple[int, Occasion], ...] = ()
    remark: Remark | None = None
    lot: int = 0

    def after(
        self, characters: Sequence[Character | None], facts: Sequence[Fact], table: CardSet, held: Sequence[int]
    ) -> Talk:
        """The talk once these facts have happened. `table`, and the cards each seat has `held`, are after them."""
        said, remark, lot = self.said, None, self.lot
        last = any(isinstance(fact, DealMade) for fact in facts)
        for fact in facts:
            if isinstance(fact, OpeningTaken | CardPlayed | CaptureClaimed):
                lot = crc32(repr(fact).encode(), lot)
                left = 0 if last else held[fact.seat]
                spoken = _spoken(characters, fact, table, left, lot)
                if spoken is not None:
                    seat, occasion = spoken
                    alike = [each for each in said if each == spoken or each[1] is occasion is Occasion.OTHERS]
                    said, remark = (*said, spoken), Remark(seat, occasion, len(alike))
        return Talk(said, remark, lot)


SILENCE: Final = Talk()
"""The talk before a match begins."""


def _spoken(
    characters: Sequence[Character | None],
    fact: OpeningTaken | CardPlayed | CaptureClaimed,
    table: CardSet,
    left: int,
    lot: int,
) -> tuple[int, Occasion] | None:
    """Choose the seat that says something about a fact, and why."""
    swept = fact.escobas > 0 if isinstance(fact, OpeningTaken) else fact.escoba
    own = characters[fact.seat]
    if own is None:
        commenting = (
            seat for seat, each in enumerate(characters) if each is not None and lot % _OF < PERSONAS[each].comments
        )
        seat = next(commenting, None) if swept else None
        return None if seat is None else (seat, Occasion.OTHERS)
    persona = PERSONAS[own]
    if swept:
        return (fact.seat, Occasion.ESCOBA) if lot % _OF < persona.talks else None
    match fact:
        case CardPlayed(seat, card, captured):
            move = Play(card, captured)
        case CaptureClaimed(seat, card, captured):
            move = Claim(captured.with_card(card))
        case _:
            return None
    talks = lot % _SHOWN_OF < persona.talks and shows(persona.habit, move, table, left)
    return (seat, Occasion.HABIT) if talks else None
