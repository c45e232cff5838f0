"""One message that always ends up showing the newest state, whatever overtakes what.

Two things write a message: the answer to a click on it, and an edit because something else happened. Edits that wait
collapse into one; none begins while a click is being answered; and what was under way while a click was answered, an
edit or another answer, is followed by one more edit, because Discord may have applied the older one last.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

log = logging.getLogger(__name__)

Push = Callable[[], Awaitable[None]]
HOLD_SECONDS: Final = 3.0
"""Discord takes no answer to a click after that: while one still fails, the others needn't wait for it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What an answer shows: the state it was rendered from, and its number.

    `alone`: no edit was under way then; `pushes`: how many edits there had been.
    """

    state: int
    number: int
    alone: bool
    pushes: int


class Surface:
    """Keeps a message up to date by `push`, which renders the newest state and sends it, and doesn't raise."""

    __slots__ = ("_answers", "_closed", "_held", "_push", "_pushes", "_shown", "_task", "_wanted")

    def __init__(self, push: Push) -> None:
        self._push = push
        self._wanted = 0
        self._shown = 0
        self._held = 0
        self._answers = 0
        self._pushes = 0
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def invalidate(self) -> None:
        """The state has changed: show it, now or after what is under way."""
        self._wanted += 1
        self._start()

    @contextmanager
    def held(self) -> Generator[None]:
        """While a click is being answered no edit begins, for as long as Discord would take the answer."""
        self._held += 1
        holding = True

        def release() -> None:
            nonlocal holding
            if holding:
                holding = False
                self._held -= 1
                self._start()

        timer = asyncio.get_running_loop().call_later(HOLD_SECONDS, release)
        try:
            yield
        finally:
            timer.cancel()
            release()

    def mark(self) -> Mark:
        """The state that a render made now shows; give it to `answered`. Take it while the surface is held."""
        self._answers += 1
        return Mark(self._wanted, self._answers, self._task is None, self._pushes)

    def answered(self, mark: Mark) -> None:
        """The answer to a click has shown the state of `mark`."""
        if mark.number != self._answers or mark.pushes != self._pushes:
            self.invalidate()  # a newer answer or edit was on its way beside it: nobody knows which came last
        elif mark.alone:
            self._shown = max(self._shown, mark.state)

    async def settle(self) -> None:
        """Wait until the edit under way, if any, is done."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def close(self) -> None:
        """Begin no more edits."""
        self._closed = True

    def reopen(self) -> None:
        """Begin edits again."""
        self._closed = False
        self._start()

    def _start(self) -> None:
        if self._task is None and not self._held and not self._closed and self._shown < self._wanted:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._shown < self._wanted and not self._held and not self._closed:
                mark = self._wanted
                self._pushes += 1
                try:
                    await self._push()
                except Exception:  # it promises not to; a loop that tries again at once would be worse
                    log.exception("A message could not be brought up to date")
                self._shown = mark
        finally:
            self._task = None
            self._start()
