"""The one place that decides which message of a channel is the table.

The bot notes the id of each message that it posts. After Discord has accepted a message and before its id is noted, the
bot may stop, or lose the store; then there is a message with buttons that it doesn't know. If a message is sent again,
Discord returns that one, because the nonce is the same; and when an unknown message is clicked, its id shows whether it
is newer than the known one. The newest is the table, because that is the one people see at the bottom of the channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from bot.tables.live.view import TableView
from bot.tables.log.events import Phase


class Role(Enum):
    """The role of a public message for its table."""

    TABLE = auto()
    """It is the table."""
    SCORE = auto()
    """It keeps the score of the round before."""
    OLDER = auto()
    """Another has replaced it: its buttons are gone, or about to go."""
    NEWER = auto()
    """It was posted, and never noted: it is the table from now on."""
    UNSETTLED = auto()
    """No message is known; or it is newer than the known one while another is being posted, which people may see before
    the bot gets its id."""


@dataclass(frozen=True, slots=True)
class PublicMessage:
    """A table's public message, as far as the bot knows.

    Attributes:
        id: None before one is posted.
        posted_at: when it was posted.
        page: what it shows: 0 in the lobby, then the number of a round; the result comes after the last round.
        scored_id: the message that keeps the score of the round before.
    """

    id: int | None = None
    posted_at: datetime | None = None
    page: int = 0
    scored_id: int | None = None

    @classmethod
    def recalled(
        cls,
        message_id: int | None,
        posted_at: datetime | None,
        rounds_dealt: Sequence[datetime],
        ended_at: datetime | None = None,
    ) -> PublicMessage:
        """After a restart: the message that was noted, which may have been replaced by one that wasn't.

        It belongs to the round that was being played when it was posted, or to the result if the match had ended by
        then; a lobby's message stays for the first round.
        """
        begun = [*rounds_dealt, *([] if ended_at is None else [ended_at])]
        page = max(1, sum(posted_at is not None and moment <= posted_at for moment in begun))
        return cls(message_id, posted_at, page)

    def role_of(self, message_id: int, *, posting: bool) -> Role:
        """Tell the role of a message that somebody has clicked. `posting`: another is being posted at this moment."""
        if message_id == self.id:
            return Role.TABLE
        if message_id == self.scored_id:
            return Role.SCORE
        if self.id is not None and message_id < self.id:
            return Role.OLDER
        return Role.UNSETTLED if posting or self.id is None else Role.NEWER

    def is_before_page_of(self, view: TableView) -> bool:
        """Whether the view is of a later round than the message, or of the result: the message keeps its own score."""
        return 0 < self.page < page_of(view)

    def showing(self, view: TableView) -> PublicMessage:
        """The same message once it shows a view: it belongs to that round, or to the result."""
        return replace(self, page=page_of(view))

    def moved(self, message_id: int | None, posted_at: datetime) -> PublicMessage:
        """The table's message once it is another one."""
        return replace(self, id=message_id, posted_at=posted_at)

    def keeping_score(self) -> PublicMessage:
        """The same message, which keeps its round's score when another replaces it."""
        return replace(self, scored_id=self.id)


def page_of(view: TableView) -> int:
    """Number the message of a match that shows a view: 0 for the lobby's, then one per round, and one for the result.

    A match of boards that others play too has one message: no trace of a round may stay before its result is opened.
    """
    if view.match is None:
        return 0
    if view.fixture is not None and view.fixture.boards:
        return 1
    return view.match.round_number + (view.phase is Phase.FINISHED)
