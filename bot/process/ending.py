"""Ends what hangs: work is given up after a time, and at last the whole process.

A database that doesn't answer can hold up anything that asks it, even its own cancellation, and so can a thread that
looks up a name or writes to a disk. What was stored stays stored, as after a crash.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)

CANCELLING_SECONDS: Final = 0.5
"""How long work may take to end after it was cancelled."""
T = TypeVar("T")


async def at_most(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await some work for this long, then cancel it, and don't wait long for that either.

    Raises:
        TimeoutError: if it took longer; it may still be under way.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=CANCELLING_SECONDS)
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()
        task.add_done_callback(_give_up)


def _give_up(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()  # or asyncio would report that nobody has looked at it


def end_within(seconds: float, code: int, *, silent: bool = False) -> None:
    """Have the process end after this long, with this exit code, unless it has ended by then or was to end earlier."""
    timer = threading.Timer(seconds, _end, (code, silent))
    timer.daemon = True  # it doesn't keep the process alive, but goes on while other threads do
    timer.start()


def end_at_once(number: int) -> None:
    """End the process as if a signal had killed it, which doesn't kill the first process of a container."""
    log.warning("Told to stop a second time: ending at once")
    os._exit(128 + number)


def _end(code: int, silent: bool) -> None:
    if not silent:
        log.warning(
            "Something that doesn't answer holds up the end of this process: it ends without waiting any longer"
        )
    os._exit(code)
