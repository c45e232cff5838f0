"""The topics of questions at a table, the faces that people show, and what becomes of slow turns."""

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


class Face(StrEnum):
    """A face that anybody can show at a table, without words. The value is stored, but in no log."""

    CLAP = "clap"
    GASP = "gasp"
    LAUGH = "laugh"


class Sign(StrEnum):
    """A sign that players could give up to 1.0, for somebody else's move. The value is stored in logs of then."""

    CLAP = "clap"
    GASP = "gasp"
    HUFF = "huff"
    LUCK = "luck"
    BROOM = "broom"


def latest_move(recent: Sequence[Fact]) -> TableMove | None:
    return next((fact for fact in reversed(recent) if isinstance(fact, TableMove)), None)
