"""A bot whose machine's clock is wrong, or is set while people play: it goes by Discord's time."""

import asyncio
import re
import signal
from pathlib import Path

import pytest

from bot.process.check import check
from tests.support.dose import thorough_but
from tests.wire.jumping import CLOSE, DAY, HOUR, JUMPS, Machine, jumping, on_a_machine
from tests.wire.players import parties
from tests.wire.world import Wire


def deadline(w: Wire) -> int:
    """The deadline of the only table, as everybody sees it."""
    found = re.search(r"<t:(\d+):R>", w.table(w.channels[0], "hand").text)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("jumps", thorough_but([JUMPS, (2 * DAY,), (-HOUR,)], (2 * DAY,), (-HOUR,)))
async def test_when_the_machines_clock_is_set_nobody_loses_a_turn_and_robots_go_on(
    tmp_path: Path, jumps: tuple[float, ...]
) -> None:
    figures = await jumping(tmp_path, jumps=jumps, tables=2, seed=1)
    assert figures.found == []
    assert (figures.stuck, figures.moves_lost) == (0, 0)
    assert figures.deadline_error < CLOSE


@pytest.mark.parametrize("ahead", [120.0, -2.0 * DAY])
async def test_a_machine_whose_clock_is_wrong_from_the_start_plays_on_and_warns(tmp_path: Path, ahead: float) -> None:
    async with on_a_machine(tmp_path, 1, ahead=ahead) as w:
        [party] = parties(w)
        await party.play(until=lambda: w.latest(w.channels[0], "hand") is not None)
        began = w.server.now()
        await w.settle()
        assert abs(deadline(w) - began - DAY) < CLOSE + 5
        warning = f"differs from Discord's by {ahead:+.0f} s"
        await w.bot.until(lambda: warning in w.log)
        await w.bot.until(lambda: w.rows("SELECT count(*) FROM key_values WHERE key = 'alive:'") == [(1,)])
        lines: list[str] = []
        assert await check(w.database, lines.append)
        assert any(warning in line for line in lines)


async def test_a_process_that_stood_still_forgives_that_time(tmp_path: Path) -> None:
    async with on_a_machine(tmp_path, 1) as w:
        [party] = parties(w)
        await party.play(until=lambda: w.latest(w.channels[0], "hand") is not None)
        await w.settle()
        before = deadline(w)
        w.bot.signal(signal.SIGSTOP)
        await asyncio.sleep(8)
        w.bot.signal(signal.SIGCONT)
        await w.bot.until(lambda: deadline(w) != before)
        assert 7 <= deadline(w) - before <= 11


async def test_a_machine_that_was_suspended_learns_the_time_from_discord(tmp_path: Path) -> None:
    """Its clock is three hours later when it wakes up, and so is Discord's."""
    async with on_a_machine(tmp_path, 1) as w:
        [party] = parties(w)
        await party.play(until=lambda: w.latest(w.channels[0], "hand") is not None)
        await w.settle()
        before = deadline(w)
        w.server.ahead = 3 * HOUR
        Machine(w).set(3 * HOUR)
        await w.bot.until(lambda: deadline(w) != before)
        assert abs(deadline(w) - before - 3 * HOUR) < CLOSE + 2
