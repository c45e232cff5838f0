"""Waits: times in which a clock stands still, and what keeps many waits from ending at the same moment."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

_GOLDEN: Final = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples modulo 2**64 are spread evenly, however many there are."""


class Breaks:
    """Times in which a clock stands still.

    Args:
        times: the beginning and the end of each, in seconds since 1970, in any order; they may overlap.
    """

    __slots__ = ("times",)

    def __init__(self, times: Iterable[tuple[float, float]] = ()) -> None:
        joined: list[tuple[float, float]] = []
        for begin, end in sorted(times):
            if joined and begin <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            elif begin < end:
                joined.append((begin, end))
        self.times: Final = tuple(joined)

    def running(self, since: datetime, now: datetime) -> float:
        """Count the seconds for which the clock has run between two moments."""
        first, last = since.timestamp(), now.timestamp()
        still = (max(0.0, min(end, last) - max(begin, first)) for begin, end in self.times)
        return (now - since).total_seconds() - sum(still)

    def after(self, since: datetime, seconds: float) -> datetime:
        """The moment at which the clock has run for this many seconds."""
        due = since.timestamp() + seconds
        late = 0.0
        for begin, end in self.times:
            if end > since.timestamp() and begin <= due + late:
                late += end - max(begin, since.timestamp())
        return since + timedelta(seconds=seconds + late)

    def next_change(self, now: datetime) -> datetime | None:
        """Tell when the clock next stops, or goes on."""
        later = [each for times in self.times for each in times if each > now.timestamp()]
        return datetime.fromtimestamp(min(later), UTC) if later else None


UNBROKEN: Final = Breaks()


def spread(number: int) -> float:
    """The fraction by which the wait of something with an id is extended, so that many don't act at the same moment.

    From 0 to a quarter, always the same for an id, and as different as possible for consecutive ids.
    """
    return (number - 1) * _GOLDEN % 2**64 / 2**66  # in whole numbers: a server's id is too large for a float
