"""Whether a channel takes a message of ours: what Discord's refusals mean, and when to try again."""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakSet

import discord

from bot.platform.clock import Clock, spread

log = logging.getLogger(__name__)

FIRST_WAIT: Final = 5.0
LONGEST_WAIT: Final = 300.0
MUTED_WAIT: Final = 3600.0
"""Seconds between two attempts where the bot may not write, unless something suggests sooner that it may again."""
PROBE_SECONDS: Final = 5.0
"""Seconds after a refused probe in which no other is made, however often people click."""
_MOST_DOUBLINGS: Final = 10


class Backoff:
    """The growing wait after each failure before another attempt: twice as long each time, or as long as Discord says.

    What fails at the same instant in many places, as in an outage, isn't tried again everywhere at the same instant.

    Args:
        number: the id of what is tried.
        first: seconds to wait after the first failure.
        longest: the most seconds to wait, unless Discord says more.
    """

    __slots__ = ("_failures", "_first", "_longest", "spread")

    def __init__(self, number: int, first: float = FIRST_WAIT, longest: float = LONGEST_WAIT) -> None:
        self.spread = spread(number)
        self._first = first
        self._longest = longest
        self._failures = 0

    def seconds_after(self, error: BaseException) -> float:
        """Count one more failure, and return the seconds to wait."""
        wait = min(self._first * 2 ** min(self._failures, _MOST_DOUBLINGS), self._longest)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, error.retry_after)
        self._failures += 1
        return wait * (1 + self.spread)

    def reset(self) -> None:
        """Begin with the first wait again: it has succeeded, or something else is tried."""
        self._failures = 0


class ChannelAccess:
    """Keeps track of whether a channel takes a message.

    Args:
        clock: says when to try again.
        name: names the message in the log, and in the clock's key.
        backoff: how long to wait before that.
        retry: shows the message again.
    """

    __slots__ = (
        "__weakref__",
        "_backoff",
        "_clock",
        "_key",
        "_refused_at",
        "_retry",
        "_retry_set",
        "_until",
        "muted",
        "probing",
        "refused_since",
        "shut",
    )

    def __init__(self, clock: Clock, name: str, backoff: Backoff, retry: Callable[[], None]) -> None:
        self._clock = clock
        self._key = ("show again", name)
        self._backoff = backoff
        self._retry = retry
        self._retry_set = False
        self._until: datetime | None = None
        """Before then nothing may be sent."""
        self._refused_at: datetime | None = None
        """The time when a probe was refused."""
        self.refused_since: datetime | None = None
        """When the channel first refused a message since it last took one."""
        self.shut = False
        """Whether there is no channel, so that nothing is tried."""
        self.muted = False
        """Whether the bot may not write there, as far as it knows."""
        self.probing = False
        """Whether it is trying out if it still may not."""

    @property
    def closed(self) -> bool:
        """Whether nothing may be sent now: the bot is muted there, or any attempt would come too early."""
        early = self._until is not None and self._clock.now() < self._until
        return self.shut or early or (self.muted and not self.probing)

    def probe(self) -> bool:
        """Allow one attempt to write where the bot is muted; False if another was refused a moment ago."""
        if self._refused_at is not None and (self._clock.now() - self._refused_at).total_seconds() < PROBE_SECONDS:
            return False
        self.probing = self.muted
        return True

    def note_refused(self) -> timedelta:
        """Note that the channel has refused a message; returns for how long it has refused all."""
        now = self._clock.now()
        if self.probing:
            self.probing, self._refused_at = False, now
        self.refused_since = self.refused_since or now
        return now - self.refused_since

    def recall(self, refused_since: datetime) -> None:
        """Note that the channel has refused messages before a restart, since then; see if it still does."""
        self.refused_since, self.muted, self.probing = refused_since, True, True

    def mute(self) -> None:
        """Note that the bot may not write there; it tries again later."""
        self.muted = True
        self._retry_in(MUTED_WAIT * (1 + self._backoff.spread), closed=False)

    def close(self) -> None:
        """Note that there is no channel."""
        self.shut = self.muted = True
        self._clock.cancel(self._key)

    def try_now(self) -> None:
        """Try again where the bot may not write: something suggests that it may."""
        if self.shut or not self.muted:
            return
        if self.probe():
            self._retry()
        else:
            self._retry_in(PROBE_SECONDS, closed=False)

    def open(self) -> None:
        """Note that the channel has taken a message, or that there is a reason to try at once."""
        self._backoff.reset()
        self._clock.cancel(self._key)
        self._retry_set = self.shut = self.muted = self.probing = False
        self._until = self._refused_at = self.refused_since = None

    def retry_after(self, error: BaseException) -> None:
        """Schedule the next attempt after one that has failed."""
        limited = isinstance(error, discord.RateLimited)
        if self._retry_set and not limited:
            return  # a change caused this attempt between two others: the next one stays when it was scheduled
        seconds = self._backoff.seconds_after(error)
        log.warning("%s could not be shown (%s); trying again in %.0f s", self._key[1], type(error).__name__, seconds)
        self._retry_in(seconds, closed=limited)

    def close_until(self, when: datetime) -> None:
        """Send nothing before that time, and show the message then."""
        self._retry_in((when - self._clock.now()).total_seconds(), closed=True)

    def _retry_in(self, seconds: float, *, closed: bool) -> None:
        if self.shut:
            return
        self._retry_set = True
        when = self._clock.after(self._key, seconds, self._try_again)
        self._until = when if closed else self._until

    async def _try_again(self) -> None:
        self._retry_set, self._until, self.probing = False, None, self.muted
        self._retry()


class RefusingChannels(defaultdict[int, WeakSet[ChannelAccess]]):
    """The messages whose channels refuse them, by server and by channel: they are tried again when something changes
    there."""

    def __init__(self) -> None:
        super().__init__(WeakSet)

    def look_again(self, place_id: int) -> None:
        """Try those of a server, or of a thread, which has changed; one that is refused again comes back."""
        for access in self.pop(place_id, ()):
            access.try_now()
