"""The bot's parts report about their work here, without knowing how it is measured."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Handled(StrEnum):
    """The end of an interaction's handling."""

    ANSWERED = "answered"
    DEFERRED = "deferred"
    """Answered, but so late that it had to be deferred first."""
    REFUSED = "refused"
    """The request couldn't be fulfilled, and the user was told why."""
    FAILED = "failed"
    """Something broke on the bot's side."""
    GONE = "gone"
    """Discord no longer knew the interaction or its message."""
    ELSEWHERE = "elsewhere"
    """Something other than this process had answered it."""


class Showing(StrEnum):
    """A change to a message that isn't the answer to a click on it."""

    POST = "post"
    """A table's message is posted."""
    EDIT = "edit"
    """A table's message is updated."""
    PING = "ping"
    """A player is pinged in a message of its own."""
    PANEL = "panel"
    """A player's private panel is updated."""


class PictureRefusal(StrEnum):
    """A part of a picture that Discord has refused, although it accepted the same message in another form."""

    KEPT = "kept"
    """A file that was to stay on an edited message; it was uploaded again, or left out."""
    EDIT = "edit"
    """A file uploaded with an edit; it was left out."""
    POST = "post"
    """A file uploaded with a new message; it was left out."""
    CHANNEL = "channel"
    """So many edits in a channel that its messages are edited without pictures for a while."""


class Thought(StrEnum):
    """The end of an attempt to think: for a move of the hard level, or for advice."""

    FULL = "full"
    REDUCED = "reduced"
    """Thought less than usual, because others were waiting."""
    BUSY = "busy"
    """Too many others were waiting. This and the following outcomes made a computer play at the normal level."""
    LATE = "late"
    """It took too long."""
    FAILED = "failed"
    """The process for it had ended, or couldn't be started."""


class Meter:
    """Takes reports of what happens, and ignores them. It never raises; no report names a person, a place or a card."""

    def handled(self, kind: str, command: str | None, outcome: Handled, seconds: float) -> None:
        """An interaction of some kind was handled; `command` is its name if it was a slash command."""

    def storing(self, events: int) -> AbstractContextManager[None]:
        """The block stores this number of events; an exception in it counts as a failure of the store."""
        return nullcontext()

    def showing(self, what: Showing) -> AbstractContextManager[None]:
        """The block changes a message; an exception in it counts as Discord's refusal or failure."""
        return nullcontext()

    def picture_refused(self, what: PictureRefusal) -> None:
        """Discord has refused a picture."""

    def thought(self, outcome: Thought, seconds: float) -> None:
        """A computer player of the hard level has thought for this many seconds, including its wait."""

    def advised(self, what: str, outcome: Thought, seconds: float) -> None:
        """Advice was sought: a "hint", or one step of a "day", "review" or "luck". A failure means there is none."""

    def prepared(self, days: int) -> None:
        """The number of days that have their position, out of today and the week after it."""


@dataclass(frozen=True, slots=True)
class Requests:
    """The state of the bot's requests to Discord.

    Attributes:
        waiting: how many are waiting for their turn.
        oldest: seconds that the oldest of those that update a table at play or post a message has waited.
        refused: how many Discord refused in the last ten minutes; too many, and it bans the bot's IP address.
        answers_only: whether so many were refused that only answers to clicks are sent for now.
    """

    waiting: int = 0
    oldest: float = 0.0
    refused: int = 0
    answers_only: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """A running bot's state, for its owner. Times are in seconds; None means not known, or not yet.

    Failures and logged errors are counted from the start.
    """

    version: str
    started_at: datetime
    latency: float | None
    """Heartbeat latency of the gateway; None while it isn't connected."""
    servers: int
    lobbies: int
    matches: int
    database_bytes: int | None
    last_append: float | None
    """The time that the store took to save the last events."""
    answers_failed: int
    store_failures: int
    showings_failed: int
    errors_logged: int
    requests: Requests = Requests()
    second_copy: bool = False
    """Whether another bot seems to run with the same token."""
