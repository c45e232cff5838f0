"""What can happen at a table, one event a version, and the values that events are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.engine.events import Event as MatchEvent
from bot.engine.rules import PRESETS, Conflict, Rules, Seating
from bot.players import Character, Level

DEFAULT_PRESET = "escoba"
USUAL_CAPACITY = Seating.PAIRS.seats
LARGEST_CAPACITY = Seating.TRIPLE_PAIRS.seats


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: the id, and the name shown where they joined."""

    id: int
    name: str


class Presence(StrEnum):
    """Who plays for a person's seat."""

    HERE = "here"
    AWAY = "away"
    """A deadline passed: a computer plays until the person clicks."""
    LEFT = "left"
    """They left for good: a computer plays to the end."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the lobby agrees on: the preset it began from, the rules, pairs or not (with four), and how many may sit."""

    preset: str = DEFAULT_PRESET
    rules: Rules = PRESETS[DEFAULT_PRESET].rules
    teams: bool = False
    capacity: int = USUAL_CAPACITY

    @classmethod
    def of_preset(cls, name: str, *, target: int | None = None) -> Config:
        """The preset as its source plays it, to another target if one is given."""
        preset = PRESETS[name]
        rules = preset.rules if target is None else replace(preset.rules, target=target)
        return cls(
            preset=name,
            rules=rules,
            teams=preset.seatings[0].in_teams,
            capacity=max(seating.seats for seating in preset.seatings),
        )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Why these rules can't be agreed on: they fit no number of players, or not the most that may sit."""
        possible = [seating for n in range(2, self.capacity + 1) if (seating := self.seating(n)) is not None]
        if self.capacity > USUAL_CAPACITY and (found := self.rules.conflicts(possible[-1])):
            return found
        found = [self.rules.conflicts(seating) for seating in possible]
        return () if not all(found) else found[-1]

    def seating(self, players: int) -> Seating | None:
        """How so many players sit; None if that number can't play."""
        return {
            2: Seating.TWO,
            3: Seating.THREE,
            4: Seating.PAIRS if self.teams else Seating.FOUR,
            6: Seating.TRIPLE_PAIRS,
        }.get(players)


class Phase(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    """Somebody who may do so ended it."""
    ABANDONED = "abandoned"
    """No human was left."""
    EXPIRED = "expired"
    """The lobby lay untouched too long."""
    IDLE = "idle"
    """Nobody moved for very long in a match without deadlines."""

    @property
    def open(self) -> bool:
        """Whether something can still happen."""
        return self in (Phase.LOBBY, Phase.PLAYING)


@dataclass(frozen=True, slots=True)
class Opened:
    """The lobby opens, with its opener in the first seat.

    `invited` are those who sat at the match of which it is the rematch, by seat; None where a computer did.
    """

    opener: Person
    config: Config
    invited: tuple[Person | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took the next free seat."""

    person: Person


@dataclass(frozen=True, slots=True)
class LeftLobby:
    """A person gave up their seat before the match."""

    person_id: int


@dataclass(frozen=True, slots=True)
class ComputerAdded:
    """A computer player took the next free seat. One of an older log is no `character`."""

    name: str
    level: Level
    character: Character | None = None


@dataclass(frozen=True, slots=True)
class ComputerRemoved:
    """The computer player that came last went."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two seats changed places in the lobby."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Configured:
    """The lobby agreed on something else."""

    config: Config


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Somebody's deadline passed, they came back, or left for good."""

    seat: int
    presence: Presence


@dataclass(frozen=True, slots=True)
class Closed:
    """The table ends without a result. `by`: who ended it, in the phase IDLE for those who had forgotten it."""

    phase: Phase
    by: Person | None = None


TableEvent = (
    Opened | Joined | LeftLobby | ComputerAdded | ComputerRemoved | Swapped | Configured | PresenceChanged | Closed
)
LogEvent = TableEvent | MatchEvent
