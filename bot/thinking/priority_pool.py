"""A pool that lends a fixed set of resources by urgency and, among equals, to one person after another."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")
REMEMBERED: Final = 1024
"""The number of people whose latest turns are known."""


@dataclass(frozen=True, slots=True)
class _Waiter(Generic[T]):
    urgency: int
    person: int | None
    number: int
    turn: asyncio.Future[T]


class PriorityPool(Generic[T]):
    """Lends each resource to one borrower at a time. The one released last is lent first."""

    def __init__(self, resources: Iterable[T]) -> None:
        self._idle = list(resources)
        self._waiting: list[_Waiter[T]] = []
        self._numbers = count(1)
        self._served: LRUCache[tuple[int, int | None], int] = LRUCache(REMEMBERED)
        """The number of the latest turn, by urgency and person."""

    async def acquire(self, urgency: int, person: int | None = None) -> T:
        """Wait for a resource, which must be released afterwards.

        Among waiters the lowest `urgency` goes first, and among equals the person whose latest turn is longest ago.
        """
        if self._idle:
            self._served[urgency, person] = next(self._numbers)
            return self._idle.pop()
        return await self._lent(self._line_up(urgency, person))

    async def exchange(self, resource: T, urgency: int, person: int | None = None) -> T:
        """Return a resource and wait for one again; nobody goes first who is less urgent."""
        turn = self._line_up(urgency, person)
        self.release(resource)
        return await self._lent(turn)

    def _line_up(self, urgency: int, person: int | None) -> asyncio.Future[T]:
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiter(urgency, person, next(self._numbers), turn))
        return turn

    async def _lent(self, turn: asyncio.Future[T]) -> T:
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(turn.result())  # it arrived at the same moment
            turn.cancel()
            raise

    def release(self, resource: T) -> None:
        """Return a resource and pass it on to the next waiter."""
        self._waiting = [each for each in self._waiting if not each.turn.done()]
        if not self._waiting:
            self._idle.append(resource)
            return
        following = min(self._waiting, key=self._place)
        self._waiting.remove(following)
        self._served[following.urgency, following.person] = next(self._numbers)
        following.turn.set_result(resource)

    def _place(self, waiter: _Waiter[T]) -> tuple[int, int, int]:
        return waiter.urgency, self._served.get((waiter.urgency, waiter.person), 0), waiter.number
