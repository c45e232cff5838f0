"""A tournament's set-up: what is played and when, as the organiser has chosen, and what that allows."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from bot.club.rules.seasons import RuleSet
from bot.engine.cards import SUNG_CARDS
from bot.engine.rules import PRESETS, TARGETS, PresetName, Rules, Seating

MOST_ENTRIES: Final = 64
MOST_IN_ALL_PLAY_ALL: Final = 8
ROUNDS: Final = range(2, 10)
"""Numbers of rounds an organiser can ask for; a small field has fewer, see `rounds_for`."""
LONGEST_TITLE: Final = 60
BOARDS: Final = range(2, 9, 2)
"""Numbers of boards a table can play in a round: even, so that everybody deals equally often."""


class Format(StrEnum):
    """The rule by which opponents are found."""

    SWISS = "swiss"
    """In each round, those who have done equally well so far meet; nobody meets twice."""
    ALL_PLAY_ALL = "all"
    """Everybody against everybody, up to eight."""
    KNOCKOUT = "knockout"
    """The loser of a match is out."""
    DUPLICATE = "duplicate"
    """Paired as in SWISS; all tables of a round play the same boards, and results on a board are compared."""


@dataclass(frozen=True, slots=True)
class Start:
    """The time at which a tournament begins, unless the organiser begins it before.

    Attributes:
        at: in seconds since 1970.
        zone: the IANA name of the time zone in which it was written.
        event: whether Discord is to list it among the server's events.
        weekly: the minutes from Monday on, by the clocks there, at which there is one every week; None: it is once.
    """

    at: int
    zone: str
    weekly: int | None = None
    event: bool = False

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


@dataclass(frozen=True, slots=True)
class Setup:
    """The organiser's choices.

    Attributes:
        format: the rule by which opponents are found.
        pairs: whether an entry is two people who play as partners.
        preset: the rule system of every match.
        target: the points that every match is played to; not used with DUPLICATE.
        rounds: the number of rounds; None: it depends on the number of entries. Only for SWISS and DUPLICATE.
        boards: the number of boards a table plays in a round; only with DUPLICATE, an even number.
        own: the server's own rules, if they are played; `preset` is what those are based on.
        seeded: whether the places of a KNOCKOUT are given by rating, and not by lot.
        title: its name; empty for none.
        start: when it begins; None: when the organiser says so.
    """

    format: Format = Format.SWISS
    pairs: bool = False
    preset: PresetName = "escoba"
    target: int = 15
    rounds: int | None = None
    boards: int = 2
    own: RuleSet | None = None
    seeded: bool = False
    title: str = ""
    start: Start | None = None

    @property
    def rules(self) -> Rules:
        """The rules of its matches, apart from the target and the number of rounds."""
        return PRESETS[self.preset].rules if self.own is None else self.own.rules


def is_invalid(setup: Setup) -> bool:
    """Whether a set-up asks for something that the format or the rule system doesn't have."""
    choosable = setup.format in (Format.SWISS, Format.DUPLICATE)
    return (
        setup.preset not in PRESETS
        or not _seats(setup, Seating.PAIRS if setup.pairs else Seating.TWO)
        or setup.target not in TARGETS
        or len(setup.title) > LONGEST_TITLE
        or (setup.seeded and setup.format is not Format.KNOCKOUT)
        or not (setup.rounds is None or (choosable and setup.rounds in ROUNDS))
        or setup.boards not in BOARDS
    )


def _seats(setup: Setup, seating: Seating) -> bool:
    """Whether the rules are for a match of two entries."""
    if setup.own is None:
        return seating in PRESETS[setup.preset].seatings
    rules = replace(setup.rules, target=setup.target)
    if rules.hand > SUNG_CARDS and seating is Seating.TWO and not rules.conflicts(Seating.PAIRS):
        return False  # scopone is for four
    return not rules.conflicts(seating)


def rounds_for(setup: Setup, entries: int) -> int:
    """Work out the number of rounds of a tournament with this many entries.

    SWISS and DUPLICATE: as many as a knockout would have, at least three, unless the organiser has asked for another
    number. Never more than half the entries (three with up to six), because then opponents who haven't met can always
    be found: an entry paired in round r has met fewer than r others, so at least half of the field is left for
    everybody, and by Dirac's theorem they can all be paired.
    """
    match setup.format:
        case Format.SWISS | Format.DUPLICATE:
            wanted = setup.rounds or max(3, (entries - 1).bit_length())
            return min(wanted, max(3, (entries + 1) // 2))
        case Format.ALL_PLAY_ALL:
            return max(0, entries - 1 + entries % 2)
        case Format.KNOCKOUT:
            return (max(entries, 1) - 1).bit_length()


def min_entries(setup: Setup) -> int:
    """Return the least number of entries that a tournament needs."""
    return 3 if setup.format is Format.ALL_PLAY_ALL else 4


def max_entries(setup: Setup) -> int:
    """Return the most entries that a tournament can have."""
    return MOST_IN_ALL_PLAY_ALL if setup.format is Format.ALL_PLAY_ALL else MOST_ENTRIES
