"""A tournament as values: what is agreed, who has entered, the rounds with their pairings and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.club.person import Person


class Format(StrEnum):
    """Who plays whom."""

    SWISS = "swiss"
    """In each round those who have done equally well so far; nobody meets twice."""
    ALL_PLAY_ALL = "all"
    """Everybody against everybody, up to eight."""
    KNOCKOUT = "knockout"
    """Who loses is out."""
    DUPLICATE = "duplicate"
    """Paired as SWISS; all tables of a round play the same boards, and results on a board are compared."""


class Stage(StrEnum):
    """A tournament's stages, in order."""

    SIGN_UP = "sign_up"
    CHECK_IN = "check_in"
    """Those who have signed up say that they are there; who doesn't is left out."""
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        return self not in (Stage.FINISHED, Stage.CANCELLED)


@dataclass(frozen=True, slots=True)
class Setup:
    """What the organiser has agreed on.

    Attributes:
        format: who plays whom.
        pairs: whether entries are of two people, who play as partners.
        preset: the rule system of every match.
        target: the points of every match; with DUPLICATE not used.
        rounds: how many rounds; None: by the number of entries. Only SWISS and DUPLICATE can choose.
        boards: how many boards a table plays in a round; only with DUPLICATE, an even number.
    """

    format: Format = Format.SWISS
    pairs: bool = False
    preset: str = "escoba"
    target: int = 15
    rounds: int | None = None
    boards: int = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One person or pair that takes part.

    Attributes:
        number: from 1, in the order of signing up; never given to another.
        people: one, or with `Setup.pairs` two; a pair may be incomplete until check-in.
        present: has checked in.
        from_round: the first round it can be paired in; later than 1 for a late entry.
        withdrawn: takes part in no further round; its results stay.
    """

    number: int
    people: tuple[Person, ...]
    present: bool = False
    from_round: int = 1
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a pairing ended, seen from its two entries.

    Attributes:
        points: what each scored in the match.
        winner: 0 for the first entry, 1 for the second, None for a draw, which only DUPLICATE has, or if both lost.
        forfeit: it wasn't played to its end: the winner's opponent left, or didn't come.
        board_points: with DUPLICATE each board's points, in order.
    """

    points: tuple[int, int]
    winner: int | None
    forfeit: bool = False
    board_points: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that play each other, by number; the first is dealt to first in a match's first round."""

    table: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round: who plays whom, who has a bye, and how the pairings ended so far, by table."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    outcomes: Mapping[int, Outcome] = field(default_factory=dict[int, Outcome])

    @property
    def over(self) -> bool:
        return all(pairing.table in self.outcomes for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class Correction:
    """The organiser has replaced an outcome."""

    round: int
    table: int
    before: Outcome | None
    after: Outcome
    by: Person


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after `version` entries of its log."""

    organiser: Person
    setup: Setup
    stage: Stage = Stage.SIGN_UP
    entries: tuple[Entry, ...] = ()
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Correction, ...] = ()
    version: int = 1

    def entry(self, number: int) -> Entry:
        return self.entries[number - 1]

    def entry_of(self, person_id: int) -> Entry | None:
        """The entry that a person belongs to and hasn't withdrawn from."""
        for each in self.entries:
            if not each.withdrawn and any(person.id == person_id for person in each.people):
                return each
        return None

    @property
    def round(self) -> Round | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None
