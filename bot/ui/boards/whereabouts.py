"""Which message of a channel is the table: the one place where that is decided.

The bot notes the id of each message that it posts. Between Discord's taking a message and the note of its id the bot
may end, or lose the store; then there is a message with buttons that it doesn't know. Two things make up for that. A
message is sent under a nonce made of the one it replaces, so that Discord gives back the unknown message to whoever
sends it again; and a click on an unknown message tells by its id whether it is newer than the known one. The newest is
the table, because people see that at the bottom of the channel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from bot.tables.view import TableView

MESSAGE_LIFE: Final = timedelta(minutes=50)
"""Discord throttles edits of messages over an hour old; a table is posted afresh before that."""


class Which(Enum):
    """What a public message is to its table."""

    TABLE = auto()
    """It is the table."""
    SCORE = auto()
    """It keeps the score of the round before."""
    OLDER = auto()
    """Another has taken its place: it has no buttons any more, or is to lose them."""
    NEWER = auto()
    """It was posted, and never noted: it is the table from now on."""
    UNSETTLED = auto()
    """It is newer than the known one, and a message is being posted at this moment, which people may see before the
    bot hears of it; or none is known at all."""


class Whereabouts:
    """Where a table's public message is.

    `round` is the round that it belongs to, 0 in the lobby, and `scored_id` the message that keeps the score of the one
    before.
    """

    __slots__ = ("_posting", "_table_id", "_tried", "message_id", "posted_at", "round", "scored_id")

    def __init__(self, table_id: int) -> None:
        self._table_id = table_id
        self.message_id: int | None = None
        self.posted_at: datetime | None = None
        self.round = 0
        self.scored_id: int | None = None
        self._tried: str | None = None
        self._posting = False

    def recall(self, message_id: int | None, posted_at: datetime | None, rounds_dealt: Sequence[datetime]) -> None:
        """After a restart: the message that was noted, which one that nobody noted may have replaced.

        It belongs to the round that was being played when it was posted; a lobby's message stays for the first one.
        """
        self.message_id, self.posted_at = message_id, posted_at
        self.round = max(1, sum(posted_at is not None and dealt <= posted_at for dealt in rounds_dealt))
        self._tried = self.nonce

    def which(self, message_id: int) -> Which:
        """What a message that somebody has clicked is."""
        if message_id == self.message_id:
            return Which.TABLE
        if message_id == self.scored_id:
            return Which.SCORE
        if self.message_id is not None and message_id < self.message_id:
            return Which.OLDER
        return Which.UNSETTLED if self._posting or self.message_id is None else Which.NEWER

    def begins_round(self, view: TableView) -> bool:
        """Whether `view` is of a later round than the message, which keeps its own score."""
        match = view.match
        return match is not None and 0 < self.round < match.round_number

    def is_old(self, now: datetime) -> bool:
        """Whether the message is to be replaced before Discord throttles its edits."""
        return self.posted_at is not None and now - self.posted_at > MESSAGE_LIFE

    @property
    def nonce(self) -> str:
        """By this Discord knows a message that replaces the present one, however often and by whichever process it is
        sent: at most 25 characters."""
        return f"t{self._table_id}" if self.message_id is None else f"m{self.message_id}"

    def tries_again(self) -> bool:
        """Whether what is about to be sent was sent before: Discord may give back what it made then, as it was."""
        tried, self._tried = self._tried, self.nonce
        return tried == self._tried

    @contextmanager
    def posting(self) -> Generator[None]:
        """In this block a message is sent."""
        self._posting = True
        try:
            yield
        finally:
            self._posting = False

    def moved(self, message_id: int | None, posted_at: datetime) -> None:
        """The table is another message from now on."""
        self.message_id, self.posted_at = message_id, posted_at

    def leaves_score(self) -> None:
        """The present message keeps its round's score, and another will be the table."""
        # Said before the other is posted, lest a late click on this one pass for one on a message that was forgotten.
        self.scored_id = self.message_id

    def shows(self, view: TableView) -> None:
        """The message shows `view` from now on."""
        self.round = 0 if view.match is None else view.match.round_number
