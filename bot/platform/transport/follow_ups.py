"""Limits on what is sent with interactions' tokens: on each token, and on the new messages of all of them together.

The second limit isn't documented. So the bot keeps to what others have observed, but doesn't hold an answer back for
long because of it. What Discord itself says applies to everything.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import discord

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
