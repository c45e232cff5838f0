"""Thinking in processes of its own: however long it takes, hangs or dies there, a table has its move in time."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

from bot.engine.round import Move
from bot.engine.views import SeatView
from bot.meter import Meter, Thought
from bot.players import Character, Level
from bot.thinking.port import chosen
from bot.thinking.worker import ANSWER, SIZE, Question

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 3.0
"""How long a table waits for a move, its place in the queue included; then it gets the normal level's."""
QUEUE: Final = 32
"""How many positions may wait; one more gets the normal level's move at once."""
AGAIN_SECONDS: Final = 5.0
"""How long after a process died or hung another one is started."""
_EFFORTS: Final = ((2, 1.0), (8, 0.5), (QUEUE, 0.25))
"""Up to so many waiting for each process, so much of the usual work is done."""
_ROOT: Final = Path(__file__).resolve().parents[2]


class Processes:
    """Thinks in some processes, each started when it is first needed. A `Thinker`.

    Only the hard level is thought about there; the others take less time than the way would.

    Args:
        count: how many processes, each at most a core; 0: none, and the hard level plays as the normal one.
        meter: is told how each thought ended.
        seconds: how long a move is waited for.
    """

    def __init__(self, count: int, meter: Meter, seconds: float = WAIT_SECONDS) -> None:
        self._idle: asyncio.LifoQueue[_Process] = asyncio.LifoQueue()
        self._processes = [_Process() for _ in range(count)]
        for process in self._processes:
            self._idle.put_nowait(process)
        self._meter = meter
        self._seconds = seconds
        self._waiting = 0
        self._closed = False
        self._ending = asyncio.Event()

    async def move(self, view: SeatView, level: Level, seed: str, character: Character | None = None) -> Move:
        """The level's move, or in need the normal level's."""
        if level is not Level.HARD or len(view.moves) == 1 or not self._processes:
            return chosen(view, level if level is not Level.HARD else Level.NORMAL, seed, character)
        began = perf_counter()
        number, how = await self._asked(view, level, seed, character)
        self._meter.thought(how, perf_counter() - began)
        if number is not None and 0 <= number < len(view.moves):
            return view.moves[number]
        return chosen(view, Level.NORMAL, seed, character)

    async def _asked(
        self, view: SeatView, level: Level, seed: str, character: Character | None
    ) -> tuple[int | None, Thought]:
        if self._closed or self._waiting >= QUEUE * len(self._processes):
            if not self._closed:
                log.warning("Too many computers are thinking: one plays at the normal level")
            return None, Thought.BUSY
        effort = self._effort()
        # What happened long ago is neither needed nor small.
        bare = replace(view, public=replace(view.public, scores=(), facts=(), recent=()))
        question = Question(bare, level, seed, effort, character)
        self._waiting += 1
        asking = asyncio.create_task(self._ask(question))
        ending = asyncio.create_task(self._ending.wait())
        try:
            await asyncio.wait({asking, ending}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                return asking.result()
            if not self._closed:
                log.warning("A computer thought for too long: it plays at the normal level")
            return None, Thought.LATE
        finally:
            self._waiting -= 1
            for task in (asking, ending):
                task.cancel()
            await asyncio.gather(asking, ending, return_exceptions=True)

    def _effort(self) -> float:
        each = self._waiting / len(self._processes)
        return next((effort for most, effort in _EFFORTS if each < most), _EFFORTS[-1][1])

    async def _ask(self, question: Question) -> tuple[int | None, Thought]:
        try:
            # Begun later it would be broken off, and a sound process ended for that.
            async with asyncio.timeout(self._seconds / 2):
                process = await self._idle.get()
        except TimeoutError:
            return None, Thought.BUSY
        try:
            number = await process.answer(question)
        finally:
            self._idle.put_nowait(process)
        if number is None:
            return None, Thought.FAILED
        return number, Thought.FULL if question.effort == 1 else Thought.REDUCED

    async def close(self) -> None:
        """End the processes; who waits gets the normal level's move."""
        self._closed = True
        self._ending.set()
        await asyncio.gather(*(process.end() for process in self._processes))


class _Process:
    """A worker process, or the place of one that isn't running now. One question at a time."""

    __slots__ = ("_down_until", "_killed", "_process")

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._killed: list[asyncio.subprocess.Process] = []
        self._down_until = 0.0

    async def answer(self, question: Question) -> int | None:
        """The number of a move; None if it couldn't be found. One that doesn't end is broken off by cancelling."""
        now = asyncio.get_running_loop().time
        if self._process is None and now() < self._down_until:
            return None
        if self._process is not None and self._process.returncode is not None:
            log.warning("The process that thinks for computers has ended, and another is started")
            self._process = None
        sound = False
        try:
            process = self._process = self._process or await _started()
            assert process.stdin is not None
            assert process.stdout is not None
            body = pickle.dumps(question)
            process.stdin.write(SIZE.pack(len(body)) + body)
            await process.stdin.drain()
            number: int = ANSWER.unpack(await process.stdout.readexactly(ANSWER.size))[0]
            sound = True
            return number
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            log.warning("The process that thinks for computers ended (%s)", type(error).__name__)
            return None
        finally:
            if not sound:  # its answer, should one come, would be taken for that to the next question
                self._down_until = now() + AGAIN_SECONDS
                self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        self._killed = [killed for killed in self._killed if killed.returncode is None]
        if process is not None:
            self._killed.append(process)
            with suppress(ProcessLookupError):
                process.kill()

    async def end(self) -> None:
        """End the process, whatever it does, and see those off that were killed before."""
        self._kill()
        await asyncio.gather(*(process.wait() for process in self._killed))


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from bot.thinking.worker import main; main()",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=_ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("ESCOBA_")},  # no token
    )
