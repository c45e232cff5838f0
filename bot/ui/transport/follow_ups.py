"""What may be sent by the tokens of interactions: Discord limits each token, and the new messages by all of them.

That second limit isn't documented. So the bot keeps to what others have seen, but doesn't keep an answer back for long:
what Discord says itself goes for everything.
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
"""How long a request by a token waits at most, because of any limit."""
_WINDOW: Final = 61.0
"""A minute, and a little for requests that take longer on their way than later ones."""
_MANY_TOKENS: Final = 1_000


class FollowUps:
    """One limiter for the follow-ups of all interactions; it knows, too, which tokens Discord takes nothing by for now.

    Args:
        per_minute: how many follow-ups Discord takes in a minute; 0: any number.
        now: seconds since some fixed moment.
        sleep: waits for so many seconds.
    """

    __slots__ = ("_now", "_paused", "_per_minute", "_sent", "_sleep", "_tokens")

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
        """When the latest follow-ups were sent, or will be."""
        self._paused = -math.inf
        """Until when Discord takes no follow-up."""
        self._tokens: dict[str, float] = {}
        """Until when Discord takes nothing by a token."""

    def room(self, token: str) -> bool:
        """Whether a follow-up that nobody waits for may be sent now: a third of the room is kept for answers."""
        now = self._now()
        if max(self._paused, self._tokens.get(token, now)) > now:
            return False
        recent = sum(at > now - _WINDOW for at in self._sent)
        return not self._per_minute or recent < self._per_minute - math.ceil(self._per_minute / 3)

    async def turn(self, token: str, *, new: bool) -> None:
        """Wait until a request by a token may be sent. `new`: it is a follow-up, which posts a message.

        Raises:
            discord.RateLimited: if Discord has asked to wait for longer than `LONGEST_SECONDS`.
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
        """Discord takes nothing more by a token for so many seconds."""
        now = self._now()
        self._tokens[token] = now + seconds
        if len(self._tokens) > _MANY_TOKENS:
            self._tokens = {key: until for key, until in self._tokens.items() if until > now}

    def refused(self, token: str, seconds: float, *, new: bool) -> None:
        """Discord has refused a request by a token, and asks to wait for so many seconds.

        It doesn't say reliably which limit that was: after a follow-up it may be the one of all tokens.
        """
        self.used_up(token, seconds)
        if new:
            self._paused = max(self._paused, self._now() + seconds)
