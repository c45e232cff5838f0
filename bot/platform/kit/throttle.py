"""Limits on how often a person, a channel or a server may do something: nobody takes time and room from others."""

import math
from collections import deque
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from cachetools import TTLCache

from bot.platform.refusals import Refusal, RefusalCode

_WINDOW: Final = timedelta(seconds=10)

BETWEEN_SHOWS: Final = timedelta(minutes=1)
"""Seconds that a channel is left alone after somebody has shown something to everybody there."""
TABLES: Final = 4
TABLES_WINDOW: Final = timedelta(minutes=5)
"""A person may open this many tables in this time; those that they open and end again still stay in the channel."""
CHALLENGES: Final = 2
CHALLENGES_WINDOW: Final = timedelta(minutes=10)
"""A person may challenge another one, or ask them to a tournament, this many times in this time: each mentions them.
Others may still do so: nobody can use up the challenges that somebody may get."""
SUGGESTIONS: Final = 30
"""Times in ten seconds that a person is offered something while they type; beyond that, nothing is read for them."""
ASKS: Final = 10
CALLS: Final = 2
ASKS_WINDOW: Final = timedelta(minutes=10)
"""An organiser may ask this many people to take part in tournaments in this time, and call people to check in this many
times: both mention them."""
BETWEEN_SEARCHES: Final = timedelta(minutes=10)
"""Seconds in which a server's role for players isn't mentioned again."""
REVIEWS: Final = 4
REVIEWS_WINDOW: Final = timedelta(minutes=10)
"""A person may begin this many reviews in this time, even if each is cancelled: all share the same processes."""

CHANGES: Final = 40
CHANGES_WINDOW: Final = timedelta(minutes=10)
"""A person may change lobbies and tournaments this many times in this time: each change is kept."""
EXPORTS_WINDOW: Final = timedelta(minutes=10)
"""Seconds until a server may have another file with its results, or a person one with their data."""


class Rate:
    """Allows something a number of times in a window of time, for each key: a person, two, a channel, or a server.

    Args:
        now: the present instant.
        most: that number; 0 allows any number.
        window: how long each time counts.
    """

    def __init__(self, now: Callable[[], datetime], most: int, window: timedelta) -> None:
        self._now = now
        self._most = most
        self._window = window
        self._times: TTLCache[Hashable, deque[datetime], datetime] = TTLCache(
            math.inf, window + timedelta.resolution, now
        )

    def __len__(self) -> int:
        """Count the remembered keys."""
        return len(self._times)

    def take(self, key: Hashable) -> bool:
        """Whether it may be done once more now; if so, it counts."""
        if not self._most:
            return True
        now = self._now()
        times = self._times.get(key) or deque[datetime](maxlen=self._most)
        if len(times) == self._most and now - times[0] <= self._window:
            return False
        times.append(now)
        self._times[key] = times  # kept for as long as it counts
        return True

    def give_back(self, key: Hashable) -> None:
        """Forget the latest time, which then doesn't count."""
        if times := self._times.get(key):
            times.pop()

    def take_or_refuse(self, key: Hashable, code: RefusalCode) -> None:
        """Count it if it may be done once more now.

        Raises:
            Refusal: with this code, if it may not.
        """
        if not self.take(key):
            raise Refusal(code)


class Verdict(Enum):
    """The fate of an interaction."""

    SERVED = auto()
    WARNED = auto()
    """It was one too many; the person is warned, at most once in a window."""
    IGNORED = auto()
    """It was one too many, and they have had their warning."""


class Throttle:
    """Allows each person a number of interactions in ten seconds, and fewer of those that cost others more.

    Attributes:
        shows: what a channel's people show to everybody there, by channel.
        tables: opening tables, by person; unlimited if interactions are.
        challenges: mentioning somebody in a challenge, by the person who does it and the one mentioned.
        suggestions: being offered something while typing, by person; unlimited if interactions are.
        asks: asking people to take part in a tournament, by organiser.
        calls: calling everybody who has signed up for a tournament to check in, by organiser.
        searches: mentioning a server's role for players, by server.
        reviews: beginning reviews, by person.
        changes: changes of lobbies and tournaments, by person, other than leaving; unlimited if interactions are.
        exports: files with a server's results, by server.
        own_data: files with a person's data, by person.

    Args:
        now: the present instant.
        most: how many interactions; 0 allows any number.
    """

    def __init__(self, now: Callable[[], datetime], most: int) -> None:
        self._served = Rate(now, most, _WINDOW)
        self._warned = Rate(now, 1, _WINDOW)
        self.shows = Rate(now, 1, BETWEEN_SHOWS)
        self.tables = Rate(now, TABLES if most else 0, TABLES_WINDOW)
        self.challenges = Rate(now, CHALLENGES, CHALLENGES_WINDOW)
        self.suggestions = Rate(now, SUGGESTIONS if most else 0, _WINDOW)
        self.asks = Rate(now, ASKS, ASKS_WINDOW)
        self.calls = Rate(now, CALLS, ASKS_WINDOW)
        self.searches = Rate(now, 1, BETWEEN_SEARCHES)
        self.reviews = Rate(now, REVIEWS, REVIEWS_WINDOW)
        self.changes = Rate(now, CHANGES if most else 0, CHANGES_WINDOW)
        self.exports = Rate(now, 1, EXPORTS_WINDOW)
        self.own_data = Rate(now, 1, EXPORTS_WINDOW)

    def judge(self, person_id: int) -> Verdict:
        """Whether the person may do one more thing now; if so, it counts."""
        if self._served.take(person_id):
            return Verdict.SERVED
        return Verdict.WARNED if self._warned.take(person_id) else Verdict.IGNORED
