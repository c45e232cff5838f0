"""One budget of requests for the whole process: the order in which they are sent, and what happens near a ban.

Discord takes 50 requests a second from a bot and five edits of a channel's messages in five seconds, and it bans the
address of a bot that it has to refuse too often. Answers to interactions and edits through their tokens count only
towards the last of these limits, and never wait here. But requests of every kind pass the fence at the last moment
before they are sent.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Final, Protocol, Self

import aiohttp

from bot.platform.operating.meter import Requests
from bot.platform.transport.refusals import REFUSED, TOO_MANY_REQUESTS, Refusals, told_to_wait
from bot.platform.transport.turns import Priority, RequestQueue
from bot.platform.transport.webhooks import FollowUps

_ANSWERS: Final = "/interactions/"
"""Part of the path of the first answer to an interaction, which Discord takes for three seconds."""
_UNCOUNTED: Final = (_ANSWERS, "/webhooks/")
"""Parts of the paths of requests that answer interactions."""
_READS: Final = "GET"
_LEAST_BAN: Final = 20
"""The least `ban` of a process, however small its share, so that a few refusals don't stop it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The requests that a process may send.

    Attributes:
        per_second: requests that count towards Discord's limit for the whole bot; 0: any number.
        saved: the number of unused turns that may be used at once later. Few, because requests of login and commands
            aren't paced, but share Discord's limit.
        gap: the fewest seconds between two edits in a channel.
        longest_gap: the longest gap, when many requests wait.
        ban: the number of refusals in `window` seconds for which Discord bans an address.
        follow_ups: the number of follow-ups to interactions a minute; 0: any number.
    """

    per_second: float = 45.0
    saved: int = 2
    gap: float = 1.1
    longest_gap: float = 5.0
    ban: int = 10_000
    window: float = 600.0
    follow_ups: int = 30

    def part(self, share: float) -> Self:
        """Return one process's share: of the requests it may send, and of the refusals for its address."""
        return replace(
            self,
            per_second=self.per_second * share,
            ban=max(_LEAST_BAN, int(self.ban * share)),
            follow_ups=max(1, int(self.follow_ups * share)) if self.follow_ups else 0,
        )


NO_LIMIT: Final = Budget(per_second=0.0, gap=0.0, follow_ups=0)
"""Every turn comes at once, for a Discord that has no limits."""


class Unsure(ConnectionError):
    """A request wasn't sent, because this process may not have its shards."""


class Fence(Protocol):
    """A gate that lets a request that changes something on Discord pass if this process may send it."""

    async def __call__(self, *, answers: bool, harmless: bool) -> None:
        """Return if the request may be sent.

        Args:
            answers: whether it is the first answer to an interaction, which can't wait.
            harmless: whether it reveals nothing, and changes nothing but that somebody hears from the bot.

        Raises:
            Unsure: if it may not.
        """
        ...


async def no_fence(*, answers: bool, harmless: bool) -> None:
    """Let this process send everything."""


def ignored(date: str | None, sent: float) -> None:
    """Take no notice of when Discord answered."""


_harmless: Final = ContextVar("harmless", default=False)


@contextmanager
def harmless() -> Generator[None]:
    """Send only requests that are harmless in the block: deferrals, and requests to try again."""
    before = _harmless.set(True)
    try:
        yield
    finally:
        _harmless.reset(before)


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
        """Take the turn, just before a request is sent."""
        if self.used:
            await self._another()
        self.used = True


class Pacer:
    """A giver of turns to send a request, in the order that `RequestQueue` says.

    Args:
        budget: the number of turns there are.
        now: seconds since some fixed moment.
        fence: passed by every request of the session that gets `trace`, except those that only read.
        heard: called for each answer with its `Date`, and the event loop's time when its request was sent.

    Attributes:
        follow_ups: the limiter of requests with interactions' tokens, which don't take turns.
    """

    def __init__(
        self,
        budget: Budget,
        now: Callable[[], float] = time.monotonic,
        fence: Fence = no_fence,
        heard: Callable[[str | None, float], None] = ignored,
    ) -> None:
        self._budget = budget
        self._fence = fence
        self._heard = heard
        self._now = now
        self._saved = float(budget.saved)
        self._counted_at = now()
        self._turns = RequestQueue(budget.per_second, budget.gap, budget.longest_gap)
        self._at_door: deque[asyncio.Future[None]] = deque()
        """The requests that wait until one more may arrive, in order."""
        self._under_way = 0
        self._ended: deque[float] = deque()
        """The times at which the last second's requests that count ended, paced or not."""
        self.follow_ups = FollowUps(budget.follow_ups, now)
        self._refusals = Refusals(budget.ban, budget.window, now)
        self._timer: asyncio.TimerHandle | None = None

    # -------------------------------------------------------------------- turns

    @asynccontextmanager
    async def turn(self, priority: Priority, channel_id: int | None = None) -> AsyncGenerator[Ticket]:
        """Wait for a turn to send a request within the block, and give back a ticket that isn't used.

        `channel_id`: the channel whose message the request edits, if it does.
        """
        await self._wait(priority, channel_id)
        ticket = Ticket(partial(self._wait, priority, channel_id))
        try:
            yield ticket
        finally:
            if not ticket.used:
                self._give_back(channel_id)

    async def _wait(self, priority: Priority, channel_id: int | None) -> None:
        waiting = self._turns.ask(priority, channel_id, self._now())
        self._go_on()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.cancelled():
                self._turns.give_up(waiting)
            else:
                self._give_back(channel_id)
            raise

    def _give_back(self, channel_id: int | None) -> None:
        """Give the turn to the next request, because there was nothing to send after all."""
        self._turns.give_back(channel_id)
        if self._budget.per_second:
            self._saved = min(self._saved + 1, float(self._budget.saved))
        self._go_on()

    @property
    def _affordable(self) -> bool:
        """Whether the budget has a turn now."""
        budget, now = self._budget, self._now()
        if not budget.per_second:
            return True
        if self._crowded():
            return False
        earned = (now - self._counted_at) * budget.per_second
        self._saved, self._counted_at = min(self._saved + earned, float(budget.saved)), now
        return self._saved >= 1

    def _crowded(self) -> bool:
        """Whether those that wait at the door, and one more, would be too many in some second."""
        return self._arriving + len(self._at_door) + 1 > self._most

    @property
    def _most(self) -> float:
        """The number of requests that count and may arrive within a second."""
        return max(1.0, self._budget.per_second)

    @property
    def _arriving(self) -> int:
        """The number of requests that may arrive within a second from now, or have within the last one.

        A request arrives at some moment before it is answered; on a bad line many arrive together. So whatever was
        answered less than a second ago, or isn't yet, counts.
        """
        while self._ended and self._ended[0] + 1 <= self._now():
            self._ended.popleft()
        return self._under_way + len(self._ended)

    def _go_on(self) -> None:
        """Let in what there is room for, give out the turns there are, and set a timer for when there will be more."""
        while self._at_door and self._arriving + 1 <= self._most:
            first_there = self._at_door.popleft()
            if not first_there.done():  # else it was cancelled just now
                self._under_way += 1
                first_there.set_result(None)
        while not self.answers_only and self._affordable and (first := self._turns.take(self._now())) is not None:
            self._saved -= bool(self._budget.per_second)
            first.turn.set_result(None)
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if (at := self._next_at()) is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, at - self._now()), self._go_on)

    def _next_at(self) -> float | None:
        """Work out when there may be another turn, or room at the door; None if that isn't a matter of time."""
        fewer_at = [at + 1 for at in list(self._ended)[:1]]
        times = [*fewer_at] if self._at_door else []
        if self.answers_only:
            return min([*times, self._refusals.few_at])
        if (edit_at := self._turns.next_edit_at) is not None:
            times.append(edit_at)
        if self._turns.ready and self._crowded():
            times += fewer_at
        elif self._turns.ready:
            times.append(self._counted_at + (1 - self._saved) / self._budget.per_second)
        return min(times, default=None)

    @property
    def waiting(self) -> int:
        """The number of requests that wait for their turn."""
        return len(self._turns)

    async def begin(self) -> None:
        """Wait at the door until one more request that counts may arrive, paced or not, and record that it is sent.

        Turns alone don't keep requests apart: what a busy event loop, a picture or discord.py holds up between its turn
        and here would arrive together, and so would what discord.py sends again by itself.
        """
        waiting = asyncio.get_running_loop().create_future()
        self._at_door.append(waiting)
        self._go_on()
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():
                self._under_way -= 1
            elif waiting in self._at_door:
                self._at_door.remove(waiting)
            self._go_on()
            raise

    def ended(self) -> None:
        """Record that a request that counts was answered, or failed."""
        self._under_way -= 1
        self._ended.append(self._now())
        if self._at_door or self._turns.ready:
            self._go_on()

    # -------------------------------------------------------------------- refusals

    @property
    def answers_only(self) -> bool:
        """Whether Discord has refused so many requests that there are no turns for now."""
        return self._refusals.near_ban

    def count_refusal(self, status: int, scope: str | None = None) -> None:
        """Count the answer to a request, of whatever kind; the arguments are those of `Refusals.count`."""
        self._refusals.count(status, scope)
        if self.answers_only:
            self._set_timer()

    # -------------------------------------------------------------------- what is reported

    def requests(self) -> Requests:
        """Collect the figures for the operator."""
        return Requests(
            waiting=self.waiting,
            oldest=self._turns.oldest(self._now()),
            refused=len(self._refusals),
            answers_only=self.answers_only,
        )

    def trace(self) -> aiohttp.TraceConfig:
        """Make a trace by which every request of a session passes the fence and tells the pacer how it was answered.

        A request passes again just before its headers, as a process may be stopped for long while it connects; and just
        before each part of its body, as aiohttp writes the headers with the first part, which may be one turn of the
        event loop later.
        """
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._on_start)
        trace.on_request_headers_sent.append(self._pass_fence)
        trace.on_request_chunk_sent.append(self._pass_fence)
        trace.on_request_end.append(self._on_end)
        trace.on_request_exception.append(self._on_exception)
        return trace

    async def _on_start(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        await self._pass_fence(session, context, params)
        context.counts = self._budget.per_second > 0 and not any(part in params.url.path for part in _UNCOUNTED)
        if context.counts:
            await self.begin()
        context.sent = asyncio.get_running_loop().time()

    async def _pass_fence(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams
        | aiohttp.TraceRequestHeadersSentParams
        | aiohttp.TraceRequestChunkSentParams,
    ) -> None:
        if params.method != _READS:
            await self._fence(answers=_ANSWERS in params.url.path, harmless=_harmless.get())

    async def _on_end(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        response = params.response
        self._heard(response.headers.get("Date"), context.sent)
        if response.status in REFUSED:
            self.count_refusal(response.status, response.headers.get("X-RateLimit-Scope"))
        json = response.content_type == "application/json"
        if response.status == TOO_MANY_REQUESTS and json and await told_to_wait(response) is None:
            # discord.py would look for the seconds to wait, and fail with a KeyError.
            raise aiohttp.ClientError("Discord refuses more requests, and doesn't say for how long")
        if context.counts:
            self.ended()

    async def _on_exception(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if context.counts:
            self.ended()
