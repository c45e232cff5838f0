"""Hard computer players think in separate processes; whatever happens to those, there is a move."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from bot.engine.match import Match
from bot.engine.moves import Move, Stage
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.views import SeatView
from bot.platform.operating.meter import Meter, Thought
from bot.players import Level
from bot.thinking import InlineThinker
from bot.thinking.port import chosen_move
from bot.thinking.processes import QUEUE, ProcessThinker
from tests.players.positions import anything, states, view_at_turn
from tests.support.dose import thorough_but
from tests.support.patience import HANG_SECONDS


class Noted(Meter):
    """A meter that records how each request ended."""

    def __init__(self) -> None:
        self.thoughts: list[Thought] = []
        self.advice: list[tuple[str, Thought]] = []

    def thought(self, outcome: Thought, seconds: float) -> None:
        self.thoughts.append(outcome)

    def advised(self, what: str, outcome: Thought, seconds: float) -> None:
        self.advice.append((what, outcome))


def views(rules: Rules = Rules(), seating: Seating = Seating.TWO, seed: int = 1) -> list[SeatView]:  # noqa: B008
    """What the current players of a random round see, whenever they have a choice."""
    matches: list[Match] = list(states(rules, seating, [anything] * seating.sides, seed, rounds=1))
    found = [view_at_turn(match) for match in matches if match.stage is Stage.TO_PLAY]
    return [view for view in found if len(view.moves) > 1]


VIEWS = views()
EARLY = VIEWS[0]
"""A position that needs a full search."""
FIRST_PRESET, *OTHER_PRESETS = PRESETS
a_preset_or_the_others = pytest.mark.parametrize(
    "presets", thorough_but([[FIRST_PRESET], OTHER_PRESETS], [FIRST_PRESET]), ids=["one preset", "the others"]
)


@asynccontextmanager
async def processes(count: int = 1, seconds: float = HANG_SECONDS) -> AsyncIterator[tuple[ProcessThinker, Noted]]:
    noted = Noted()
    thinker = ProcessThinker(count, noted, seconds)
    try:
        yield thinker, noted
    finally:
        await thinker.close()


def pid_of(thinker: ProcessThinker) -> int:
    """The process id of the only worker, which must be running."""
    [process] = thinker._processes
    assert process._process is not None
    return process._process.pid


async def gone(pid: int) -> None:
    """Wait until the process has ended, or is a zombie."""

    def running() -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):  # the latter if it ends between opening and reading
            return False

    async with asyncio.timeout(HANG_SECONDS):
        while running():  # noqa: ASYNC110 - another process's end
            await asyncio.sleep(0.02)


T = TypeVar("T")


async def answered(asked: Awaitable[T]) -> T:
    """A thinker's answer; a thinker that keeps its caller waiting for ever fails the test."""
    try:
        async with asyncio.timeout(2 * HANG_SECONDS):  # the thinker's own limit is shorter
            return await asked
    except TimeoutError:
        raise AssertionError("the thinker doesn't answer, although its time is up") from None


async def hard(thinker: ProcessThinker, view: SeatView = EARLY, seed: str = "7/3/1") -> Move:
    return await answered(thinker.move(view, Level.HARD, seed))


def normal(view: SeatView = EARLY, seed: str = "7/3/1") -> Move:
    return chosen_move(view, Level.NORMAL, seed)


@a_preset_or_the_others
async def test_the_process_finds_the_same_move_as_the_inline_thinker(presets: Sequence[str]) -> None:
    async with processes() as (thinker, noted):
        for preset in map(PRESETS.__getitem__, presets):
            for view in views(preset.rules, preset.seatings[0])[::9]:
                assert await hard(thinker, view) == await InlineThinker().move(view, Level.HARD, "7/3/1")
        assert set(noted.thoughts) == {Thought.FULL}


async def test_other_levels_and_forced_moves_need_no_process() -> None:
    async with processes() as (thinker, noted):
        assert await thinker.move(EARLY, Level.EASY, "a") == chosen_move(EARLY, Level.EASY, "a")
        assert await thinker.move(EARLY, Level.NORMAL, "a") == chosen_move(EARLY, Level.NORMAL, "a")
        assert noted.thoughts == []
        assert thinker._processes[0]._process is None


async def test_without_processes_hard_plays_as_normal() -> None:
    async with processes(0) as (thinker, noted):
        assert await hard(thinker) == normal()
        assert noted.thoughts == []


async def test_a_process_killed_between_two_moves_is_replaced(expected_log: Callable[[str], bool]) -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        os.kill(pid := pid_of(thinker), signal.SIGKILL)
        await gone(pid)
        process = thinker._processes[0]._process
        assert process is not None
        async with asyncio.timeout(HANG_SECONDS):
            while process.returncode is None:  # noqa: ASYNC110 - until the loop notices
                await asyncio.sleep(0.01)
        assert await hard(thinker) == chosen_move(EARLY, Level.HARD, "7/3/1")
        assert pid_of(thinker) != pid
        assert noted.thoughts == [Thought.FULL, Thought.FULL]
        assert expected_log("has ended")


async def test_a_process_killed_while_it_thinks_costs_a_normal_move(expected_log: Callable[[str], bool]) -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        os.kill(pid_of(thinker), signal.SIGSTOP)  # so that it surely hasn't answered yet
        asked = asyncio.create_task(hard(thinker))
        await asyncio.sleep(0.05)
        os.kill(pid_of(thinker), signal.SIGKILL)
        assert await asked == normal()
        assert await hard(thinker) == normal(), "another process isn't started right away"
        assert noted.thoughts == [Thought.FULL, Thought.FAILED, Thought.FAILED]
        assert expected_log("ended")


async def test_a_frozen_process_costs_normal_moves_and_is_killed(expected_log: Callable[[str], bool]) -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        os.kill(pid := pid_of(thinker), signal.SIGSTOP)
        thinker._seconds = 0.3
        moves = await asyncio.gather(*(hard(thinker) for _ in range(4)))
        assert moves == [normal()] * 4
        assert noted.thoughts[0] is Thought.FULL
        assert noted.thoughts.count(Thought.LATE) == 1
        assert Thought.FULL not in noted.thoughts[1:]
        await gone(pid)
        assert expected_log("too long")


async def test_when_many_wait_each_gets_less_thought_and_too_many_get_a_normal_move(
    expected_log: Callable[[str], bool],
) -> None:
    async with processes() as (thinker, noted):
        moves = await asyncio.gather(*(hard(thinker) for _ in range(QUEUE + 3)))
        assert all(move in EARLY.moves for move in moves)
        assert noted.thoughts.count(Thought.BUSY) == 3
        assert noted.thoughts.count(Thought.FULL) == 2
        assert noted.thoughts.count(Thought.REDUCED) == QUEUE - 2
        assert expected_log("Too many")


async def test_on_closing_waiting_tables_get_a_move_and_no_process_is_left() -> None:
    noted = Noted()
    thinker = ProcessThinker(1, noted)
    await hard(thinker)
    os.kill(pid := pid_of(thinker), signal.SIGSTOP)
    asked = asyncio.create_task(hard(thinker))
    await asyncio.sleep(0.05)
    await thinker.close()
    assert await asked == normal()
    await gone(pid)
    assert await hard(thinker) == normal(), "a closed thinker doesn't think"


def test_a_process_loads_nothing_but_what_it_thinks_with() -> None:
    script = "import sys, bot.thinking.worker; print({'asyncio', 'ssl', 'subprocess', 'discord'} & {*sys.modules})"
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert ended.stdout == "set()\n"


async def test_a_process_does_not_outlive_a_killed_bot_and_ignores_ctrl_c() -> None:
    script = (
        "import asyncio\n"
        "from bot.platform.operating.meter import Meter\n"
        "from bot.thinking.processes import ProcessThinker\n"
        "from tests.thinking.test_processes import hard, pid_of\n"
        "async def main():\n"
        "    thinker = ProcessThinker(1, Meter())\n"
        "    await hard(thinker)\n"
        "    print(pid_of(thinker), flush=True)\n"
        "    await asyncio.sleep(1000)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(  # noqa: ASYNC220 - it doesn't block for long
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True
    ) as bot:
        assert bot.stdout is not None
        pid = int(await asyncio.to_thread(bot.stdout.readline))
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
        await asyncio.sleep(0.2)
        os.kill(pid, 0)  # it is still running
        bot.kill()
    await gone(pid)


async def test_the_process_gets_neither_the_token_nor_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ESCOBA_TOKEN", "ESCOBA_DATABASE", "PGPASSWORD", "POSTGRES_PASSWORD", "SOME_CLOUD_KEY"):
        monkeypatch.setenv(name, "secret")
    async with processes() as (thinker, _):
        await hard(thinker)
        environment = Path(f"/proc/{pid_of(thinker)}/environ").read_bytes()
        assert b"PATH=" in environment
        assert b"secret" not in environment
