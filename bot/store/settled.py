"""Waiting for work that nobody may interrupt."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def settled(work: Coroutine[Any, Any, T]) -> T:
    """Await work that is finished even when the caller is cancelled; the cancellation waits for it.

    A connection that is cancelled while its thread works would be lost to the pool in whatever state it was,
    such as in a transaction that locks the database.
    """
    return await finished(asyncio.create_task(work))


async def finished(work: asyncio.Future[T]) -> T:
    """The same for work that has begun."""
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return work.result()
    if not work.cancelled():
        work.exception()  # looked at: nobody is left to be told
    raise cancelled
