"""Thinking in worker processes: however slow they are, and even if they hang or die, a table gets its move in time."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import re
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar

from bot.coach.analysis import Analysis
from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.platform.operating.meter import Meter, Thought
from bot.platform.outside import read_json
from bot.players import Character, Level
from bot.thinking.port import Question, Urgency, Work, chosen_move
from bot.thinking.priority_pool import PriorityPool
from bot.thinking.worker import SIZE, MoveQuestion, analysis_in_steps, bare

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 3.0
"""The time that a table waits for a move, time in the queue included, before it gets the normal level's."""
PATIENCE_SECONDS: Final = 60.0
"""The longest that a request without anybody at a table waiting for it stays behind more urgent ones."""
QUEUE: Final = 32
"""The number of moves that may wait for each process; one more gets the normal level's move right away."""
AGAIN_SECONDS: Final = 5.0
"""The wait before another process is started after one has died or hung."""
_MOST: Final = {
    Urgency.MOVE: QUEUE,
    Urgency.HINT: 8,
    Urgency.DAY: 2,
    Urgency.REVIEW: 16,
    Urgency.LUCK: 16,
}
"""The number of requests of each kind that may wait for each process. A review queues one decision at a time."""
_SHARE: Final = 4
"""One person may have this part of all but the moves, so that there is room for others."""
_UNHURRIED: Final = 4
"""Requests that nobody at a table waits for may take this many times as long as a move, so that they aren't cut short
on a busy machine."""
_EFFORTS: Final = ((2, 1.0), (8, 0.5), (QUEUE, 0.25))
"""With fewer than this many moves waiting for each process, this fraction of the usual work is done."""
_LONGEST_ANSWER: Final = 64 * 1024
_NEEDED: Final = re.compile(r"PYTHON\w*|PATH|LD_LIBRARY_PATH|LANG|LC_\w+|TMPDIR|SYSTEMROOT", re.IGNORECASE)
"""The only environment variables that a worker gets, so no token or password reaches it, whatever its name is."""
_ROOT: Final = Path(__file__).resolve().parents[2]
T = TypeVar("T")


class ProcessThinker:
    """A `Thinker`, an `Analyst` and a `Solver` that uses worker processes, each started when first needed.

    Only the hard level's moves are sent there; the others take less time than sending would.

    Args:
        count: the number of processes, each using at most one core. With 0 the hard level plays like the normal one,
            and nobody gets advice.
        meter: records how each request ended.
        seconds: how long to wait for a move or a hint.
    """

    def __init__(self, count: int, meter: Meter, seconds: float = WAIT_SECONDS) -> None:
        self._processes = [_Process() for _ in range(count)]
        self._pool = PriorityPool(self._processes)
        self._meter = meter
        self._seconds = seconds
        self._waiting = dict.fromkeys(Urgency, 0)
        self._own: Counter[tuple[Urgency, int | None]] = Counter()
        """The number of requests that wait, by kind and person."""
        self._answering: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._ending = asyncio.Event()

    async def move(
        self, view: SeatView, level: Level, seed: str, character: Character | None = None, *, person: int | None = None
    ) -> Move:
        if level is not Level.HARD or len(view.moves) == 1 or not self._processes:
            return chosen_move(view, level if level is not Level.HARD else Level.NORMAL, seed, character)
        began = perf_counter()
        question = MoveQuestion(bare(view), level, seed, self._effort(), character)
        move, how = await self._in_time(_only(question), Urgency.MOVE, person)
        if how is Thought.FULL and question.effort < 1:
            how = Thought.REDUCED
        self._meter.thought(how, perf_counter() - began)
        if how is Thought.BUSY and not self._closed:
            log.warning("Too many computer players are thinking: one plays at the normal level")
        elif how is Thought.LATE and not self._closed:
            log.warning("A computer player thought for too long: it plays at the normal level")
        return chosen_move(view, Level.NORMAL, seed, character) if move is None else move

    async def analysis(
        self,
        view: SeatView,
        seed: str,
        urgency: Urgency,
        *,
        draws: int,
        played: Move | None = None,
        person: int | None = None,
    ) -> Analysis | None:
        return await self.solve(analysis_in_steps(bare(view), seed, draws, played), urgency, person)

    async def solve(self, work: Work[T], urgency: Urgency, person: int | None = None) -> T | None:
        """Answer the work's questions, and return its result; None if it isn't available now. More urgent requests have
        their turn between the questions."""
        if not self._processes:
            return None
        began = perf_counter()
        found, how = await self._in_time(work, urgency, person)
        self._meter.advised(urgency.name.lower(), how, perf_counter() - began)
        if found is None and not self._closed:
            log.warning("Could not give advice (%s, %s)", urgency.name.lower(), how)
        return found

    async def _in_time(self, work: Work[T], urgency: Urgency, person: int | None) -> tuple[T | None, Thought]:
        """Do work unless too much is waiting already; it keeps its place until all of its questions are answered."""
        most = _MOST[urgency] * len(self._processes)
        own = most if person is None or urgency is Urgency.MOVE else max(most // _SHARE, 1)
        if self._closed or self._waiting[urgency] >= most or self._own[urgency, person] >= own:
            return None, Thought.BUSY
        self._waiting[urgency] += 1
        self._own[urgency, person] += 1
        asking = asyncio.create_task(self._ask(work, urgency, person))
        ending = asyncio.create_task(self._ending.wait())
        try:
            await asyncio.wait({asking, ending}, return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else (None, Thought.LATE)
        finally:
            self._waiting[urgency] -= 1
            self._own[urgency, person] -= 1
            self._own = +self._own
            for task in (asking, ending):
                task.cancel()
            await asyncio.gather(asking, ending, return_exceptions=True)

    def _effort(self) -> float:
        per_process = self._waiting[Urgency.MOVE] / len(self._processes)
        return next((effort for most, effort in _EFFORTS if per_process < most), _EFFORTS[-1][1])

    async def _ask(self, work: Work[T], urgency: Urgency, person: int | None) -> tuple[T | None, Thought]:
        now = asyncio.get_running_loop().time
        until = now() + self._seconds
        try:
            # A question started any later would be cut off, and a healthy process killed for it.
            async with asyncio.timeout(PATIENCE_SECONDS if urgency > Urgency.HINT else self._seconds / 2):
                process = await self._pool.acquire(urgency, person)
        except TimeoutError:
            return None, Thought.BUSY
        if urgency > Urgency.HINT:
            until = now() + _UNHURRIED * self._seconds
        # The caller may give up, but cutting the answer off would kill a healthy process that others need.
        answering = asyncio.create_task(self._answer(process, work, urgency, person, until))
        self._answering.add(answering)
        answering.add_done_callback(self._answering.discard)
        try:
            return await asyncio.shield(answering)
        finally:
            work.close()  # nothing more is asked for a caller that has given up

    async def _answer(
        self, process: _Process, work: Work[T], urgency: Urgency, person: int | None, until: float
    ) -> tuple[T | None, Thought]:
        now = asyncio.get_running_loop().time
        answer: Any = None
        try:
            while True:
                try:
                    question = work.send(answer)
                except StopIteration as end:
                    return end.value, Thought.FULL
                if answer is not None:
                    process = await self._pool.exchange(process, urgency, person)
                    until = now() + _UNHURRIED * self._seconds
                async with asyncio.timeout_at(until):
                    answer = await process.answer(question)
                if answer is None:
                    return None, Thought.FAILED
                answer = question.parse(answer)
        except TimeoutError:
            return None, Thought.LATE
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            log.warning("A worker process for computer players gave an invalid answer (%s)", type(error).__name__)
            return None, Thought.FAILED
        finally:
            self._pool.release(process)

    async def close(self) -> None:
        """End the processes; callers still waiting get the normal level's move, or no advice."""
        self._closed = True
        self._ending.set()
        await asyncio.gather(*(process.end() for process in self._processes))
        await asyncio.gather(*self._answering, return_exceptions=True)


def _only(question: Question[T]) -> Work[T]:
    return (yield question)


class _Process:
    """A slot for a worker process, which may not be running. It takes one question at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._killed: list[asyncio.subprocess.Process] = []
        self._down_until = 0.0

    async def answer(self, question: Question[object]) -> Any:
        """The answer as a JSON value; None if there is none. Cancel the call to cut off a question that takes too long.

        Raises:
            ValueError: if the answer isn't JSON.
        """
        now = asyncio.get_running_loop().time
        if self._process is None and now() < self._down_until:
            return None
        if self._process is not None and self._process.returncode is not None:
            log.warning("A worker process for computer players has ended; another is being started")
            self._process = None
        sound = False
        try:
            process = self._process = self._process or await _start_worker()
            assert process.stdin is not None
            assert process.stdout is not None
            body = pickle.dumps(question)
            process.stdin.write(SIZE.pack(len(body)) + body)
            await process.stdin.drain()
            size: int = SIZE.unpack(await process.stdout.readexactly(SIZE.size))[0]
            if size > _LONGEST_ANSWER:
                raise ValueError("the answer is too long")
            answer = read_json(await process.stdout.readexactly(size))
            sound = True
            return answer
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            log.warning("A worker process for computer players ended (%s)", type(error).__name__)
            return None
        finally:
            if not sound:  # a late answer would be taken for the answer to the next question
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
        """Kill the process, whatever it is doing, and wait until it and those killed before are gone."""
        self._kill()
        await asyncio.gather(*(process.wait() for process in self._killed))


async def _start_worker() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        # Python's own way to import from the current folder is off where PYTHONSAFEPATH is set
        "import sys; sys.path.insert(0, sys.argv[1]); from bot.thinking.worker import main; main()",
        str(_ROOT),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=_ROOT,
        env={name: value for name, value in os.environ.items() if _NEEDED.fullmatch(name)},
    )
