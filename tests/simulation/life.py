"""One process of the bot, from its start to its end, however that comes."""

from __future__ import annotations

import asyncio
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from filelock import FileLock

from tests.simulation.loop import Loop

if TYPE_CHECKING:
    from bot.process.app import EscobaBot
    from bot.settings import Settings
    from tests.simulation.disk import Disk
    from tests.simulation.machine import Machine


class Around(Protocol):
    """What a process needs of the world around it."""

    machine: Machine
    disk: Disk
    shuffles: float
    settings: Settings

    def found(self, kind: str, what: str) -> None:
        """Object to something."""
        ...

    def cut_connections(self, life: Life) -> None:
        """Forget the connections of a process that is dead."""
        ...

    def life_ended(self, life: Life) -> None:
        """Note that a process has ended."""
        ...


class Life:
    """A process. It begins to serve when it is made.

    `contested`: set when another process may be waiting for its place.
    """

    def __init__(self, world: Around, number: int) -> None:
        from bot.process import serve

        self.world = world
        self.number = number
        self.loop = Loop(world.machine, world.machine.chance(f"loop {number}"), world.shuffles)
        self.loop.set_exception_handler(self._failed)
        self.contested = asyncio.Event()
        self.bot: EscobaBot | None = None
        self.code: int | None = None
        self.undisturbed = False
        """Whether nothing has happened to the process since the clock was last looked at that the bot should notice."""
        self._handlers: dict[int, Callable[[], None]] = {}
        self._locks: list[FileLock] = []
        self.loop.add_signal_handler = self._handle  # type: ignore[method-assign,assignment]
        world.disk.work_for(self.loop)
        self.task = self.loop.create_task(serve._ended(serve._serve(world.settings)))
        self.task.add_done_callback(self._ended)

    def _handle(self, number: int, handler: Callable[..., None], *args: Any) -> None:
        self._handlers[number] = lambda: handler(*args)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.world.found("error", f"{context.get('message')}: {_told(context.get('exception'))}")

    def _ended(self, task: asyncio.Task[int]) -> None:
        self.loop.kill()
        self.world.disk.ended(self.loop)
        self.code = None if task.cancelled() else 1 if task.exception() else task.result()
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.found("error", f"the process ended with {_told(error)}")
        self.world.life_ended(self)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self.loop.dead

    def made(self, bot: EscobaBot) -> None:
        """Its bot is built."""
        self.bot = bot
        owner: Any = bot.parts.owner
        self._locks = [owner._lock, owner._next]
        if (outages := bot.parts.outages) is not None:
            look = outages.look

            def looked() -> bool:
                """The looks that were left out, every second, since nothing would have come of them."""
                if self.undisturbed and outages._alive is not None:
                    outages._alive = outages._now()
                self.undisturbed = True
                sure = look()
                if not sure:
                    self.world.machine.after(1.0, self.look)
                return sure

            bot.parts.clock.look = looked

    def look(self) -> None:
        """Have the bot look at the clock, as it does every second: something has happened that it should notice."""
        if self.alive and self.bot is not None:
            self.undisturbed = False
            self.bot.parts.clock._changed.set()

    def live_on(self) -> None:
        """Have the bot note that it is alive, as it does every half minute."""
        if self.alive and self.bot is not None:
            self.bot.parts.clock._changed.set()

    def terminate(self) -> None:
        """Send SIGTERM."""
        if self.alive and (handler := self._handlers.get(signal.SIGTERM)) is not None:
            self.loop.call_soon(handler)

    def kill(self, *, power: bool = False) -> None:
        """Send SIGKILL, or with `power` pull the plug."""
        if not self.alive:
            return
        self.loop.kill()
        self.world.disk.cut_off(self.loop, power=power)
        for lock in self._locks:
            with suppress(Exception):
                lock.release(force=True)
        self.world.cut_connections(self)
        self.world.life_ended(self)


def _told(error: BaseException | None) -> str:
    return "" if error is None else "".join(traceback.format_exception(error))
