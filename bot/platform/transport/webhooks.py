"""Limits on what is sent with interactions' tokens, and on the waits of discord.py's requests with them.

There is a limit on each token, and one on the new messages of all of them together. The second isn't documented. So the
bot keeps to what others have observed, but doesn't hold an answer back for long because of it. What Discord itself says
applies to everything.

discord.py sleeps as long as Discord says, and for seconds after a server error. A first answer has no time for that,
nor has a picture: their failures are raised at once, and `Reply` or `Gallery` decides what to send instead.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, Final, cast

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.platform.transport.refusals import TOO_MANY_REQUESTS, told_to_wait

log = logging.getLogger(__name__)

LONGEST_SECONDS: Final = 10.0
"""The longest that a request with a token waits, whatever the limit."""
_WINDOW: Final = 61.0
"""A minute, and a little more because a request may take longer to arrive than later ones."""
_MANY_TOKENS: Final = 1_000


class FollowUps:
    """A limiter of the follow-ups of all interactions, which knows the tokens that Discord refuses for now.

    Args:
        per_minute: the number of follow-ups that Discord takes in a minute; 0: any number.
        now: seconds since some fixed moment.
        sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        per_minute: int,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._per_minute = per_minute
        self._now = now
        self._sleep = sleep
        self._sent: deque[float] = deque(maxlen=per_minute)
        """The times when the latest follow-ups were sent, or will be."""
        self._paused = -math.inf
        """The time until which Discord takes no follow-ups."""
        self._tokens: dict[str, float] = {}
        """By token, the time until which Discord takes no requests with it."""

    def has_room(self, token: str) -> bool:
        """Whether a follow-up that nobody waits for may be sent now: a third of the limit is kept for answers."""
        now = self._now()
        if max(self._paused, self._tokens.get(token, now)) > now:
            return False
        recent = sum(at > now - _WINDOW for at in self._sent)
        return not self._per_minute or recent < self._per_minute - math.ceil(self._per_minute / 3)

    async def turn(self, token: str, *, new: bool) -> None:
        """Wait until a request with a token may be sent. `new`: whether it is a follow-up, which posts a message.

        Raises:
            discord.RateLimited: if Discord has asked for a wait longer than `LONGEST_SECONDS`.
        """
        now = self._now()
        told = max(now, self._tokens.get(token, now), self._paused if new else now)
        if told - now > LONGEST_SECONDS:
            raise discord.RateLimited(told - now)
        at = told
        if new and self._per_minute:
            full = len(self._sent) == self._per_minute
            at = max(told, min(self._sent[0] + _WINDOW, now + LONGEST_SECONDS)) if full else told
            self._sent.append(at)
        if at > now:
            await self._sleep(at - now)

    def used_up(self, token: str, seconds: float) -> None:
        """Record that Discord takes no more requests with a token for a number of seconds."""
        now = self._now()
        self._tokens[token] = now + seconds
        if len(self._tokens) > _MANY_TOKENS:
            self._tokens = {key: until for key, until in self._tokens.items() if until > now}

    def refused(self, token: str, seconds: float, *, new: bool) -> None:
        """Record that Discord has refused a request with a token, and asks to wait for a number of seconds.

        Discord doesn't say reliably which limit was reached: after a follow-up it may be the one for all tokens.
        """
        self.used_up(token, seconds)
        if new:
            self._paused = max(self._paused, self._now() + seconds)


_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_CALLBACK: Final = "/callback"
_REMAINING: Final = "X-RateLimit-Remaining"
_fails_at_once: Final = ContextVar("fails_at_once", default=False)


@contextmanager
def failing_at_once(applies: bool) -> Generator[None]:
    """Raise the failures of requests with tokens at once within the block, if `applies`."""
    before = _fails_at_once.set(applies)
    try:
        yield
    finally:
        _fails_at_once.reset(before)


def use_webhooks(follow_ups: FollowUps) -> None:
    """Send requests with tokens through this limiter, in this task and in those that it starts from now on."""
    async_context.set(Webhooks(follow_ups))


class Webhooks(AsyncWebhookAdapter):
    """A sender of the requests with each token one after the other, as discord.py does, within the tokens' limits.

    Raises `discord.RateLimited` if Discord asks for a wait longer than `LONGEST_SECONDS`, and every failure at once of
    first answers and within `failing_at_once`.
    """

    def __init__(self, follow_ups: FollowUps) -> None:
        super().__init__()
        self._follow_ups = follow_ups

    async def request(self, route: Route, session: aiohttp.ClientSession, **options: Any) -> Any:
        limited = _Limited(session, route, self._follow_ups)
        return await super().request(route, cast("aiohttp.ClientSession", limited), **options)


class _Limited:
    """A session for the requests of one route, whose responses it reads before discord.py does."""

    def __init__(self, session: aiohttp.ClientSession, route: Route, follow_ups: FollowUps) -> None:
        self._session = session
        self._token = route.webhook_token if route.path.startswith(_WEBHOOK) else None
        """None for the first answer to an interaction, which doesn't count towards its token's limit."""
        self._at_once = route.path.endswith(_CALLBACK) or _fails_at_once.get()
        self._new = route.method == "POST" and route.path == _WEBHOOK
        self._follow_ups = follow_ups

    @asynccontextmanager
    async def request(self, method: str, url: str, **options: Any) -> AsyncGenerator[_Response]:
        if self._token is not None:
            await self._follow_ups.turn(self._token, new=self._new)
        if self._session.closed:  # aiohttp would raise a RuntimeError, as if this were a fault in the bot
            raise aiohttp.ClientConnectionError("the bot has disconnected")
        async with self._responding(method, url, options) as response:
            await self._hear(response)
            yield _Response(response)

    @asynccontextmanager
    async def _responding(
        self, method: str, url: str, options: dict[str, Any]
    ) -> AsyncGenerator[aiohttp.ClientResponse]:
        try:
            async with self._session.request(method, url, **options) as response:
                if self._at_once and response.status >= 500:
                    raise discord.DiscordServerError(response, await response.text())
                yield response
        except aiohttp.ClientOSError as error:
            if not self._at_once:
                raise
            raise aiohttp.ClientConnectionError(str(error)) from error  # discord.py would sleep after a reset

    async def _hear(self, response: aiohttp.ClientResponse) -> None:
        headers = response.headers
        if response.status == TOO_MANY_REQUESTS:
            seconds = await told_to_wait(response) or float(headers.get("Retry-After", 0))
            if self._token is not None:
                self._follow_ups.refused(self._token, seconds, new=self._new)
            if self._new:
                scope = headers.get("X-RateLimit-Scope")
                log.info("Discord takes no follow-up for %.0f s (scope of the limit: %s)", seconds, scope)
            if seconds > LONGEST_SECONDS:
                raise discord.RateLimited(seconds)
        elif self._token is not None and headers.get(_REMAINING) == "0":
            self._follow_ups.used_up(self._token, float(headers.get("X-RateLimit-Reset-After", 0)))


class _Response:
    """A response without the header that would make discord.py hold it back until the limit is over."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.headers = response.headers.copy()
        self.headers.popall(_REMAINING, None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._response, name)
