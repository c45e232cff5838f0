"""Questions to those who play: their topics, and the events of asking, answering, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.platform.people.person import Person


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
