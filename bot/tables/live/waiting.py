"""The alarm of a table, and the time that doesn't count for it."""

import asyncio
import json
import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Final

from bot.platform.clock import Breaks, Callback, Clock, spread
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.language.quiet import Quiet
from bot.platform.outside import read_json
from bot.tables.log.pace import DAY

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
"""Seconds until a table is armed again after something failed (the store refused, say)."""


class Alarm:
    """A table's entry on the clock. Setting it replaces the previous setting.

    `situation` identifies what the table was waiting for when the alarm was set. `failed`: what it was set for couldn't
    be done, so the table has to set it again.

    Args:
        clock: the scheduler of all deadlines.
        table_id: the table's number, by which logs name it.
        lock: held during callbacks.
        rearm: called a while after a callback has failed.
        key: its key on the clock, if the table has another alarm besides; the table's number by default.
    """

    __slots__ = ("_clock", "_current", "_key", "_lock", "_rearm", "_table_id", "closed", "failed", "situation")

    def __init__(self, clock: Clock, table_id: int, lock: asyncio.Lock, rearm: Callback, key: Hashable = None) -> None:
        self.situation: object = None
        self.failed = False
        self._clock = clock
        self._table_id = table_id
        self._key = table_id if key is None else key
        self._lock = lock
        self._rearm = rearm
        self._current: Callback | None = None
        self.closed = False

    def set(
        self, seconds: float, callback: Callback, *, first: Callback | None = None, lasts: bool = False
    ) -> datetime:
        """Call back in this many seconds; returns the time of the call.

        A call that is still waiting for the lock when somebody's click sets the alarm to something else is dropped.

        Args:
            seconds: from now.
            callback: called with the lock held.
            first: called before `callback` and without the lock, so that others can use the table meanwhile.
            lasts: whether this is a duration, at the end of which nobody loses anything (see `Clock`).
        """

        async def ring() -> None:
            if first is not None and self._current is ring:
                await self._attempt(first)
            async with self._lock:
                if self._current is ring:
                    await self._attempt(callback)

        when = self._clock.now() + timedelta(seconds=seconds)
        self.failed = False
        if not self.closed:
            self._current = ring
            self._clock.schedule(self._key, when, ring, lasts=lasts)
        return when

    async def _attempt(self, callback: Callback) -> None:
        try:
            await callback()
        except Exception:
            log.exception("Table %s: a scheduled action failed", self._table_id)
            self.retry_later()

    def unset(self) -> None:
        self._current = None
        self._clock.cancel(self._key)

    def retry_later(self) -> None:
        """Arm the table again in a while."""
        self.set(RETRY_SECONDS, self._rearm, lasts=True)
        self.failed = True

    def close(self) -> None:
        """Ignore all further settings; a callback that is running is left to finish."""
        self.closed = True
        self.unset()


UNSEEN_KEY: Final = "unseen:"
"""The key under which a table's times without a message are noted, followed by its id."""
LONGEST: Final = 14 * DAY
"""Seconds that a turn waits for somebody who may not know of it; then a computer plays on for them."""

LEAST_SECONDS: Final = 30.0
"""The least that is left of a wait after an outage, or half of a shorter wait: people need the time to answer."""
LEAST_OF_DAYS: Final = 2 * 60 * 60.0
"""The same for waits of a day or more."""


class CurrentWait:
    """A table's current wait.

    A wait that an event begins is measured from the event's time in the log, so that a restart changes nothing: an
    outage prolongs it by its own length. Other waits are measured from when they are asked for. `since` is when the
    latest wait that was asked for began.

    `restored`: the table was brought back by a restart, and nothing has happened since.

    Args:
        now: returns the current time.
        table_id: spreads out the tables that come back together.
        restored: whether the table has just been brought back.
        began_at: when the wait began; None if it begins when it is asked for.
    """

    __slots__ = ("_began_at", "_granted", "_now", "_table_id", "restored", "since")

    def __init__(
        self, now: Callable[[], datetime], table_id: int, *, restored: bool, began_at: datetime | None
    ) -> None:
        self._now = now
        self._table_id = table_id
        self.restored = restored
        self._began_at = began_at
        self._granted: datetime | None = None
        """The end of the time that was granted, because the wait was over before anything could be done."""
        self.since = began_at or now()

    def begin(self, at: datetime) -> None:
        """Something happened at the table, in this process."""
        self.restored = False
        self._began_at = at

    def armed(self) -> None:
        """Note that the alarm is set: if a wait is asked for later, without another event, it begins at that moment."""
        self._began_at = None

    def left(
        self,
        seconds: float,
        breaks: Breaks,
        outages: Breaks,
        *,
        same: bool = False,
        failed: bool = False,
        quiet: Quiet | None = None,
    ) -> float:
        """Compute how long the clock has yet to run in a wait of this many seconds.

        Args:
            seconds: the whole wait.
            breaks: when its clock stands still, which includes all outages.
            outages: when nobody could do anything.
            same: it is the wait that was asked for last.
            failed: what was to be done at its end couldn't be done; so it can't be over yet.
            quiet: hours in which its person isn't told, so that they don't count as time to answer after an outage.
        """
        now = self._now()
        if not same:
            self.since, self._granted = self._began_at or now, None
        self.since = min(self.since, now)  # that time may come from a clock that was ahead
        due = self.due(self.since, seconds, breaks, outages, quiet)
        due = max(due, self._granted or due)
        needed = min(LEAST_SECONDS, seconds / 2) if self.restored else 0.0
        if (self.restored or failed) and (due - now).total_seconds() <= needed:
            due = self._granted = self._answerable(now, seconds, breaks, quiet)
        return max(0.0, breaks.running(now, due))

    def due(
        self, since: datetime, seconds: float, breaks: Breaks, outages: Breaks, quiet: Quiet | None = None
    ) -> datetime:
        """Compute when a wait is over; after each outage in it, there is enough time left to answer."""
        due = breaks.after(since, seconds)
        for begin, end in outages.times:
            if since.timestamp() < end and begin <= due.timestamp():
                due = max(due, self._answerable(datetime.fromtimestamp(end, UTC), seconds, breaks, quiet))
        return due

    def prolonged(self, until: int, seconds: float, outages: Breaks) -> int:
        """The end of a wait of so many seconds that was to last until a time, with the outages since it began."""
        if not outages.times or outages.times[-1][1] < until - seconds:
            return until
        return int(self.due(datetime.fromtimestamp(until - seconds, UTC), seconds, outages, outages).timestamp())

    def _answerable(self, since: datetime, seconds: float, breaks: Breaks, quiet: Quiet | None) -> datetime:
        """The time until which people can answer after an outage, in a wait of so many seconds."""
        least = LEAST_OF_DAYS if seconds >= DAY else min(LEAST_SECONDS, seconds / 2)
        least *= 1 + spread(self._table_id)  # so that tables whose time ran out together don't act at once
        return breaks.after(since, least) if quiet is None else quiet.awake(since, least, breaks)

    def full(self, seconds: float) -> float:
        """A whole wait; after a restart a bit longer, so that tables that came back together don't act at once."""
        return seconds * (1 + spread(self._table_id)) if self.restored else seconds


@dataclass(slots=True)
class _Absence:
    """One such time, in seconds since 1970. `heard`: since when people know that the match goes on elsewhere."""

    begin: float
    end: float = inf
    heard: dict[int, float] = field(default_factory=dict[int, float])


class Unseen:
    """Keeps the time of a turn from running out while its player may not know of it.

    Nobody is to lose by a channel that was closed, or to win by closing one. So while a table's channel takes no
    message, a turn's clock runs only for a player who was told since, or has pressed something; for others it waits.
    """

    __slots__ = ("_absences",)

    def __init__(self) -> None:
        self._absences: list[_Absence] = []

    @property
    def since(self) -> datetime | None:
        """When the channel began to refuse messages; None if it takes them."""
        latest = self._absences[-1] if self._absences else None
        return None if latest is None or latest.end < inf else datetime.fromtimestamp(latest.begin, UTC)

    def begin(self, at: datetime) -> None:
        self._absences.append(_Absence(at.timestamp()))

    def end(self, at: datetime, turn_began_at: datetime) -> None:
        """Note that the channel takes messages again; what ended before this turn is forgotten."""
        self._absences[-1].end = at.timestamp()
        self._absences = [absence for absence in self._absences if absence.end > turn_began_at.timestamp()]

    def note_heard(self, person_id: int, at: datetime) -> bool:
        """Note that somebody knows where the match goes on; returns whether that is news."""
        if self.since is None or person_id in self._absences[-1].heard:
            return False
        self._absences[-1].heard[person_id] = at.timestamp()
        return True

    def waits_for(self, person_id: int | None) -> bool:
        """Whether a turn of this player waits until they know of it."""
        return self.since is not None and person_id not in self._absences[-1].heard

    def breaks(self, person_id: int | None, turn_began_at: datetime) -> list[tuple[float, float]]:
        """List the times in which the clock of a player's turn stands still; none for a computer."""
        found: list[tuple[float, float]] = []
        if person_id is None:
            return found
        for absence in self._absences:
            begin = max(absence.begin, turn_began_at.timestamp())
            end = min(absence.end, begin + LONGEST, absence.heard.get(person_id, inf))
            if begin < end:
                found.append((begin, end))
        return found

    def noted(self) -> str | None:
        """The times as a text for the store, if there are any; nobody is named."""
        times = [[absence.begin, None if absence.end == inf else absence.end] for absence in self._absences]
        return json.dumps(times) if times else None

    def recall(self, text: str) -> None:
        """Take over the times that a stopped bot has noted; a damaged text says nothing."""
        try:
            self._absences = [
                _Absence(float(begin), inf if end is None else float(end)) for begin, end in read_json(text)
            ]
        except (ValueError, TypeError, OverflowError):
            self._absences = []


_AWAY_KEY: Final = "away:"
"""The key under which the times without the bot on a server are noted, followed by its id."""
KEPT: Final = timedelta(days=60)
"""The time for which such a time is kept: longer than anything that was begun before it waits."""


def away_key(guild_id: int) -> str:
    """The store's key for the times in which the bot wasn't in a server."""
    return f"{_AWAY_KEY}{guild_id}"


class AwayTimes:
    """The times in which the bot wasn't on a server, by server, each in seconds since 1970, and noted in the store."""

    def __init__(self, values: KeyValues, now: Callable[[], datetime]) -> None:
        self._values = values
        self._now = now
        self._times: dict[int, list[tuple[float, float]]] = {}

    async def load(self) -> None:
        """Read what is noted. Raises StoreError if it can't be read."""
        for guild_id, text in (await self._values.of(_AWAY_KEY)).items():
            try:
                self._times[int(guild_id)] = [(float(left), float(back)) for left, back in read_json(text)]
            except (ValueError, TypeError):
                log.warning("The times in which the bot wasn't in server %s can't be read", guild_id)

    def of(self, guild_id: int | None) -> Sequence[tuple[float, float]]:
        return self._times.get(guild_id or 0, ())

    async def note(self, guild_id: int, left_at: datetime) -> None:
        """Note that the bot has come back to a server now."""
        now = self._now().timestamp()
        kept = [away for away in self.of(guild_id) if away[1] > now - KEPT.total_seconds()]
        self._times[guild_id] = [*kept, (left_at.timestamp(), now)]
        try:
            await self._values.set(away_key(guild_id), json.dumps(self._times[guild_id]))
        except StoreError as error:
            log.warning("How long the bot was away from a server could not be noted: %s", error)

    def drop(self, guild_id: int) -> None:
        """Forget a server, whose data is deleted."""
        self._times.pop(guild_id, None)
