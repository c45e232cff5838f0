"""The time that a table still has to wait, also after a restart."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from bot.tables.pace import spread

LEAST_SECONDS: Final = 30.0
"""A wait with no more than this left after a restart, or no more than half of a shorter wait, starts over."""


class CurrentWait:
    """A table's current wait.

    A wait that an event begins is measured from the event's time in the log, so that a restart changes nothing. A wait
    that starts over later is measured from then.

    `restored`: the table was brought back by a restart, and nothing has happened since. `starts_over`: the wait started
    over, because it ran out, or nearly, while the bot was down.

    Args:
        now: returns the current time.
        table_id: spreads out the tables that come back together.
        restored: whether the table has just been brought back.
        began_at: when the wait began; None if it begins when it is asked for.
    """

    __slots__ = ("_began_at", "_now", "_table_id", "restored", "starts_over")

    def __init__(
        self, now: Callable[[], datetime], table_id: int, *, restored: bool, began_at: datetime | None
    ) -> None:
        self.starts_over = False
        self._now = now
        self._table_id = table_id
        self.restored = restored
        self._began_at = began_at

    def begin(self, at: datetime) -> None:
        """Something happened at the table, in this process."""
        self.restored = self.starts_over = False
        self._began_at = at

    def armed(self) -> None:
        """Note that the alarm is set: if a wait is asked for later, without another event, it begins at that moment."""
        self._began_at = None

    def left(self, seconds: float) -> float:
        """Compute what is left of a wait of this many seconds. If that is next to nothing, the wait starts over in
        full."""
        if self._began_at is not None:
            left = seconds - (self._now() - self._began_at).total_seconds()
            if min(LEAST_SECONDS, seconds / 2) < left <= seconds:
                return left
        self.starts_over = self.restored and seconds > 0
        return self.full(seconds)

    def full(self, seconds: float) -> float:
        """A whole wait; after a restart a bit longer, so that tables that came back together don't act at once."""
        return seconds * (1 + spread(self._table_id)) if self.restored else seconds
