"""Ends what hangs: gives up on work after a time limit, and in the end on the whole process.

A database that doesn't answer can hold up anything that asks it, even its own cancellation, and so can a thread that
looks up a name or writes to a disk. What was stored stays stored, as after a crash.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)

CANCELLING_SECONDS: Final = 0.5
"""The time that cancelled work has to end."""
T = TypeVar("T")


async def at_most(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await some work for at most this long, then cancel it, and don't wait long for that either.

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
        task.exception()  # or asyncio would report an exception that was never retrieved


def end_within(seconds: float, code: int, *, silent: bool = False) -> None:
    """End the process after this long with this exit code, unless it ends before that, by itself or by another call."""
    timer = threading.Timer(seconds, _end, (code, silent))
    timer.daemon = True  # it doesn't keep the process alive, but runs as long as other threads do
    timer.start()


def end_at_once(number: int) -> None:
    """End the process as if a signal had killed it; a container's first process isn't killed by the signal itself."""
    log.warning("Told to stop a second time: exiting at once")
    os._exit(128 + number)


def _end(code: int, silent: bool) -> None:
    if not silent:
        log.warning("Something isn't responding and holds up the shutdown: exiting without waiting any longer")
    os._exit(code)
