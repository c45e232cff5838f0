"""Notices a second copy of the bot: one that runs with the same token, but on another database.

Both copies get every click. One knows nothing of the game and says that it is over; the other is told by Discord
that the click has been answered before.
"""

import logging
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

log = logging.getLogger(__name__)

WHILE: Final = timedelta(minutes=10)
FEW: Final = 3
"""Interactions answered elsewhere within `WHILE` that can't be chance: Discord seldom delivers one twice."""


class SecondCopy:
    """A count of the interactions that were answered elsewhere. `now`: the present instant."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._times: deque[datetime] = deque()
        self._warned_at: datetime | None = None

    @property
    def is_likely(self) -> bool:
        """Whether another bot seems to run with the same token."""
        now = self._now()
        while self._times and self._times[0] + WHILE <= now:
            self._times.popleft()
        return len(self._times) >= FEW

    def noticed(self) -> None:
        """Record that something else has answered an interaction; warn at most once in `WHILE`."""
        self._times.append(now := self._now())
        if self.is_likely and (self._warned_at is None or self._warned_at + WHILE <= now):
            self._warned_at = now
            log.warning(
                "Another bot seems to run with this token, on another database: it has answered %s interactions in %d "
                "minutes. Stop one of them, or reset the token in the developer portal",
                len(self._times),
                WHILE.total_seconds() // 60,
            )
