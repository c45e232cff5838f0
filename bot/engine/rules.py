"""The rules of a match as one frozen value, the seatings, and the presets as data.

Nothing in the engine asks for a preset's name: a preset is just a `Rules` value with the seatings its source gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Capture(StrEnum):
    """Which table cards a card captures."""

    FIFTEEN = "fifteen"
    """Cards that add up to 15 with it (000 "Captura", 001 §3, 002 §12)."""
    MATCH = "match"
    """One equal card, or cards that add up to its worth (002 §8)."""


class Duty(StrEnum):
    """Whether a card that can capture must do so."""

    COMPULSORY = "compulsory"
    """The played card captures if it can; the player picks the card and the capture (000 "Captura")."""
    CLAIMABLE = "claimable"
    """A capture may be missed, and the next player may claim it before playing (002 §12)."""
    OPTIONAL = "optional"
    """A capture may be missed, and nobody can claim it (002 §8)."""


class Opening(StrEnum):
    """What the dealer scores when the first table cards add up to 15 or 30."""

    NONE = "none"
    SUM = "sum"
    """15: one escoba; 30: two (000 "Escobas")."""
    PAIRS = "pairs"
    """15: one escoba; 30, only as two pairs of 15: two (001 "Escoba de mano")."""


class Prime(StrEnum):
    """Who gets the point for the best four cards."""

    NONE = "none"
    SETENTA = "setenta"
    """One card of each suit, compared highest first (000 "Puntuación")."""
    POINTS = "points"
    """The highest sum of four cards of any suit by a table of points (002 §5)."""


class Seating(StrEnum):
    """How many people play, and who with whom. The value is used in notation."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    PAIRS = "2x2"
    """Four in two pairs."""
    TRIPLE_PAIRS = "3x2"
    """Six in three pairs (002 §3)."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return _SEATS[self]

    @property
    def sides(self) -> int:
        """The number of sides that score: players or pairs."""
        return int(self.value[0])

    @property
    def in_teams(self) -> bool:
        """Whether a side has more than one player."""
        return self.seats > self.sides

    def side_of(self, seat: int) -> int:
        """The side of a seat; partners sit opposite (RULES.md, decision 13)."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.seats, self.sides))


_SEATS: Final = {Seating.TWO: 2, Seating.THREE: 3, Seating.FOUR: 4, Seating.PAIRS: 4, Seating.TRIPLE_PAIRS: 6}
TARGETS: Final = range(5, 102)
"""The targets a match can have: 5 to 101 points."""
MOST_ROUNDS: Final = 40
"""The most rounds that a match of a fixed length can have."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides how a match is played and scored.

    `hand` is how many cards each player gets in a deal, `table` how many the table gets in the first one. `most_sevens`
    gives a point for the most sevens; `many_cards`, `all_oros` and `four_sevens` are the larger values (000
    "Variantes", 001 §4): 2 instead of 1 for more than 30 cards or all ten oros, and 1 more for all four sevens. With
    `rounds`, a match is over after so many rounds, whatever the totals, and may be drawn; the target isn't used then.
    """

    capture: Capture = Capture.FIFTEEN
    duty: Duty = Duty.COMPULSORY
    opening: Opening = Opening.SUM
    prime: Prime = Prime.SETENTA
    most_sevens: bool = False
    many_cards: bool = False
    all_oros: bool = False
    four_sevens: bool = False
    hand: int = 3
    table: int = 4
    target: int = 21
    rounds: int = 0

    def deals(self, seating: Seating) -> int:
        """The number of deals in a round: 6, 4, 3 or 2 for 2, 3, 4 or 6 players with three cards each."""
        return (40 - self.table) // (self.hand * seating.seats)

    def conflicts(self, seating: Seating) -> tuple[Conflict, ...]:
        """Why these rules can't be played with a seating; empty if they can."""
        found: list[Conflict] = []
        if self.hand < 1 or not 0 <= self.table < 40 or (40 - self.table) % (self.hand * seating.seats):
            found.append(Conflict.CARDS_DO_NOT_DIVIDE)
        if self.opening is not Opening.NONE and not self.table:
            found.append(Conflict.OPENING_WITHOUT_TABLE)
        if self.four_sevens and not self.most_sevens and self.prime is Prime.NONE:
            found.append(Conflict.SEVENS_NOT_SCORED)
        if self.target not in TARGETS:
            found.append(Conflict.TARGET_OUT_OF_RANGE)
        if not 0 <= self.rounds <= MOST_ROUNDS:
            found.append(Conflict.ROUNDS_OUT_OF_RANGE)
        return tuple(found)


SWITCHES: Final = ("most_sevens", "many_cards", "all_oros", "four_sevens")
"""The boolean fields of `Rules`."""


class Conflict(StrEnum):
    """Why rules and a seating don't fit together."""

    CARDS_DO_NOT_DIVIDE = "cards_do_not_divide"
    OPENING_WITHOUT_TABLE = "opening_without_table"
    SEVENS_NOT_SCORED = "sevens_not_scored"
    TARGET_OUT_OF_RANGE = "target_out_of_range"
    ROUNDS_OUT_OF_RANGE = "rounds_out_of_range"


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule system as a source describes it: the rules, and the possible seatings with the usual one first."""

    name: str
    rules: Rules
    seatings: tuple[Seating, ...]
    sources: tuple[str, ...]


_UP_TO_FOUR: Final = (Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS)
_UP_TO_SIX: Final = (Seating.PAIRS, Seating.TWO, Seating.THREE, Seating.FOUR, Seating.TRIPLE_PAIRS)
_CLASICA: Final = Rules(
    capture=Capture.MATCH, duty=Duty.OPTIONAL, opening=Opening.NONE, prime=Prime.POINTS, most_sevens=False
)

PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("escoba", Rules(), _UP_TO_FOUR, ("000", "003", "004")),
        Preset(
            "juegon",
            Rules(
                opening=Opening.PAIRS,
                prime=Prime.NONE,
                most_sevens=True,
                many_cards=True,
                all_oros=True,
                four_sevens=True,
            ),
            _UP_TO_FOUR,
            ("001",),
        ),
        Preset(
            "quince",
            Rules(duty=Duty.CLAIMABLE, opening=Opening.NONE, prime=Prime.POINTS, most_sevens=True),
            _UP_TO_SIX,
            ("002 §12",),
        ),
        Preset("clasica", _CLASICA, _UP_TO_SIX, ("002 §1-11",)),
        Preset(
            "cientifica",
            Rules(
                capture=Capture.MATCH,
                duty=Duty.OPTIONAL,
                opening=Opening.NONE,
                prime=Prime.POINTS,
                hand=10,
                table=0,
            ),
            (Seating.PAIRS,),
            ("002 §13",),
        ),
    )
}
"""The rule systems by name, as settled in RULES.md."""
