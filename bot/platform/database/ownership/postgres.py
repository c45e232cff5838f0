"""Ownership of shards in PostgreSQL: advisory locks held by a dedicated session, and what happens when it ends."""

import asyncio
import logging
import math
import time
from typing import Final

import sqlalchemy as sa

from bot.platform.database import news
from bot.platform.database.base import Schema
from bot.platform.database.errors import Fault, StoreUnavailable, words_of
from bot.platform.database.locations import without_password
from bot.platform.database.news import News
from bot.platform.database.ownership.port import Held, NewsListener, Owner, Ready, never, never_ready
from bot.platform.database.ownership.session import SESSION_ERRORS, Session, Taken
from bot.platform.database.upgrade import newest
from bot.platform.shards import Shards

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 0.5
"""Pause between attempts to take shards from another process, or to reach a server that is away."""
NEAR_SECONDS: Final = 0.1
"""Pause between checks of whether the shards are free, by a process that is ready to serve them."""
LOOK_SECONDS: Final = 5.0
"""Longest time that such a process only checks, before it tries to take the shards in any case."""
PING_SECONDS: Final = 1.0
SURE_SECONDS: Final = 2.0
"""Time for which the server's answer is good: a process that was stopped for longer asks again before it writes."""
STOPPED_SECONDS: Final = 3.0
"""A process that didn't run for this long was stopped: Discord no longer accepts an answer to any click that it had
received, and another process may have its shards."""
DOUBT_SECONDS: Final = 120.0
"""Time that a process whose session ended tries to take its shards again, and asks people to try again in a moment."""
WRITE_SECONDS: Final = 4.0
"""Longest wait of a write while it is unknown whether the shards are still held."""
PLACE_SECONDS: Final = 2.0
"""Longest wait for another process to let go of a person's place. It hears of that within a second."""
IDENTIFY_SECONDS = 5.25
"""Time between two sessions of a bucket: Discord's five seconds, and a margin for the network."""


class PostgresOwner(Owner):
    """An owner of its shards while its session holds the locks.

    Processes with the same number of shards share a lock on that number, and each shard has a lock of its own. A
    process that owns all shards, however many there are (`shards` is None), shares with nobody. A process that takes
    shards leaves a mark with each, and removes all marks of every process that had any of them: a process commits
    nothing without its own mark (see `PostgresDatabase`). If its session has ended, because the server was restarted
    for example, and it has the locks again, the marks tell whether another process had the shards since. If none
    had them, it continues; otherwise it has lost them for good.
    """

    waits_for_turns = True

    def __init__(self, url: sa.URL, schema: Schema, shards: Shards | None) -> None:
        self._session = Session(url, newest(schema), shards, self._notified)
        self.mark, self._what = self._session.mark, self._session.what
        self._name = without_password(url)
        self._sure_at = -math.inf
        """The latest time when the shards were certainly held."""
        self._ran_at = time.monotonic()
        self._woke_at = -math.inf
        """The time when it was noticed last that this process had been stopped."""
        self._heard: NewsListener = _ignore_news
        self._told = ""
        """The reason for waiting that was logged last."""
        self._watching: asyncio.Task[None] | None = None
        self._noticing: asyncio.Task[None] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        """Set while it is known whether the shards are held, or are another process's."""
        self._lost = asyncio.Event()
        self._closed = False
        self._state = Held.NO

    @property
    def held(self) -> Held:  # pyright: ignore[reportIncompatibleVariableOverride] - time changes it, too
        if self._is_certain or self._state not in (Held.YES, Held.DOUBTFUL):
            return self._state
        return Held.LOST if self._was_stopped() else Held.DOUBTFUL

    @property
    def _is_certain(self) -> bool:
        return self._state is Held.YES and time.monotonic() - self._sure_at < SURE_SECONDS

    def _was_stopped(self) -> bool:
        """Whether this process was stopped for long since the shards were certainly held."""
        now = time.monotonic()
        if now - self._ran_at >= STOPPED_SECONDS:
            self._woke_at = now
        self._ran_at = now
        return self._sure_at < self._woke_at

    async def take(self, heard: NewsListener) -> bool:
        self._heard = heard
        self._ran_at = asked_at = time.monotonic()
        try:
            why = await self._session.take(first=True)
        except SESSION_ERRORS as error:
            await self._session.hang_up()
            why = f"The database {self._name} doesn't answer ({words_of(error)})"
        if why is not None:
            if why != self._told:
                log.warning("%s: waiting for %s", why, self._what)
            self._told = why
            self._state = Held.WAITING
            self._settled.set()
            return False
        log.info("This process now holds %s", self._what)
        self._hold(asked_at)
        self._watching = asyncio.create_task(self._watch())
        self._noticing = asyncio.create_task(self._notice_stops())
        return True

    async def acquire(self, heard: NewsListener, *, ready: Ready = never_ready) -> None:
        while self._state is not Held.YES:
            if self._closed:
                await never()
            if not await self.take(heard):
                await self._look(ready)

    async def _look(self, ready: Ready) -> None:
        """Wait for a moment, or if this process is `ready`, until the shards may be free."""
        if not ready():
            self._session.ready = False
            await asyncio.sleep(AGAIN_SECONDS)
        elif not self._session.ready:
            self._session.ready = True  # the next attempt finds the process that has the shards
            log.info("Ready to take %s", self._what)
        else:
            end = time.monotonic() + LOOK_SECONDS
            try:
                busy = True
                while busy and ready() and time.monotonic() < end:
                    await asyncio.sleep(NEAR_SECONDS)
                    busy = await self._session.is_busy()
            except SESSION_ERRORS:
                await asyncio.sleep(AGAIN_SECONDS)

    async def has_successor(self) -> bool:
        """Whether another process is ready to take exactly these shards."""
        try:
            return self.held is Held.YES and await self._session.has_successor()
        except SESSION_ERRORS:
            return False

    async def confirm(self) -> None:
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                while not self._is_certain and self._state in (Held.YES, Held.DOUBTFUL):
                    await (self._ask() if self._state is Held.YES else self._settled.wait())
        except TimeoutError:
            raise StoreUnavailable(Fault.UNAVAILABLE, f"{self._name} doesn't say who has {self._what}") from None
        if self._state is not Held.YES:
            raise StoreUnavailable(Fault.CLOSED, f"this process no longer has {self._what} of {self._name}")

    async def lost(self) -> None:
        await self._lost.wait()

    async def turn(self, bucket: int, *, starts_now: bool = False) -> None:
        """Wait until nobody has begun a session of this bucket for five seconds.

        The time is stored in a row rather than held by a lock: a session of a process that has died counts, too.
        """
        while True:
            await self._settled.wait()
            if self._lost.is_set():
                await never()  # this process is ending, so it begins no session
            try:
                if await self._session.turn(bucket, 0 if starts_now else IDENTIFY_SECONDS):
                    return
            except SESSION_ERRORS as error:
                self._doubt(error)
            await asyncio.sleep(AGAIN_SECONDS / 2)

    async def take_place(self, person_id: int) -> bool:
        end = time.monotonic() + PLACE_SECONDS
        try:
            while not await self._session.take_place(person_id):
                if time.monotonic() >= end:
                    return False
                await asyncio.sleep(NEAR_SECONDS)
        except SESSION_ERRORS as error:
            raise StoreUnavailable(Fault.UNAVAILABLE, f"{self._name} doesn't say whose people these are") from error
        return True

    def has_place(self, person_id: int) -> bool:
        return self._session.has_place(person_id)

    async def leave_place(self, person_id: int) -> None:
        """Let go of a person's place. Where the session has ended, it has let go of all of them."""
        try:
            await self._session.leave_place(person_id)
        except SESSION_ERRORS as error:
            self._doubt(error)

    async def close(self) -> None:
        """Release the shards by ending the session."""
        self._closed = True
        if self._state is not Held.LOST:
            self._state = Held.NO
        await self._session.close()  # first, as cancelling a question would take until the server agrees
        if tasks := [task for task in (self._watching, self._noticing) if task is not None]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    # ------------------------------------------------------------------------------ watching

    async def _watch(self) -> None:
        """Ping the server regularly: it shows both sides that the other is alive, and brings notifications."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._state is Held.YES:
                await self._ask()
            if self._state is Held.DOUBTFUL and not await self._retaken():
                self._state = Held.LOST
                self._settled.set()
                self._lost.set()
                return

    async def _notice_stops(self) -> None:
        while True:
            self._was_stopped()
            await asyncio.sleep(PING_SECONDS)

    async def _ask(self) -> None:
        """Ask the server for a sign of life, unless a question is under way, and wait for the answer."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ping())
        await asyncio.wait([self._asking])

    async def _ping(self) -> None:
        asked_at = time.monotonic()
        try:
            await self._session.ping()
        except SESSION_ERRORS as error:
            self._doubt(error)
        else:
            self._sure_at = max(self._sure_at, asked_at)

    def _doubt(self, error: Exception) -> None:
        if self._state is Held.YES:
            text = "The session that holds %s has ended (%s): nothing is written until it is resumed"
            log.warning(text, self._what, words_of(error))
            self._state = Held.DOUBTFUL
            self._settled.clear()

    def _hold(self, asked_at: float) -> None:
        self._sure_at = asked_at
        self._state = Held.YES
        self._settled.set()

    async def _retaken(self) -> bool:
        """Whether the shards could be taken again, and no other process had them in between."""
        end = time.monotonic() + DOUBT_SECONDS
        why: str | None = f"The database {self._name} doesn't answer"
        while time.monotonic() < end:
            await self._session.hang_up()
            asked_at = time.monotonic()
            try:
                why = await self._session.take(first=False)
            except Taken:
                log.error("Another process has had the shards in the meantime: this one has lost %s", self._what)
                return False
            except StoreUnavailable as error:
                log.error("This process has lost %s: %s", self._what, error)
                return False
            except SESSION_ERRORS as error:
                why = f"The database {self._name} doesn't answer ({words_of(error)})"
            if why is not None:  # perhaps only because the server hasn't noticed yet that the last session ended
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            log.warning("The session that holds %s is back; no other process had them", self._what)
            self._hold(asked_at)
            for what in News:  # notifications were missed in the meantime
                self._heard(what, 0)
            return True
        log.error("%s: this process has lost %s", why, self._what)
        return False

    def _notified(self, text: str) -> None:
        told = news.parse(text)
        if told is not None and self._state is not Held.WAITING:  # which looks everything up when it takes over
            self._heard(*told)


def _ignore_news(what: News, about: int) -> None:
    """Ignore the news that comes before `take` sets a listener."""
