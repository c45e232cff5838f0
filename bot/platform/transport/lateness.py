"""The lateness of interactions, although Discord's clock and this machine's may differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from typing import Final

GIVEN_UP_SECONDS: Final = 3.0
"""Seconds after which Discord takes no answer. If an interaction seems that late, a clock has been set."""
_PERIOD: Final = 600.0


class Lateness:
    """A comparison of interactions with the least late of the last ten to twenty minutes, which counts as on time.

    Args:
        now: the present instant by this machine's clock.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._begun = now()
        self._least = self._before = math.inf

    def of(self, created_at: datetime) -> float:
        """Return how many seconds later than usual an interaction created at that time arrives; 0 if that isn't
        known."""
        now = self._now()
        behind = (now - created_at).total_seconds()
        if abs((now - self._begun).total_seconds()) >= _PERIOD:
            self._begun = now
            self._before = self._least
            self._least = math.inf
        self._least = min(self._least, behind)
        late = behind - min(self._least, self._before)
        return late if late < GIVEN_UP_SECONDS else 0.0
