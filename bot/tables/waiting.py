"""How long a table still waits for what it waits for; after a restart, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot.engine.events import Claimed, Laid
from bot.store import LogEntry
from bot.tables.log.codec import decode
from bot.tables.log.events import Presence, PresenceChanged
from bot.tables.log.state import TableState
from bot.tables.pace import spread

LEAST_SECONDS: Final = 30.0
"""A wait that has no more than that left after a restart, or no more than half of a shorter one, begins anew."""


class Waiting:
    """A table's waiting. What an event begins is counted from the instant that the log has, so that a restart changes
    nothing; what begins anew later is counted from then.

    `restored`: a process before this one began it, and nothing has happened since; `starts_over`: it began anew, since
    it passed, or nearly, while no process was there.

    Args:
        now: the present instant.
        table_id: by this the tables that come back together are spread.
        restored: whether it has just come back.
        since: when what is waited for first began; None: when it is asked for.
    """

    __slots__ = ("_now", "_since", "_table_id", "restored", "starts_over")

    def __init__(self, now: Callable[[], datetime], table_id: int, *, restored: bool, since: datetime | None) -> None:
        self.starts_over = False
        self._now = now
        self._table_id = table_id
        self.restored = restored
        self._since = since

    def begin(self, at: datetime) -> None:
        """Something happened at the table, in this process."""
        self.restored = self.starts_over = False
        self._since = at

    def armed(self) -> None:
        """The table waits: whatever it is to wait for after this, without another event, begins then."""
        self._since = None

    def left(self, seconds: float) -> float:
        """How many of so many seconds are left; all of them, and a bit more, if that is next to none."""
        if self._since is not None:
            left = seconds - (self._now() - self._since).total_seconds()
            if min(LEAST_SECONDS, seconds / 2) < left <= seconds:
                return left
        self.starts_over = self.restored and seconds > 0
        return self.anew(seconds)

    def anew(self, seconds: float) -> float:
        """So many seconds from now on, a bit more where many tables have come back at once: nobody minds."""
        return seconds * (1 + spread(self._table_id)) if self.restored else seconds


def waiting_since(entries: Sequence[LogEntry], state: TableState) -> datetime:
    """When that began for which the table of a stored log waits now: in a match the turn, the pause after a round, the
    return of a player, or that all are away; in a lobby the latest change.

    The log doesn't tell how long a channel was shut: that counts here. Nor does it matter here that the first of all
    came back in a pause.

    Raises:
        CodecError: if a row can't be read.
    """
    turn = None if state.match is None else state.match.turn
    for entry in reversed(entries):
        match decode(entry.kind, entry.body):
            case Laid() | Claimed():
                pass
            case PresenceChanged(seat, presence) if state.anybody_here and (seat, presence) != (turn, Presence.HERE):
                pass
            case _:
                return entry.at
    return entries[0].at
