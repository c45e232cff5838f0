"""Work that hangs is given up, and errors that it raises later are ignored."""

import asyncio
import time

import pytest

from bot.process import ending
from bot.process.ending import at_most


async def test_work_that_is_done_in_time_returns_what_it_found() -> None:
    async def work() -> int:
        return 7

    assert await at_most(60, work()) == 7


async def test_work_that_fails_in_time_raises_its_own_error() -> None:
    async def work() -> None:
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        await at_most(60, work())


async def test_work_that_takes_too_long_is_cancelled_and_may_tidy_up() -> None:
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            told.append("tidy")

    with pytest.raises(TimeoutError):
        await at_most(0.01, work())
    assert told == ["tidy"]


async def test_work_that_ignores_its_cancellation_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "CANCELLING_SECONDS", 0.01)
    going_on = asyncio.Event()

    async def work() -> None:
        while not going_on.is_set():
            try:
                await going_on.wait()
            except asyncio.CancelledError:
                continue
        raise ValueError("nobody waits for this any more, and it isn't reported")

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        await at_most(0.01, work())
    assert time.monotonic() - began < 30
    going_on.set()
    await asyncio.sleep(0)


async def test_work_whose_caller_is_cancelled_is_cancelled() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    waiting = asyncio.create_task(at_most(60, work()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    await ended.wait()
    assert waiting.cancelled()
