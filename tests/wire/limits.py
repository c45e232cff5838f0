"""Discord's rate limits: how many requests of a kind it accepts in how many seconds, and how it refuses more."""

import math
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.wiretap import WEBHOOK

Clock = Callable[[], float]
"""Returns seconds since some fixed moment, in real time or as a test sets them."""

INVALID = frozenset({401, 403, 429})
"""The statuses that count towards a ban of the address."""
BAN_WINDOW = 600.0
_LIMITED = (
    ("PATCH", re.compile(r"/channels/(\d+)/messages/\d+"), "edit"),
    ("POST", re.compile(r"/channels/(\d+)/messages"), "send"),
    ("DELETE", re.compile(r"/channels/(\d+)/messages/\d+"), "delete"),
)
_EMOJIS = re.compile(r"/applications/\d+/emojis(?:/\d+)?")
_MANY_KEYS = 10_000
_TOO_MANY_OLD = "Maximum number of edits to messages older than 1 hour reached. Try again later"
_BANNED = """<!doctype html>
<html lang="en-US"><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>
<body><h1><span>Error</span> <span>1015</span></h1><h2>You are being rate limited</h2></body></html>
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """A window's verdict on a request: how many more it accepts, for how many seconds, and if this one exceeded it."""

    left: int
    seconds: float
    over: bool


class Windows:
    """At most `most` requests per key in a window of `seconds`; the next begins with the first request after it."""

    def __init__(self, most: int, seconds: float, clock: Clock = time.monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._windows: dict[Any, tuple[float, int]] = {}

    def count(self, key: Any = None) -> Counted:
        """Count a request. Excess requests count too, but don't prolong the window."""
        now = self.clock()
        since, count = self._windows.get(key, (now, 0))
        if now - since >= self.seconds:
            since, count = now, 0
        self._windows[key] = since, count + 1
        if len(self._windows) > _MANY_KEYS:  # most belong to tokens that are no longer used
            self._windows = {k: kept for k, kept in self._windows.items() if now - kept[0] < self.seconds}
        return Counted(max(0, self.most - count - 1), since + self.seconds - now, count >= self.most)


@dataclass(slots=True)
class Verdict:
    """The limits' verdict on a request: the response's headers, and the body of a 429 if it exceeds a limit."""

    headers: dict[str, str] = field(default_factory=dict)
    refusal: dict[str, Any] | None = None


@dataclass(slots=True)
class Rates:
    """The limits that a server enforces. By default only those of a channel's messages; the others are off until set.

    At most `most` messages can be posted, edited and deleted in a channel in `seconds`, each counted separately.
    `globally`: how many requests a second in total, not counting those of interactions. The others are a number of
    requests and a number of seconds: `tokens` for what is sent with one interaction's token, `follow_ups` for messages
    posted with any token (not documented, but others have run into it), `deletes` if deletions have their own limit,
    `old_edits` for edits of a channel's messages older than `old_after` seconds, `emojis` for changes to the
    application's emojis; before it is exceeded, Discord says nothing of it.
    """

    most: int = 5
    seconds: float = 5.0
    globally: int | None = None
    tokens: tuple[int, float] | None = None
    follow_ups: tuple[int, float] | None = None
    deletes: tuple[int, float] | None = None
    old_edits: tuple[int, float] | None = None
    old_after: float = 3600.0
    emojis: tuple[int, float] | None = None
    clock: Clock = time.monotonic
    refusals: Counter[str] = field(default_factory=Counter)
    """The times that each limit was exceeded: everywhere, edit, send, delete, token, follow-up, old, emoji."""
    _kept: dict[str, Windows] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        """How many requests exceeded a limit."""
        return self.refusals.total()

    def as_discord(self) -> None:
        """Enforce all limits. Only the global figure is documented; the others are what bot authors have observed."""
        self.seconds, self.globally = 5.0, 50
        self.tokens, self.deletes, self.old_edits = (5, 2.0), (5, 1.0), (3, 20.0)
        self.follow_ups = (30, 60.0)
        self.emojis = (50, 1800.0)

    def forget(self, name: str) -> None:
        """Count from nothing again against a limit."""
        self._kept.pop(name, None)

    def judge(self, method: str, path: str, age: float = 0.0) -> Verdict:
        """Count a request. `age`: of the message it edits, in seconds."""
        if self.globally is not None and counts(path):
            everywhere = self._count("everywhere", None, self.globally, 1.0)
            if everywhere.over:
                return self._refuse("everywhere", everywhere.seconds, {}, everywhere=True)
        if self.emojis is not None and method != "GET" and _EMOJIS.fullmatch(path):
            changes = self._count("emoji", None, *self.emojis)
            if changes.over:
                spent = limit_headers("bucket-emoji", self.emojis[0], 0, changes.seconds)
                return self._refuse("emoji", changes.seconds, spent, scope="shared")
        if (bucket := self._bucket(method, path)) is None:
            return Verdict()
        name, key, most, seconds = bucket
        counted = self._count(name, key, most, seconds)
        headers = limit_headers(f"bucket-{name}", most, counted.left, counted.seconds)
        if counted.over:
            return self._refuse(name, counted.seconds, headers)
        if name == "token" and method == "POST" and self.follow_ups is not None:
            new = self._count("follow-up", None, *self.follow_ups)
            if new.over:
                return self._refuse("follow-up", new.seconds, headers, scope="shared")
        if name == "edit" and self.old_edits is not None and age > self.old_after:
            old = self._count("old", key, *self.old_edits)
            if old.over:
                return self._refuse("old", old.seconds, headers, code=30046, message=_TOO_MANY_OLD)
        return Verdict(headers)

    def _bucket(self, method: str, path: str) -> tuple[str, str, int, float] | None:
        """The limit that applies to a request: its name, its key, how many requests, and in how many seconds."""
        for verb, pattern, name in _LIMITED:
            if verb == method and (found := pattern.fullmatch(path)):
                most, seconds = (self.deletes if name == "delete" else None) or (self.most, self.seconds)
                return name, found[1], most, seconds
        if self.tokens is not None and (found := WEBHOOK.fullmatch(path)):
            return "token", found[1], *self.tokens
        return None

    def _count(self, name: str, key: str | None, most: int, seconds: float) -> Counted:
        windows = self._kept.setdefault(name, Windows(most, seconds))
        windows.most, windows.seconds, windows.clock = most, seconds, self.clock  # a test may have changed them
        return windows.count(key)

    def _refuse(
        self,
        name: str,
        seconds: float,
        headers: dict[str, str],
        *,
        everywhere: bool = False,
        scope: str | None = None,
        **said: Any,
    ) -> Verdict:
        self.refusals[name] += 1
        extra, body = too_many(seconds, everywhere=everywhere)
        if scope is not None:
            extra["X-RateLimit-Scope"] = scope
        return Verdict(headers | extra, body | said)


@dataclass(slots=True)
class Ban:
    """Cloudflare's ban in front of Discord: after more than `limit` invalid requests in ten minutes it refuses all.

    `limit`: None means never; Discord's is 10,000. `seconds`: how long a ban lasts.
    """

    limit: int | None = None
    seconds: float = 3600.0
    clock: Clock = time.monotonic
    bans: int = 0
    turned_away: int = 0
    """How many requests arrived during a ban."""
    _invalid: deque[float] = field(default_factory=deque)
    _until: float = -math.inf

    @property
    def invalid(self) -> int:
        """How many responses of the last ten minutes count."""
        while self._invalid and self.clock() - self._invalid[0] >= BAN_WINDOW:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def left(self) -> float:
        """How many more seconds the address is banned for; 0 if it isn't."""
        return max(0.0, self._until - self.clock())

    def answered(self, status: int, scope: str | None = None) -> None:
        """Count a response. `scope`: of the exceeded limit; a shared limit isn't held against the bot."""
        if status not in INVALID or scope == "shared":
            return
        self._invalid.append(self.clock())
        if self.limit is not None and self.invalid > self.limit:
            self._until = self.clock() + self.seconds
            self._invalid.clear()
            self.bans += 1

    def refuse(self) -> tuple[dict[str, str], str]:
        """The headers and page that a banned address gets for any request, without JSON or `Via`."""
        self.turned_away += 1
        headers = {"Server": "cloudflare", "Retry-After": str(math.ceil(self.left)), "Content-Type": "text/html"}
        return headers, _BANNED


def counts(path: str) -> bool:
    """Whether a request counts towards the global limit: all do except those to interactions and their tokens."""
    return not (path.startswith("/interactions/") or WEBHOOK.fullmatch(path))


def limit_headers(bucket: str, limit: int, remaining: int, reset_after: float) -> dict[str, str]:
    """The headers in which Discord describes a limit."""
    return {
        "X-RateLimit-Bucket": bucket,
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{reset_after:.3f}",
    }


def too_many(retry_after: float, *, everywhere: bool) -> tuple[dict[str, str], dict[str, Any]]:
    """The headers and body of a 429. `Via` distinguishes it from a ban by Cloudflare."""
    headers = {"Via": "1.1 google", "Retry-After": str(math.ceil(retry_after))}
    if everywhere:
        headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    else:
        headers["X-RateLimit-Scope"] = "user"
    body = {"message": "You are being rate limited.", "retry_after": round(retry_after, 3), "global": everywhere}
    return headers, body
