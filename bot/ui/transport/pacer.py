"""One budget of requests for the whole process: which may be sent when, and what happens near a ban.

Discord takes 50 requests a second of a bot, five edits of a channel's messages in five seconds, and bans the address
of a bot that it has to refuse too often. Answers to interactions and edits through their tokens count only towards the
last of these, and never wait here.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.operating.meter import Requests

log = logging.getLogger(__name__)

_REFUSALS: Final = frozenset({401, 403, 429})
"""The answers that count towards a ban of the address."""
_TOO_MANY_REQUESTS: Final = 429
_MANY_CHANNELS: Final = 1_000
_UNCOUNTED: Final = ("/interactions/", "/webhooks/")
"""Parts of the paths of requests that answer interactions."""


class Priority(IntEnum):
    """Which request goes first: the lowest number."""

    LIVE = 0
    """A table where people play is brought up to date."""
    POST = 1
    """A message is posted."""
    RESTORED = 2
    """A table is shown after a restart; nothing has happened there since."""
    LEFT_BEHIND = 3
    """A message that another has replaced, or that nobody needs any more, is edited or deleted."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many requests a process may send.

    Attributes:
        per_second: requests that count towards Discord's limit for all of a bot's; 0: any number.
        saved: how many unused turns may be used at once later. Few, because requests that aren't paced, of the login
            and the commands, share Discord's limit.
        gap: seconds between two edits in a channel.
        ban: the number of refusals in `window` seconds for which Discord bans an address.
    """

    per_second: float = 45.0
    saved: int = 2
    gap: float = 1.1
    ban: int = 10_000
    window: float = 600.0


NO_LIMIT: Final = Budget(per_second=0.0, gap=0.0)
"""Every turn comes at once: for a Discord that counts nothing."""


@dataclass(order=True, slots=True)
class _Waiting:
    priority: Priority
    number: int
    channel_id: int | None = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class Ticket:
    """A turn to send one request; a further request on the same ticket waits for another turn.

    Args:
        another: waits for another turn of the same kind.
    """

    __slots__ = ("_another", "used")

    def __init__(self, another: Callable[[], Awaitable[None]]) -> None:
        self._another = another
        self.used = False

    async def use(self) -> None:
        """Take the turn: a request is sent next."""
        if self.used:
            await self._another()
        self.used = True


class Pacer:
    """Gives out turns to send a request: by priority, and first come, first served within one.

    Args:
        budget: how many turns there are.
        now: seconds since some fixed moment.
    """

    def __init__(self, budget: Budget, now: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._now = now
        self._saved = float(budget.saved)
        self._counted_at = now()
        self._numbers = count()
        self._waiting: list[_Waiting] = []
        self._resting: list[tuple[float, _Waiting]] = []
        """Requests whose channel was edited just now, by when it may be edited again."""
        self._edited: dict[int, float] = {}
        self._under_way = 0
        self._ended: deque[float] = deque()
        """When the counting requests of the last second ended, paced or not."""
        self._refusals: deque[float] = deque()
        self._answers_only = False
        self._timer: asyncio.TimerHandle | None = None

    # -------------------------------------------------------------------- turns

    @asynccontextmanager
    async def turn(self, priority: Priority, channel_id: int | None = None) -> AsyncGenerator[Ticket]:
        """Wait until a request may be sent, and send it in this block; a ticket that isn't used is given back.

        `channel_id`: the request edits a message of that channel.
        """
        await self._wait(priority, channel_id)
        ticket = Ticket(partial(self._wait, priority, channel_id))
        try:
            yield ticket
        finally:
            if not ticket.used:
                self._give_back(channel_id)

    async def _wait(self, priority: Priority, channel_id: int | None) -> None:
        self._recover()
        if not (self._waiting or self._answers_only) and self._rest(channel_id) <= 0 and self._take(channel_id):
            return
        waiting = _Waiting(priority, next(self._numbers), channel_id, asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, waiting)
        self._go_on()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled():
                self._give_back(channel_id)
            raise

    def _give_back(self, channel_id: int | None) -> None:
        """There was nothing to send after all: the turn is the next one's."""
        if channel_id is not None:
            self._edited.pop(channel_id, None)  # when the turn came, the edit before it was long enough ago
        if self._budget.per_second:
            self._saved = min(self._saved + 1, float(self._budget.saved))
        self._go_on()

    def _take(self, channel_id: int | None) -> bool:
        """Take a turn now, if there is one."""
        budget, now = self._budget, self._now()
        if budget.per_second:
            if self._crowded():
                return False
            earned = (now - self._counted_at) * budget.per_second
            self._saved, self._counted_at = min(self._saved + earned, float(budget.saved)), now
            if self._saved < 1:
                return False
            self._saved -= 1
        if channel_id is not None and budget.gap:
            self._edited[channel_id] = now
            if len(self._edited) > _MANY_CHANNELS:
                self._edited = {key: at for key, at in self._edited.items() if now - at < budget.gap}
        return True

    def _crowded(self) -> bool:
        """Whether Discord may receive all the requests that it takes in a second at once, though they were sent evenly.

        A request arrives at some moment before it is answered; on a bad line many arrive together.
        """
        while self._ended and self._ended[0] + 1 <= self._now():
            self._ended.popleft()
        return self._under_way + len(self._ended) >= self._budget.per_second + self._budget.saved

    def _rest(self, channel_id: int | None) -> float:
        """How many more seconds a channel must not be edited for."""
        if channel_id is None or (edited := self._edited.get(channel_id)) is None:
            return 0.0
        return edited + self._budget.gap - self._now()

    def _go_on(self) -> None:
        """Give out the turns there are, and set a timer for when there will be more."""
        self._recover()
        while self._resting and self._resting[0][0] <= self._now():
            heapq.heappush(self._waiting, heapq.heappop(self._resting)[1])
        while self._waiting and not self._answers_only:
            first = self._waiting[0]
            if first.turn.done():
                heapq.heappop(self._waiting)
            elif (rest := self._rest(first.channel_id)) > 0:
                heapq.heappop(self._waiting)
                heapq.heappush(self._resting, (self._now() + rest, first))
            elif self._take(first.channel_id):
                heapq.heappop(self._waiting)
                first.turn.set_result(None)
            else:
                break
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seconds = [at - self._now() for at, _ in self._resting[:1]]
        if self._answers_only:
            # The refusal whose expiry leaves few enough.
            last = self._refusals[len(self._refusals) - self._few]
            seconds.append(last + self._budget.window - self._now())
        elif self._waiting and self._crowded():
            seconds += [at + 1 - self._now() for at in list(self._ended)[:1]]
        elif self._waiting:
            seconds.append((1 - self._saved) / self._budget.per_second)
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, min(seconds)), self._go_on)

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        queued = (*self._waiting, *(waiting for _, waiting in self._resting))
        return sum(not waiting.turn.done() for waiting in queued)

    def began(self) -> None:
        """A request that counts is sent, paced or not."""
        self._under_way += 1

    def ended(self) -> None:
        """A request that counts was answered, or failed."""
        self._under_way -= 1
        self._ended.append(self._now())
        if self._waiting:
            self._go_on()

    # -------------------------------------------------------------------- refusals

    @property
    def answers_only(self) -> bool:
        """Whether Discord has refused so many requests that there are no turns for now."""
        self._recover()
        return self._answers_only

    @property
    def refused(self) -> int:
        """How many recent refusals count towards a ban."""
        self._forget()
        return len(self._refusals)

    def count_refusal(self, status: int, scope: str | None = None) -> None:
        """Count the answer to a request, of whatever kind, if it counts towards a ban.

        `scope`: of the limit that was exceeded, as Discord names it.
        """
        if status not in _REFUSALS or (status == _TOO_MANY_REQUESTS and scope == "shared"):
            return
        self._refusals.append(self._now())
        self._forget()
        if not self._answers_only and len(self._refusals) >= self._budget.ban // 2:
            self._answers_only = True
            log.warning(
                "Discord has refused %s requests in %.0f minutes and bans for %s: only clicks are answered for now",
                len(self._refusals),
                self._budget.window / 60,
                self._budget.ban,
            )
            self._set_timer()

    @property
    def _few(self) -> int:
        """How few refusals are safe again: fewer than half a ban, or turns would stop and go on all the time."""
        return math.ceil(self._budget.ban / 4)

    def _forget(self) -> None:
        while self._refusals and self._refusals[0] + self._budget.window <= self._now():
            self._refusals.popleft()

    def _recover(self) -> None:
        if not self._answers_only:
            return
        self._forget()
        if len(self._refusals) < self._few:
            self._answers_only = False
            log.info("Discord refuses few requests again: tables are shown as before")

    # -------------------------------------------------------------------- what is reported

    def requests(self) -> Requests:
        """The figures for the operator."""
        return Requests(waiting=self.waiting, refused=self.refused, answers_only=self.answers_only)

    def trace(self) -> aiohttp.TraceConfig:
        """Tells the pacer how every request of a session was answered."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._on_start)
        trace.on_request_end.append(self._on_end)
        trace.on_request_exception.append(self._on_exception)
        return trace

    async def _on_start(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        context.counts = self._budget.per_second > 0 and not any(part in params.url.path for part in _UNCOUNTED)
        if context.counts:
            self.began()

    async def _on_end(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        response = params.response
        if response.status in _REFUSALS:
            self.count_refusal(response.status, response.headers.get("X-RateLimit-Scope"))
        if context.counts:
            self.ended()

    async def _on_exception(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if context.counts:
            self.ended()
