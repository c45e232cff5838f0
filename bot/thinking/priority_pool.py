"""Who may use one of a few things next: the most urgent of those who wait, and of equals who came first."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterable
from itertools import count
from typing import Generic, TypeVar

T = TypeVar("T")


class PriorityPool(Generic[T]):
    """Lends things, each to one at a time. The one that was given back last is lent first."""

    def __init__(self, things: Iterable[T]) -> None:
        self._idle = list(things)
        self._waiting: list[tuple[int, int, asyncio.Future[T]]] = []
        self._numbers = count()

    async def acquire(self, urgency: int) -> T:
        """One of the things, to be given back; of those who wait the lowest number has it first."""
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(turn.result())  # it came in the very moment
            turn.cancel()
            raise

    def release(self, thing: T) -> None:
        """Somebody needs it no longer."""
        while self._waiting:
            *_, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(thing)
                return
        self._idle.append(thing)
