"""How often sessions may be started, and which shard receives which events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.wire.limits import Clock, Windows

DAY = 86_400.0
_OF_GUILDS = frozenset({"GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"})


@dataclass(slots=True)
class Starts:
    """The budget of IDENTIFYs: `total` a day, and one in `seconds` for each of `max_concurrency` buckets of shards.

    With 0 `seconds` a bot can identify at any time; Discord's value is 5. `resets_token`: as on Discord, an IDENTIFY
    beyond the day's budget resets the bot's token; otherwise nothing happens then. Tests may set `used`.
    """

    total: int = 1000
    max_concurrency: int = 1
    seconds: float = 0.0
    resets_token: bool = False
    used: int = 0
    clock: Clock = time.monotonic
    refused: int = 0
    """How many IDENTIFYs came too soon."""
    _since: float | None = None
    _pace: Windows = field(default_factory=lambda: Windows(1, 0.0))

    def payload(self) -> dict[str, int]:
        """`session_start_limit`, as `GET /gateway/bot` gives it; `reset_after` is in milliseconds."""
        self._roll()
        left = 0.0 if self._since is None else self._since + DAY - self.clock()
        return {
            "total": self.total,
            "remaining": max(0, self.total - self.used),
            "reset_after": int(left * 1000),
            "max_concurrency": self.max_concurrency,
        }

    @property
    def spent(self) -> bool:
        """Whether the day's budget is used up."""
        self._roll()
        return self.used >= self.total

    def identify(self, shard_id: int) -> bool:
        """Count an IDENTIFY; returns whether it may be answered now."""
        self._roll()
        if self._since is None:
            self._since = self.clock()
        self.used += 1
        self._pace.seconds, self._pace.clock = self.seconds, self.clock
        if self._pace.count(shard_id % self.max_concurrency).over:
            self.refused += 1
            return False
        return True

    def _roll(self) -> None:
        if self._since is not None and self.clock() - self._since >= DAY:
            self._since, self.used = None, 0


@dataclass(frozen=True, slots=True)
class Shard:
    """One of the `count` shards of a bot."""

    number: int = 0
    count: int = 1

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Shard | None:
        """The shard that an IDENTIFY names; the whole bot if it names none, and None if the shard is impossible."""
        number, count = data.get("shard") or (0, 1)
        return cls(number, count) if 0 <= number < count else None

    def has(self, guild_id: int) -> bool:
        """Whether a server belongs to this shard."""
        return (guild_id >> 22) % self.count == self.number

    def hears(self, event: str, payload: Mapping[str, Any]) -> bool:
        """Whether an event is sent to this shard; events that belong to no server go to the first."""
        guild_id = payload.get("id") if event in _OF_GUILDS else payload.get("guild_id")
        return self.has(int(guild_id)) if guild_id is not None else self.number == 0
