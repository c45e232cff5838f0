"""The topics of questions at a table, the signs that people give, and what becomes of slow turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, Fact
from bot.platform.people import Person


class Topic(StrEnum):
    """The subject of a question to those who play."""

    END = "end"
    """Whether a rated match is to end without a result."""
    PAUSE = "pause"
    """Whether the clocks of a slow match are to stand still for some days."""
    SEAT = "seat"
    """Whether somebody may take the seat of a person who has left a friendly match."""


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question to the people who play, by the player of a seat; if it is about that seat, by somebody else.

    `until`: when they must have answered, in seconds since 1970. `days`: how long a pause is to be. `by`: the person
    who would take the seat.
    """

    seat: int
    until: int
    topic: Topic = Topic.END
    days: int = 0
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The player of a seat agrees, or doesn't."""

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class QuestionLapsed:
    """The open question wasn't answered in time, or its asker has taken it back."""


@dataclass(frozen=True, slots=True)
class DaySpent:
    """A person let the deadline of a slow turn pass, and a day of their holidays was spent for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Nudged:
    """The player of a seat had the current player of a slow match told that others wait."""

    seat: int


@dataclass(frozen=True, slots=True)
class Paused:
    """The clocks stand still, as the player of a seat has asked. Both times are in seconds since 1970."""

    seat: int
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """The player of a seat ends the pause early, at this time in seconds since 1970."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A person plays on in the seat of somebody who has left the match, or has been away for long."""

    seat: int
    person: Person


TableMove = CardPlayed | CaptureClaimed | CantosSung


class Sign(StrEnum):
    """A sign that can be given without words. The value is stored."""

    CLAP = "clap"
    GASP = "gasp"
    HUFF = "huff"
    LUCK = "luck"
    BROOM = "broom"


@dataclass(frozen=True, slots=True)
class Reaction:
    """The sign that the player of `seat` gave for a move."""

    to: TableMove
    seat: int
    sign: Sign


def latest_move(recent: Sequence[Fact]) -> TableMove | None:
    return next((fact for fact in reversed(recent) if isinstance(fact, TableMove)), None)


def reactable(recent: Sequence[Fact], reactions: Sequence[Reaction], seat: int) -> TableMove | None:
    """The latest move, unless it is this seat's own or it has reacted to it; None if there is no such move."""
    latest = latest_move(recent)
    if latest is None or latest.seat == seat or any(each.to == latest and each.seat == seat for each in reactions):
        return None
    return latest
