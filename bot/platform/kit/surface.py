"""One message that always ends up showing the newest state, whatever overtakes what.

Two things write a message: the answer to a click on it, and an edit because something else happened. Edits that wait
collapse into one; none begins while a click is being answered; and whatever was under way while a click was answered,
an edit or another answer, is followed by one more edit, because Discord may have applied the older one last. An edit
that waits for its turn isn't under way yet: what it shows is rendered when the turn has come, and it isn't sent at all
if an answer has shown that meanwhile.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
Turn = Callable[[], AbstractAsyncContextManager[T]]
HOLD_SECONDS: Final = 3.0
"""Discord takes no answer to a click after that, so an answer still under way then no longer holds up the edits."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of an answer: the state it was rendered from, and its number.

    `alone`: no edit was under way then; `pushes`: how many edits there had been.
    """

    state: int
    number: int
    alone: bool
    pushes: int


class Surface(Generic[T]):
    """Keeps a message up to date.

    Args:
        turn: waits until an edit may be sent, which happens within its block; it yields what `push` needs.
        push: renders the newest state and sends it, and doesn't raise.
    """

    __slots__ = (
        "_answers",
        "_closed",
        "_held",
        "_push",
        "_pushes",
        "_pushing",
        "_shown",
        "_task",
        "_turn",
        "_waiting",
        "_wanted",
    )

    def __init__(self, turn: Turn[T], push: Callable[[T], Awaitable[None]]) -> None:
        self._turn = turn
        self._push = push
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
        """Show a changed state, now or after what is under way."""
        self._wanted += 1
        self._start()

    @contextmanager
    def held(self) -> Generator[None]:
        """Context manager for answering a click: no edit begins for as long as Discord would take the answer."""
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
        """The state that a render made now shows, for `answer_shown`. Take it while the surface is held."""
        self._answers += 1
        return Mark(self._wanted, self._answers, not self._pushing, self._pushes)

    def answer_shown(self, mark: Mark) -> None:
        """Note that the answer to a click has shown the state of `mark`."""
        if mark.number != self._answers or mark.pushes != self._pushes:
            self.invalidate()  # a newer answer or edit was under way beside it: nobody knows which came last
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
        """Ask again for a turn that is being waited for: it may come sooner now."""
        if self._waiting and self._task is not None:
            self._task.cancel()

    def reopen(self) -> None:
        self._closed = False
        self._start()

    def _start(self) -> None:
        if self._task is None and self._due:
            self._task = asyncio.create_task(self._run())

    @property
    def _due(self) -> bool:
        """Whether there is something to show, and no reason to wait."""
        return self._shown < self._wanted and not self._held and not self._closed

    async def _run(self) -> None:
        try:
            while self._due:
                self._waiting = True
                async with self._turn() as turn:
                    self._waiting = False
                    if self._due:
                        await self._push_newest(turn)
        finally:
            self._waiting = False
            self._task = None
            self._start()

    async def _push_newest(self, turn: T) -> None:
        mark = self._wanted
        self._pushes += 1
        self._pushing = True
        try:
            await self._push(turn)
        except Exception:  # it promises not to raise; a loop that tries again at once would be worse
            log.exception("Could not update a message")
        finally:
            self._pushing = False
        self._shown = mark
