"""The order of requests: each kind has its share of the turns, and no channel is edited too often."""

import asyncio
import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import chain, count
from typing import Final

_MANY_CHANNELS: Final = 1_000
LATE_SECONDS: Final = 4.0
"""Seconds that a post waits before posts get more turns than usual: unlike edits, posts don't collapse into one."""
PATIENT_SECONDS: Final = 30.0
"""Seconds that restored tables and messages left behind wait before they keep their turns even while posts are late."""


class Priority(IntEnum):
    """The purpose of a request. The lowest number gets the turns that no other kind takes."""

    LIVE = 0
    """A table where people play is brought up to date."""
    POST = 1
    """A message is posted."""
    RESTORED = 2
    """A table is shown after a restart; nothing has happened there since."""
    LEFT_BEHIND = 3
    """A message that another has replaced, or that nobody needs any more, is edited or deleted."""


_ROTA: Final = (
    Priority.LIVE,
    Priority.RESTORED,
    Priority.LIVE,
    Priority.POST,
    Priority.LIVE,
    Priority.LEFT_BEHIND,
    Priority.LIVE,
    Priority.POST,
)
"""The order of turns, over and over; if no such request waits, the turn goes to the first priority that has one."""


@dataclass(order=True, slots=True)
class WaitingRequest:
    """A request that waits for its turn.

    Attributes:
        number: its place in the order in which requests were queued.
        priority: its purpose.
        channel_id: the channel whose message it edits, if it does.
        since: the time when it was queued.
        turn: done when its turn has come, or it has given up.
    """

    number: int
    priority: Priority = field(compare=False)
    channel_id: int | None = field(compare=False)
    since: float = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class RequestQueue:
    """The requests that wait.

    Args:
        per_second: the number of requests that may be sent; 0: any number.
        gap: the fewest seconds between two edits in a channel.
        longest_gap: the longest gap, when many requests wait, so that busy tables leave turns for the others.
    """

    def __init__(self, per_second: float, gap: float, longest_gap: float) -> None:
        self._per_second = per_second
        self._gap = gap
        self._longest_gap = longest_gap
        self._numbers = count()
        self._place = 0
        """The position in the rota."""
        self._lanes: dict[Priority, list[WaitingRequest]] = {priority: [] for priority in Priority}
        self._cooling_down: list[tuple[float, WaitingRequest]] = []
        """Requests whose channel was edited just now, with the time of that edit."""
        self._edited: dict[int, float] = {}
        self._count: Counter[Priority] = Counter()

    def __len__(self) -> int:
        """Count the requests that wait."""
        return self._count.total()

    @property
    def gap(self) -> float:
        """Seconds between two edits in a channel: as long as it takes to send everything that waits, within limits."""
        pressing = self._count[Priority.LIVE] + self._count[Priority.POST]
        if not self._per_second:
            return self._gap
        return max(self._gap, min(pressing / self._per_second, self._longest_gap))

    @property
    def ready(self) -> bool:
        """Whether any request needs nothing more than a turn."""
        return any(self._lanes.values())

    @property
    def next_edit_at(self) -> float | None:
        """The time when the next request's channel may be edited again, if any waits for that."""
        return self._cooling_down[0][0] + self.gap if self._cooling_down else None

    def oldest(self, now: float) -> float:
        """Return how many seconds the oldest edit of a live table, or the oldest new message, has waited."""
        pressing = (Priority.LIVE, Priority.POST)
        return max((now - each.since for each in self if each.priority in pressing), default=0.0)

    def __iter__(self) -> Iterator[WaitingRequest]:
        everything = chain(*self._lanes.values(), (waiting for _, waiting in self._cooling_down))
        return (waiting for waiting in everything if not waiting.turn.done())

    def ask(self, priority: Priority, channel_id: int | None, now: float) -> WaitingRequest:
        """Put a request in the queue."""
        turn = asyncio.get_running_loop().create_future()
        waiting = WaitingRequest(next(self._numbers), priority, channel_id, now, turn)
        self._count[priority] += 1
        heapq.heappush(self._lanes[priority], waiting)
        return waiting

    def give_up(self, waiting: WaitingRequest) -> None:
        """Stop counting a request that was cancelled."""
        self._count[waiting.priority] -= 1

    def take(self, now: float) -> WaitingRequest | None:
        """Take the next request out of the queue, if any may be sent now; an edit counts as done."""
        gap = self.gap
        while self._cooling_down and self._cooling_down[0][0] + gap <= now:
            _, cooled = heapq.heappop(self._cooling_down)
            heapq.heappush(self._lanes[cooled.priority], cooled)
        for priority in self._order(now):
            lane = self._lanes[priority]
            while (first := self._first(lane)) is not None:
                heapq.heappop(lane)
                edited = None if first.channel_id is None else self._edited.get(first.channel_id)
                if edited is not None and edited + gap > now:
                    heapq.heappush(self._cooling_down, (edited, first))
                    continue
                if first.channel_id is not None and self._gap:
                    self._note_edit(first.channel_id, now)
                self._count[priority] -= 1
                self._place = (self._place + 1) % len(_ROTA)
                return first
        return None

    def give_back(self, channel_id: int | None) -> None:
        """Forget an edit that wasn't sent after all: when its turn came, the edit before it was long enough ago."""
        if channel_id is not None:
            self._edited.pop(channel_id, None)

    def _order(self, now: float) -> Iterator[Priority]:
        """Yield the priorities, beginning with the one whose turn it is."""
        turn = _ROTA[self._place]
        if turn is not Priority.LIVE and self._waits(Priority.POST, LATE_SECONDS, now):
            turn = turn if self._waits(turn, PATIENT_SECONDS, now) else Priority.POST
        yield turn
        yield from (priority for priority in Priority if priority is not turn)

    def _waits(self, priority: Priority, seconds: float, now: float) -> bool:
        """Whether a request of this kind has waited that long for nothing but a turn."""
        first = self._first(self._lanes[priority])
        return first is not None and now - first.since >= seconds

    def _first(self, lane: list[WaitingRequest]) -> WaitingRequest | None:
        while lane and lane[0].turn.done():
            heapq.heappop(lane)
        return lane[0] if lane else None

    def _note_edit(self, channel_id: int, now: float) -> None:
        self._edited[channel_id] = now
        if len(self._edited) > _MANY_CHANNELS:
            self._edited = {key: at for key, at in self._edited.items() if now - at < self._longest_gap}
