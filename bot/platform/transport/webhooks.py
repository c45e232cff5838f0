"""Limits on the waits of discord.py's requests with interactions' tokens.

discord.py sleeps as long as Discord says, and for seconds after a server error. A first answer has no time for that,
nor has a picture: their failures are raised at once, and `Reply` or `Gallery` decides what to send instead.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, Final, cast

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.platform.transport.follow_ups import LONGEST_SECONDS, FollowUps
from bot.platform.transport.refusals import TOO_MANY_REQUESTS, told_to_wait

log = logging.getLogger(__name__)

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
