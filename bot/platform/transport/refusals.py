"""A count of Discord's refusals: it bans the address of a bot that it has to refuse too often."""

import logging
import math
from collections import deque
from collections.abc import Callable
from typing import Final

import aiohttp

from bot.platform.outside import read_json

log = logging.getLogger(__name__)

REFUSED: Final = frozenset({401, 403, 429})
"""The status codes that count towards a ban of the address."""
TOO_MANY_REQUESTS: Final = 429


async def told_to_wait(response: aiohttp.ClientResponse) -> float | None:
    """Read how many seconds the body of a response with status 429 asks to wait; None if it doesn't say."""
    try:
        said = read_json(await response.read())["retry_after"]
    except (ValueError, TypeError, KeyError):
        return None
    return said if isinstance(said, int | float) and said >= 0 else None


class Refusals:
    """The refusals of the last minutes. From half a ban on, only clicks are answered until few are left.

    Args:
        ban: the number of refusals that is this process's part of a ban.
        window: the number of seconds for which a refusal counts.
        now: seconds since some fixed moment.
    """

    __slots__ = ("_ban", "_near", "_now", "_times", "_window")

    def __init__(self, ban: int, window: float, now: Callable[[], float]) -> None:
        self._ban = ban
        self._window = window
        self._now = now
        self._times: deque[float] = deque()
        self._near = False

    def __len__(self) -> int:
        """Count the recent refusals that count towards a ban."""
        while self._times and self._times[0] + self._window <= self._now():
            self._times.popleft()
        return len(self._times)

    @property
    def near_ban(self) -> bool:
        """Whether there are so many that only clicks are answered for now."""
        if self._near and len(self) < self._few:
            self._near = False
            log.info("Discord is refusing few requests again; tables are shown as before")
        return self._near

    @property
    def few_at(self) -> float:
        """The time when there will be few again if no more come; only valid while a ban is near."""
        return self._times[len(self._times) - self._few] + self._window

    @property
    def _few(self) -> int:
        """Fewer refusals than this are safe again: less than half a ban, or turns would keep stopping and starting."""
        return math.ceil(self._ban / 4)

    def count(self, status: int, scope: str | None = None) -> None:
        """Count the answer to a request, of whatever kind, if it counts towards a ban.

        `scope`: the scope of the limit that was exceeded, as Discord names it.
        """
        if status not in REFUSED or (status == TOO_MANY_REQUESTS and scope == "shared"):
            return
        self._times.append(self._now())
        if len(self) >= self._ban // 2 and not self._near:
            self._near = True
            log.warning(
                "Discord has refused %s requests in %.0f minutes, and this process's part of a ban is %s:"
                " only clicks are answered for now",
                len(self),
                self._window / 60,
                self._ban,
            )
