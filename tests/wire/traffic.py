"""Counts what the bot sends, by kinds, and how long after a move its table shows it: the figures of a soak."""

from __future__ import annotations

import math
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.wiretap import WEBHOOK
from tests.wire.limits import Clock, counts
from tests.wire.seen import CUSTOM_ID, presses

POST, EDIT, DELETE, ANSWER, TOKEN_POST, TOKEN_EDIT, OTHER = (
    "post",
    "edit",
    "delete",
    "answer",
    "token post",
    "token edit",
    "other",
)
"""Messages of a channel posted, edited and deleted; answers to interactions; messages by their tokens; all others."""
MOVES = frozenset({"card", "take", "lay", "claim", "pick"})
PERCENTS = (50, 95, 99)
_MESSAGE = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
_KINDS = {"POST": POST, "PATCH": EDIT, "DELETE": DELETE}
_TOKEN_KINDS = {"POST": TOKEN_POST, "PATCH": TOKEN_EDIT}


def kind_of(method: str, path: str) -> str:
    """What kind of request this is."""
    if path.startswith("/interactions/"):
        return ANSWER
    if WEBHOOK.fullmatch(path):
        return _TOKEN_KINDS.get(method, OTHER)
    return _KINDS.get(method, OTHER) if _MESSAGE.fullmatch(path) else OTHER


@dataclass(frozen=True, slots=True)
class Sent:
    """One request. `at`: when it came; `seconds`: until it was answered; `counts`: towards the global limit."""

    at: float
    kind: str
    status: int
    seconds: float
    counts: bool


class Traffic:
    """All requests from when this was made on. The server tells it of each, the people tell it of what they click."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.sent: list[Sent] = []
        self.latencies: list[float] = []
        """For each move, the seconds from the click until Discord had taken the table's message that shows it."""
        self._moved: dict[int, dict[int, float]] = {}
        self._shown: dict[int, int] = {}

    # ------------------------------------------------------------------------------------------------ recording
    def ended(self, method: str, path: str, began: float, status: int) -> None:
        """A request that came at `began` is answered."""
        self.sent.append(Sent(began, kind_of(method, path), status, self.clock() - began, counts(path)))

    def clicked(self, custom_id: str) -> None:
        """Somebody clicks. Of several moves at the same version the last counts: who chooses twice thinks meanwhile."""
        if (found := CUSTOM_ID.fullmatch(custom_id)) and found["verb"] in MOVES:
            game, version = int(found["game"], 36), int(found["version"], 36)
            if version >= self._shown.get(game, 0):
                self._moved.setdefault(game, {})[version] = self.clock()

    def shown(self, components: Any) -> None:
        """Discord has taken a message that everybody sees."""
        for press in presses(components):
            self._shown[press.game] = max(press.version, self._shown.get(press.game, 0))
            moved = self._moved.get(press.game, {})
            for version in [version for version in moved if version < press.version]:
                self.latencies.append(self.clock() - moved.pop(version))

    # --------------------------------------------------------------------------------------------------- figures
    @property
    def unshown(self) -> int:
        """How many moves no table has shown yet."""
        return sum(map(len, self._moved.values()))

    @property
    def kinds(self) -> Counter[str]:
        """How many requests of each kind."""
        return Counter(sent.kind for sent in self.sent)

    @property
    def refused(self) -> Counter[str]:
        """How many of each kind were answered 429."""
        return Counter(sent.kind for sent in self.sent if sent.status == 429)

    def busiest(self, seconds: float = 1.0) -> int:
        """The most requests that count to the global limit in any stretch of so many seconds."""
        times = sorted(sent.at for sent in self.sent if sent.counts)
        return max((bisect_left(times, at + seconds) - n for n, at in enumerate(times)), default=0)

    def lines(self) -> list[str]:
        """The figures in words, a line each."""
        kinds, refused = self.kinds, self.refused
        found = [f"{kind:12} {count:8,}  429: {refused[kind]:,}" for kind, count in kinds.most_common()]
        found.append(f"{'in all':12} {len(self.sent):8,}  429: {refused.total():,}")
        found.append(f"at most {self.busiest()} in a second that count")
        seconds = (f"p{percent} {percentile(self.latencies, percent):.3f} s" for percent in PERCENTS)
        found.append(f"{len(self.latencies):,} moves shown after {', '.join(seconds)}; {self.unshown:,} not shown")
        return found


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least so many percent aren't above; not a number without values."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]
