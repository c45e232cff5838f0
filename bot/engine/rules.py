"""The rules of a match as one frozen value, the seatings, and the presets as data.

>>> from dataclasses import replace
>>> from bot.engine.rules import PRESETS, Seating
>>> rules = PRESETS["quince"].rules
>>> rules.duty, rules.target
(<Duty.CLAIMABLE: 'claimable'>, 21)
>>> rules.hands(Seating.THREE)
(3, 3, 3, 3)
>>> replace(rules, hand=5).conflicts(Seating.THREE)
(<Conflict.CARDS_DO_NOT_DIVIDE: 'cards_do_not_divide'>,)

Nothing in the engine depends on a preset's name: a preset is just a `Rules` value with the seatings its source gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Final

from bot.engine.cards import SUNG_CARDS


class Capture(StrEnum):
    """The table cards that a card captures."""

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
    """The dealer's reward when the first table cards add up to 15 or 30."""

    NONE = "none"
    SUM = "sum"
    """15: one escoba; 30: two (000 "Escobas"); 45, with five cards open: three."""
    PAIRS = "pairs"
    """15: one escoba; 30, only as two groups of 15: two (001 "Escoba de mano")."""


class Prime(StrEnum):
    """The rule for the point for the best four cards."""

    NONE = "none"
    SETENTA = "setenta"
    """One card of each suit, compared highest first (000 "Puntuación")."""
    POINTS = "points"
    """The highest sum of four cards of any suit by a table of points (002 §5)."""
    SUITS = "suits"
    """One card of each suit, the best by the same points, added."""
    SEVENS = "sevens"
    """The most sevens; between those tied, the most sixes, then aces, then fives."""


class Seating(StrEnum):
    """The number of players and their partners: the number of sides, and of players in each if that is more than one.

    The value is used in notation.
    """

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    PAIRS = "2x2"
    """Four in two pairs."""
    FIVE = "5"
    """Five, each alone; they get three cards and then four."""
    TRIPLE_PAIRS = "3x2"
    """Six in three pairs (002 §3)."""
    TRIPLES = "2x3"
    """Six in two sides of three."""

    def __init__(self, value: str) -> None:
        self.sides: Final = int(value[0])
        """The number of sides that score: single players or partners."""
        self.seats: Final = self.sides * int(value[2:] or 1)

    @property
    def in_teams(self) -> bool:
        """Whether a side has more than one player."""
        return self.seats > self.sides

    def side_of(self, seat: int) -> int:
        """The side of a seat: sides take turns, so that partners sit opposite (RULES.md, decision 13)."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.seats, self.sides))


LEADS: Final = range(1, 3)
"""The leads that a match can require of its winner: 1 or 2 points."""
TARGETS: Final = range(5, 102)
"""The targets a match can have: 5 to 101 points."""
MOST_ROUNDS: Final = 40
"""The most rounds that a match of a fixed length can have."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides how a match is played and scored. Numbers in brackets are decisions of RULES.md.

    `hand` is how many cards each player gets in a deal, `table` how many the table gets in the first one; what is
    actually dealt depends on the seating: see `hands` and `table_cards`. `most_sevens` gives a point for the most
    sevens; `many_cards`, `all_oros` and `four_sevens` turn on the larger values (000 "Variantes", 001 §4): 2 instead
    of 1 for more than 30 cards or all ten oros, and 1 more for all four sevens. With `rounds`, a match is over after
    that many rounds, whatever the totals, and may be drawn; neither `target` nor `lead` is used then. `lead` is the
    number of points by which a match must be won (16). With `cantos`, players may sing their hands of three (19).
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
    lead: int = 1
    cantos: bool = False

    def hands(self, seating: Seating) -> tuple[int, ...]:
        """Return the cards that each player gets in each deal: three in 6, 4, 3 or 2 deals for 2, 3, 4 or 6 players.

        36 cards can't be divided among five players: they get three and then four, with five on the table (17).
        """
        if self._adapts(seating):
            return _FIVE_HANDS
        return (self.hand,) * ((40 - self.table) // (self.hand * seating.seats))

    def table_cards(self, seating: Seating) -> int:
        """Return the cards that the table gets in the first deal."""
        return _FIVE_TABLE if self._adapts(seating) else self.table

    def _adapts(self, seating: Seating) -> bool:
        return seating is Seating.FIVE and (self.hand, self.table) == _USUAL_DEAL

    def conflicts(self, seating: Seating) -> tuple[Conflict, ...]:
        """Find why these rules can't be played with a seating; empty if they can."""
        found: list[Conflict] = []
        if not self._divides(seating):
            found.append(Conflict.CARDS_DO_NOT_DIVIDE)
        if self.opening is not Opening.NONE and not self.table:
            found.append(Conflict.OPENING_WITHOUT_TABLE)
        if self.four_sevens and not self.most_sevens and self.prime is Prime.NONE:
            found.append(Conflict.SEVENS_NOT_SCORED)
        if self.cantos and self.hand != SUNG_CARDS:
            found.append(Conflict.CANTOS_NEED_THREE)
        return (*found, *self.out_of_range())

    def out_of_range(self) -> tuple[Conflict, ...]:
        """Find the numbers that are too small or too large for any match."""
        found: list[Conflict] = []
        if self.target not in TARGETS:
            found.append(Conflict.TARGET_OUT_OF_RANGE)
        if not 0 <= self.rounds <= MOST_ROUNDS:
            found.append(Conflict.ROUNDS_OUT_OF_RANGE)
        if self.lead not in LEADS:
            found.append(Conflict.LEAD_OUT_OF_RANGE)
        return tuple(found)

    def _divides(self, seating: Seating) -> bool:
        """Whether the forty cards can be dealt out."""
        if self.hand < 1 or not 0 <= self.table < 40:
            return False
        return self.table_cards(seating) + sum(self.hands(seating)) * seating.seats == 40


_USUAL_DEAL: Final = (3, 4)
_FIVE_HANDS: Final = (3, 4)
_FIVE_TABLE: Final = 5

SWITCHES: Final = tuple(field.name for field in fields(Rules) if isinstance(field.default, bool))
"""The boolean fields of `Rules`."""


class Conflict(StrEnum):
    """The reason why rules and a seating don't fit together."""

    CARDS_DO_NOT_DIVIDE = "cards_do_not_divide"
    SCOPONE_IS_FOR_FOUR = "scopone_is_for_four"
    """Tables refuse it. `Rules.conflicts` doesn't: matches that two people played like that can still be read."""
    OPENING_WITHOUT_TABLE = "opening_without_table"
    SEVENS_NOT_SCORED = "sevens_not_scored"
    CANTOS_NEED_THREE = "cantos_need_three"
    TARGET_OUT_OF_RANGE = "target_out_of_range"
    ROUNDS_OUT_OF_RANGE = "rounds_out_of_range"
    LEAD_OUT_OF_RANGE = "lead_out_of_range"


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule system as a source describes it: the rules, and the possible seatings with the usual one first.

    `name` is its key; players read the name that `bot.cards.words.rules` has for it. `other_seatings` are further
    seatings that it can be played with, although none of its sources has them.
    """

    name: str
    rules: Rules
    seatings: tuple[Seating, ...]
    sources: tuple[str, ...] = ()
    other_seatings: tuple[Seating, ...] = ()


_UP_TO_FOUR: Final = (Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS)
_UP_TO_SIX: Final = (Seating.PAIRS, Seating.TWO, Seating.THREE, Seating.FOUR, Seating.TRIPLE_PAIRS)
_OTHER_SEATINGS: Final = (Seating.FIVE, Seating.TRIPLES)
_CLASICA: Final = Rules(
    capture=Capture.MATCH, duty=Duty.OPTIONAL, opening=Opening.NONE, prime=Prime.POINTS, most_sevens=False
)

PresetName = Annotated[str, "a key of PRESETS"]
"""The type of fields that are stored with the name of a preset."""
PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("escoba", Rules(), _UP_TO_FOUR, ("000", "003", "004"), _OTHER_SEATINGS),
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
            _OTHER_SEATINGS,
        ),
        Preset(
            "quince",
            Rules(duty=Duty.CLAIMABLE, opening=Opening.NONE, prime=Prime.POINTS, most_sevens=True),
            _UP_TO_SIX,
            ("002 §12",),
            _OTHER_SEATINGS,
        ),
        Preset("clasica", _CLASICA, _UP_TO_SIX, ("002 §1-11",), _OTHER_SEATINGS),
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
        Preset("chorizo", Rules(prime=Prime.SEVENS, target=31, cantos=True), _UP_TO_FOUR, (), _OTHER_SEATINGS),
    )
}
"""The rule systems by name, as settled in RULES.md."""
