"""What the parts of the bot report of their work, for whoever measures it; they don't know how it is measured."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Outcome(StrEnum):
    """How the handling of an interaction ended."""

    ANSWERED = "answered"
    DEFERRED = "deferred"
    """Answered, but it took so long that Discord had to be asked to wait."""
    REFUSED = "refused"
    """What was asked for couldn't be done, and the person was told why."""
    FAILED = "failed"
    """Something broke on our side."""
    GONE = "gone"
    """Discord no longer knew the interaction, or the message it was about."""


class Showing(StrEnum):
    """What is done to a message without anybody having clicked it."""

    POST = "post"
    """A table's message is posted."""
    EDIT = "edit"
    """A table's message is brought up to date."""
    PANEL = "panel"
    """A player's private panel is brought up to date."""


class Thought(StrEnum):
    """How it ended when a computer player of the hard level was to think."""

    FULL = "full"
    REDUCED = "reduced"
    """It thought less than usual, because others were waiting."""
    BUSY = "busy"
    """Too many were waiting. From here on a move of the normal level was played."""
    LATE = "late"
    """It took too long."""
    FAILED = "failed"
    """Its process had ended, or could not be started."""


class Meter(Protocol):
    """Is told what happens. It never raises, and nothing it is told names a person, a place or a card."""

    def handled(self, kind: str, command: str | None, outcome: Outcome, seconds: float) -> None:
        """An interaction was handled: a command (then its name), a click or whatever else Discord has."""
        ...

    def storing(self, events: int) -> AbstractContextManager[None]:
        """The block stores so many events; an exception in it is a failure of the store."""
        ...

    def showing(self, what: Showing) -> AbstractContextManager[None]:
        """The block changes a message; an exception in it is Discord's refusal or failure."""
        ...

    def thought(self, outcome: Thought, seconds: float) -> None:
        """A computer player of the hard level has thought, its wait included."""
        ...

    def advised(self, what: str, outcome: Thought, seconds: float) -> None:
        """A person was given advice, or none: a hint, or the judgement of a decision in a review."""
        ...


class Unmeasured:
    """Is told, and forgets."""

    def handled(self, kind: str, command: str | None, outcome: Outcome, seconds: float) -> None:
        """Nothing."""

    def storing(self, events: int) -> AbstractContextManager[None]:
        """Nothing."""
        return nullcontext()

    def showing(self, what: Showing) -> AbstractContextManager[None]:
        """Nothing."""
        return nullcontext()

    def thought(self, outcome: Thought, seconds: float) -> None:
        """Nothing."""

    def advised(self, what: str, outcome: Thought, seconds: float) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True)
class Requests:
    """How the bot's requests to Discord do.

    Attributes:
        waiting: how many wait for their turn.
        refused: how many were refused in the last ten minutes; for too many Discord bans the bot's address.
        answers_only: whether these are so many that nothing but answers to clicks is sent for now.
    """

    waiting: int = 0
    refused: int = 0
    answers_only: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """How a running bot is doing, for its owner. Times are in seconds; what isn't known (yet) is None.

    Failures, and errors in the log, count since the start.
    """

    version: str
    started_at: datetime
    latency: float | None
    """How long the gateway takes to answer a heartbeat; None while it isn't connected."""
    servers: int
    lobbies: int
    matches: int
    database_bytes: int | None
    last_append: float | None
    """How long the store took for the last events."""
    answers_failed: int
    store_failures: int
    showings_failed: int
    errors_logged: int
    requests: Requests = Requests()
