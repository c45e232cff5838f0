"""One message that always ends up showing the newest state, whatever overtakes what.

Two things write a message: the answer to a click on it, and an edit because something else happened. Edits that wait
collapse into one; none begins while a click is being answered; and what was under way while a click was answered, an
edit or another answer, is followed by one more edit, because Discord may have applied the older one last. An edit that
waits for its turn to be sent isn't under way yet: what it shows is rendered when the turn has come, and when an answer
has shown it meanwhile it isn't sent at all.
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
Spare = Callable[[], None]
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
    """Keeps a message up to date.

    Args:
        push: renders the newest state and sends it, and doesn't raise.
        ready: waits for the turn to send; None: it is always one's turn.
        spare: gives a turn back that came when there was nothing to be sent any more.
    """

    __slots__ = (
        "_answers",
        "_closed",
        "_held",
        "_push",
        "_pushes",
        "_pushing",
        "_ready",
        "_shown",
        "_spare",
        "_task",
        "_waiting",
        "_wanted",
    )

    def __init__(self, push: Push, ready: Push | None = None, spare: Spare | None = None) -> None:
        self._push = push
        self._ready = ready
        self._spare = spare
        self._waiting = False
        self._pushing = False
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
        return Mark(self._wanted, self._answers, not self._pushing, self._pushes)

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
        self.ask_again()

    def ask_again(self) -> None:
        """Ask for the turn anew, if it is being waited for: it may come sooner now."""
        if self._waiting and self._task is not None:
            self._task.cancel()

    def reopen(self) -> None:
        """Begin edits again."""
        self._closed = False
        self._start()

    def _start(self) -> None:
        if self._task is None and self._due:
            self._task = asyncio.create_task(self._run())

    @property
    def _due(self) -> bool:
        """Whether there is something to be shown, and no reason to wait with it."""
        return self._shown < self._wanted and not self._held and not self._closed

    async def _run(self) -> None:
        try:
            while self._due:
                if self._ready is not None and not await self._turn(self._ready):
                    continue
                mark = self._wanted
                self._pushes += 1
                self._pushing = True
                try:
                    await self._push()
                except Exception:  # it promises not to; a loop that tries again at once would be worse
                    log.exception("A message could not be brought up to date")
                finally:
                    self._pushing = False
                self._shown = mark
        finally:
            self._task = None
            self._start()

    async def _turn(self, ready: Push) -> bool:
        """Wait for the turn; whether there still is something to be shown then."""
        self._waiting = True
        try:
            await ready()
        finally:
            self._waiting = False
        if not self._due and self._spare is not None:
            self._spare()
        return self._due
