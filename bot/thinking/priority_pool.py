"""A pool that lends a fixed set of resources by urgency and, among equally urgent waiters, first come, first served."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterable
from itertools import count
from typing import Generic, TypeVar

T = TypeVar("T")


class PriorityPool(Generic[T]):
    """Lends each resource to one borrower at a time. The one released last is lent first."""

    def __init__(self, resources: Iterable[T]) -> None:
        self._idle = list(resources)
        self._waiting: list[tuple[int, int, asyncio.Future[T]]] = []
        self._numbers = count()

    async def acquire(self, urgency: int) -> T:
        """Wait for a resource, which must be released afterwards; among waiters the lowest `urgency` goes first."""
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(turn.result())  # it arrived at the same moment
            turn.cancel()
            raise

    def release(self, resource: T) -> None:
        """Return a resource and pass it on to the next waiter."""
        while self._waiting:
            *_, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(resource)
                return
        self._idle.append(resource)
