"""What people can ask of a table. Each action names its person, and a move the version it was made for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.cards import Card
from bot.engine.round import Move
from bot.players import Level
from bot.tables.log.events import Config, Person


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat in the lobby."""

    person: Person


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up a seat: in the lobby it becomes free, in a match a computer plays it to the end.

    `lobby_only`: it was asked for in the lobby. If the match has begun since, it must not forfeit the match.
    """

    person: Person
    lobby_only: bool = False


@dataclass(frozen=True, slots=True)
class AddComputer:
    """Seat a computer player."""

    person: Person
    version: int
    level: Level = Level.NORMAL


@dataclass(frozen=True, slots=True)
class RemoveComputer:
    """Remove the computer player that was added last."""

    person: Person
    version: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Swap seats with another seat in the lobby."""

    person: Person
    version: int
    seat: int


@dataclass(frozen=True, slots=True)
class Configure:
    """Agree on other rules, target or teams."""

    person: Person
    version: int
    config: Config


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the match with those who are seated."""

    person: Person
    version: int


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play a card, or claim a capture."""

    person: Person
    version: int
    move: Move


@dataclass(frozen=True, slots=True)
class LayCard:
    """Play a card that has several captures, to choose one of them next. The card stays played."""

    person: Person
    version: int
    card: Card


@dataclass(frozen=True, slots=True)
class NextRound:
    """Deal the next round now, without waiting for the pause to end."""

    person: Person
    version: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the table without a result. `moderator`: the person may manage messages in the channel."""

    person: Person
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class Touch:
    """Any other sign of life: a person who was away takes their seat back."""

    person: Person


Action = (
    Join
    | Leave
    | AddComputer
    | RemoveComputer
    | Swap
    | Configure
    | Start
    | PlayMove
    | LayCard
    | NextRound
    | Cancel
    | Touch
)
