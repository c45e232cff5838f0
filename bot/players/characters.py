"""The levels of the computer players and their characters, each with a name, a face, a level and a manner of its own.

A character plays nearly as well as its level. Its manner decides between moves whose worth to the level differs by no
more than the character's freedom. Some manners have a say more often than others, so a character has the freedom with
which about one decision in twelve comes out its own way: players recognise Nuria by her sevens and not by her score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.captures import captures
from bot.engine.cards import CardSet, Rank, Suit
from bot.engine.round import Claim, Move, Play, Sing
from bot.engine.views import SeatView

Manner = Callable[[SeatView, Play | Claim], float]
"""A measure of how much a character likes a move, given what its seat sees; only the order matters."""
Count = Callable[[CardSet], int]


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
    after how many of twelve escobas of its own it says something, and `comments` is the same for those of others.
    `sings` is how many of twelve hands that can be sung it sings; at the hard level, looking ahead decides that.
    """

    name: str
    face: str
    level: Level
    manner: Manner
    freedom: float
    talks: int = 4
    comments: int = 0
    sings: int = 12


def patient(view: SeatView, move: Play | Claim) -> float:
    """Wait: what can be captured later needn't be captured now, and the larger a capture becomes, the better."""
    return -_FIRST * len(move.captured) + _next(view, move, len)


def bold(view: SeatView, move: Play | Claim) -> float:
    """Capture as many cards as possible, prepare large captures, and otherwise dare to leave much on the table."""
    now = _FIRST * len(move.captured) + _next(view, move, len)
    return now + _LAST * move.table_after(view.public.table).worth


def hunts_sevens(_: SeatView, move: Play | Claim) -> float:
    """Capture sevens and don't lay them; sixes and aces come next, and figures are the first to part with."""
    return _kept(move, lambda cards: sum(_HUNTED.get(card.rank, 0) for card in cards))


def hoards_oros(view: SeatView, move: Play | Claim) -> float:
    """Capture oros, don't lay them and prepare to capture them; otherwise take much, and part with little."""

    def oros(cards: CardSet) -> int:
        return len(cards.of_suit(Suit.OROS))

    return _FIRST * _kept(move, oros) + _next(view, move, oros) + _LAST * _kept(move, lambda cards: cards.worth)


def plays_high(_: SeatView, move: Play | Claim) -> float:
    """Play the highest card: figures are there to be seen."""
    return 0 if isinstance(move, Claim) else move.card.worth


def lays_low(view: SeatView, move: Play | Claim) -> float:
    """Leave as little on the table as possible."""
    return -move.table_after(view.public.table).worth


_FIRST: Final = 1_000
"""The weight of what a move does: it counts first, and only among equals, what it prepares."""
_LAST: Final = 0.001
"""The weight of what counts only among moves that prepare the same."""
_HUNTED: Final = {
    Rank.SEVEN: 1_000,
    Rank.SIX: 100,
    Rank.ACE: 30,
    Rank.FIVE: 5,
    Rank.FOUR: 4,
    Rank.THREE: 3,
    Rank.TWO: 2,
}
"""In the order of the setenta; a rank that is far ahead counts for more than several cards below it."""


def _kept(move: Play | Claim, count: Count) -> int:
    """Count what a move gains by `count` or, if it lays a card, what it loses."""
    if isinstance(move, Claim) or move.captured:
        return count(move.gained)
    return -count(CardSet.of([move.card]))


def _next(view: SeatView, move: Play | Claim, count: Count) -> int:
    """Count what the best capture with another card in hand would bring next time, if the table stayed that way."""
    hand = view.hand
    if isinstance(move, Play) and move.card in hand:  # a card that has been laid has left the hand already
        hand = hand.without(move.card)
    table, rule = move.table_after(view.public.table), view.public.rules.capture
    found = (count(group.with_card(card)) for card in hand for group in captures(rule, card, table))
    return max(found, default=0)


PERSONAS: Final = {
    Character.CURRO: Persona("Curro", "🎲", Level.EASY, bold, 0.025),
    Character.BETO: Persona("Beto", "🧉", Level.EASY, plays_high, 0.025, talks=12, comments=4),
    Character.LUCIA: Persona("Lucía", "🌻", Level.EASY, patient, 0.07, sings=7),
    Character.PIPO: Persona("Pipo", "🐣", Level.EASY, hunts_sevens, 0.025, sings=8),
    Character.NICO: Persona("Nico", "🪁", Level.EASY, hoards_oros, 0.025, sings=5),
    Character.TITO: Persona("Tito", "🐢", Level.EASY, lays_low, 0.025, talks=3, sings=3),
    Character.INES: Persona("Doña Inés", "👵", Level.NORMAL, patient, 0.1),
    Character.BRAULIO: Persona("Don Braulio", "🎩", Level.NORMAL, hoards_oros, 0.03),
    Character.CHELO: Persona("Chelo", "🔥", Level.NORMAL, bold, 0.035),
    Character.MARTIN: Persona("Martín", "📚", Level.NORMAL, hunts_sevens, 0.05),
    Character.ROSAURA: Persona("Rosaura", "💃", Level.NORMAL, plays_high, 0.04, talks=8, comments=2),
    Character.ANSELMO: Persona("Anselmo", "🌾", Level.NORMAL, lays_low, 0.03, talks=3),
    Character.NURIA: Persona("Nuria", "🦉", Level.HARD, hunts_sevens, 0.08),
    Character.DELFINA: Persona("Delfina", "🦊", Level.HARD, lays_low, 0.08, talks=3),
    Character.FERMIN: Persona("Don Fermín", "🐘", Level.HARD, patient, 0.13),
    Character.MARGA: Persona("Marga", "⚡", Level.HARD, bold, 0.065),
    Character.PURA: Persona("Doña Pura", "💍", Level.HARD, hoards_oros, 0.07),
    Character.RAMIRO: Persona("Ramiro", "🐎", Level.HARD, plays_high, 0.06, talks=8),
}
"""Each level has one character of each manner, and as many as a table has seats."""


def preferred(view: SeatView, moves: Sequence[Move], worths: Sequence[float], character: Character | None) -> Move:
    """Choose the best move or, of those within a character's freedom of it, the one that the character likes most.

    Args:
        view: the view of the seat at turn.
        moves: the moves to choose from; the first of equals is chosen. Manners have no say in whether to sing.
        worths: the worth of each move to the level, in points.
        character: the character that plays; None for nobody in particular.
    """
    best = max(worths)
    found = moves[worths.index(best)]
    if character is None or isinstance(found, Sing):
        return found
    persona = PERSONAS[character]
    good = [
        (move, worth)
        for move, worth in zip(moves, worths, strict=True)
        if worth >= best - persona.freedom and not isinstance(move, Sing)
    ]
    return max(good, key=lambda each: (persona.manner(view, each[0]), each[1]))[0]
