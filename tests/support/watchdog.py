"""A watchdog for the event loop: how long each of its steps takes, in processor time of its thread.

Time on the clock says more about the machine's load than about the code, and garbage collections more about the tests'
heap, so neither counts.
"""

import asyncio
import gc
import time
from asyncio import Handle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.thinking import port


class Watchdog:
    """The longest step of the loop in seconds, and what it was. The steps of the test itself don't count."""

    def __init__(self) -> None:
        self._test = asyncio.current_task()
        self.longest = 0.0
        self.what = ""
        self._excused = 0.0

    def begin(self) -> None:
        """Forget the steps so far."""
        self.longest, self.what = 0.0, ""
        gc.collect(0)

    def watch(self, run: Callable[[Any], None], handle: Any) -> None:
        """Run a step."""
        task = getattr(handle._callback, "__self__", None)
        excused, began = self._excused, time.thread_time()
        run(handle)
        took = time.thread_time() - began - (self._excused - excused)
        if took > self.longest and (task is None or task is not self._test):
            self.longest, self.what = took, repr(task or handle)[:300]

    def excusing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, whose time doesn't count."""

        def excused(*args: Any, **options: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*args, **options)
            finally:
                self._excused += time.thread_time() - began

        return excused


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watchdog]:
    """Watch the loop's steps for the duration of the block."""
    dog, run = Watchdog(), Handle._run
    with monkeypatch.context() as patched:
        patched.setattr(Handle, "_run", lambda handle: dog.watch(run, handle))
        for name in ("analyse", "chosen_move"):  # the bot lets other processes think
            patched.setattr(port, name, dog.excusing(getattr(port, name)))
        gc.collect()
        gc.disable()
        try:
            yield dog
        finally:
            gc.enable()
