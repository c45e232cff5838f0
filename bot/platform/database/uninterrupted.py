"""Awaiting work that must not be cancelled half-way."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Await work that runs to its end even if the caller is cancelled; the cancellation is raised afterwards.

    If a connection's task were cancelled while its thread works, the pool would lose the connection in whatever state
    it was, perhaps in a transaction that locks the database.
    """
    return await completed(asyncio.create_task(work))


async def completed(work: asyncio.Future[T]) -> T:
    """Await work that has already begun, in the same way."""
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return work.result()
    if not work.cancelled():
        work.exception()  # mark it as retrieved: the caller is gone
    raise cancelled
