"""Counts what the bot sends by kind, and measures how long after a move the table message shows it, for soaks."""

import math
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.secrecy import SUIT_EMOJIS
from tests.support.wiretap import WEBHOOK
from tests.wire.limits import Clock, counts
from tests.wire.seen import CUSTOM_ID, presses, words_of

POST, EDIT, DELETE, ANSWER, TOKEN_POST, TOKEN_EDIT, OTHER = (
    "post",
    "edit",
    "delete",
    "answer",
    "token post",
    "token edit",
    "other",
)
"""A channel's messages posted, edited and deleted; answers to interactions; messages sent by token; everything else."""
MOVES = frozenset({"card", "take", "lay"})
PERCENTS = (50, 95, 99)
_MESSAGE = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
_CARD = re.compile(r":(\d+)([oceb])(?!\w)")
_KINDS = {"POST": POST, "PATCH": EDIT, "DELETE": DELETE}
_TOKEN_KINDS = {"POST": TOKEN_POST, "PATCH": TOKEN_EDIT}


def kind_of(method: str, path: str) -> str:
    """Classify a request."""
    if path.startswith("/interactions/"):
        return ANSWER
    if WEBHOOK.fullmatch(path):
        return _TOKEN_KINDS.get(method, OTHER)
    return _KINDS.get(method, OTHER) if _MESSAGE.fullmatch(path) else OTHER


@dataclass(frozen=True, slots=True)
class Sent:
    """One request. `at`: when it arrived; `seconds`: until its answer; `counts`: whether towards the global limit."""

    at: float
    kind: str
    status: int
    seconds: float
    counts: bool


class Traffic:
    """All requests since this was created. The server reports each request, and the simulated people each click."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.sent: list[Sent] = []
        self.latencies: list[float] = []
        """For each move, the seconds from the click until Discord accepted a table message that shows it."""
        self._moved: dict[int, dict[int, tuple[str, float]]] = {}
        """The card and the time of each move that hasn't been shown yet, by game and version."""
        self._shown: dict[int, int] = {}
        """The version of each game's last move that was shown."""

    # ------------------------------------------------------------------------------------------------ recording
    def ended(self, method: str, path: str, began: float, status: int) -> None:
        """Record that a request that came at `began` has been answered."""
        self.sent.append(Sent(began, kind_of(method, path), status, self.clock() - began, counts(path)))

    def clicked(self, custom_id: str) -> None:
        """Record a click. Of several moves at one version the last counts: before it the player was still choosing."""
        if (
            (found := CUSTOM_ID.fullmatch(custom_id))
            and found["verb"] in MOVES
            and (card := _CARD.match(found["args"]))
        ):
            game, version = int(found["game"], 36), int(found["version"], 36)
            if version > self._shown.get(game, -1):
                self._moved.setdefault(game, {})[version] = (card[1] + SUIT_EMOJIS[card[2]], self.clock())

    def shown(self, components: Any) -> None:
        """Record that Discord has accepted a message that everybody sees.

        It shows a move, and all before it, if it names the card that was played: until then nobody else could know it.
        """
        for game in {press.game for press in presses(components)}:
            if not (moved := self._moved.get(game)):
                continue
            text = words_of(components)
            newest = max((version for version, (card, _) in moved.items() if _names(text, card)), default=-1)
            self._shown[game] = max(newest, self._shown.get(game, -1))
            for version in [version for version in moved if version <= newest]:
                self.latencies.append(self.clock() - moved.pop(version)[1])

    # --------------------------------------------------------------------------------------------------- figures
    @property
    def unshown(self) -> int:
        """How many moves no table message has shown yet."""
        return sum(map(len, self._moved.values()))

    @property
    def kinds(self) -> Counter[str]:
        """The number of requests of each kind."""
        return Counter(sent.kind for sent in self.sent)

    @property
    def refused(self) -> Counter[str]:
        """The number of requests of each kind that were answered 429."""
        return Counter(sent.kind for sent in self.sent if sent.status == 429)

    def busiest(self, seconds: float = 1.0) -> int:
        """The most requests within any `seconds` that count towards the global limit."""
        return busiest((sent.at for sent in self.sent if sent.counts), seconds)

    def lines(self) -> list[str]:
        """The figures as lines of text."""
        kinds, refused = self.kinds, self.refused
        found = [f"{kind:12} {count:8,}  429: {refused[kind]:,}" for kind, count in kinds.most_common()]
        found.append(f"{'total':12} {len(self.sent):8,}  429: {refused.total():,}")
        found.append(f"busiest second: {self.busiest()} requests that count towards the global limit")
        seconds = (f"p{percent} {percentile(self.latencies, percent):.3f} s" for percent in PERCENTS)
        found.append(f"{len(self.latencies):,} moves, shown after {', '.join(seconds)}; {self.unshown:,} not shown yet")
        return found


def _names(text: str, card: str) -> bool:
    return re.search(rf"(?<!\d){card}", text) is not None


def busiest(times: Iterable[float], seconds: float = 1.0) -> int:
    """The most of these times within any `seconds`."""
    ordered = sorted(times)
    return max((bisect_left(ordered, at + seconds) - n for n, at in enumerate(ordered)), default=0)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` percent of the values don't exceed; NaN if there are none."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]
