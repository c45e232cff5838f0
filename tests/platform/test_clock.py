"""The clock that runs whatever is scheduled: in order, with one time per key. Here, the tests move its time."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from random import Random

import pytest

from bot.platform.clock import AT_ONCE, Clock
from tests.support.errors import Expected
from tests.support.patience import HANG_SECONDS
from tests.support.tables.timing import START, Time, spin


def at(seconds: float):
    return START + timedelta(seconds=seconds)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def clock(time: Time) -> AsyncIterator[Clock]:
    clock = Clock(time.now, time.hold)
    clock.start()
    await spin()
    yield clock
    await clock.close()


@pytest.fixture
def called() -> list[str]:
    return []


@pytest.fixture
def note(called: list[str]) -> Callable[[str], Callable[[], Awaitable[None]]]:
    """A function that makes callbacks, which record their names."""

    def of(name: str) -> Callable[[], Awaitable[None]]:
        async def callback() -> None:
            called.append(name)

        return callback

    return of


async def test_nothing_happens_before_its_time(clock: Clock, time: Time, note, called):
    clock.schedule("a", at(10), note("a"))
    await time.pass_by(9.999)
    assert called == []
    await time.pass_by(0.001)
    assert called == ["a"]


async def test_a_callback_runs_once(clock: Clock, time: Time, note, called):
    clock.schedule("a", at(1), note("a"))
    for _ in range(5):
        await time.pass_by(10)
    assert called == ["a"]


async def test_callbacks_run_in_the_order_of_their_times(clock: Clock, time: Time, note, called):
    for name, seconds in (("c", 3), ("a", 1), ("d", 4), ("b", 2)):
        clock.schedule(name, at(seconds), note(name))
    await time.pass_by(2)
    assert called == ["a", "b"]
    await time.pass_by(100)
    assert called == ["a", "b", "c", "d"]


async def test_callbacks_for_the_same_time_run_in_the_order_scheduled(clock: Clock, time: Time, note, called):
    names = [str(number) for number in range(20)]
    for name in names:
        clock.schedule(("key", name), at(5), note(name))
    await time.pass_by(5)
    assert called == names


@pytest.mark.parametrize("new_time", [1, 5, 20])
async def test_scheduling_a_key_again_replaces_its_time_and_callback(
    clock: Clock, time: Time, note, called, new_time: int
):
    clock.schedule("a", at(5), note("first"))
    clock.schedule("a", at(new_time), note("second"))
    await time.pass_by(new_time)
    await time.pass_by(100)
    assert called == ["second"]


async def test_a_cancelled_key_is_not_called(clock: Clock, time: Time, note, called):
    clock.schedule("a", at(5), note("a"))
    clock.schedule("b", at(5), note("b"))
    clock.cancel("a")
    clock.cancel("never set")
    await time.pass_by(5)
    assert called == ["b"]
    clock.cancel("b")
    clock.schedule("a", at(6), note("a again"))
    await time.pass_by(1)
    assert called == ["b", "a again"]


@pytest.mark.parametrize("seconds", [0, -1, -100_000])
async def test_a_callback_that_is_already_due_runs_at_once(clock: Clock, note, called, seconds: int):
    clock.schedule("a", at(seconds), note("a"))
    await spin()
    assert called == ["a"]


async def test_an_earlier_time_scheduled_while_the_clock_waits_is_met(clock: Clock, time: Time, note, called):
    clock.schedule("late", at(100), note("late"))
    await spin()
    clock.schedule("early", at(1), note("early"))
    await time.pass_by(1)
    assert called == ["early"]


async def test_after_returns_the_time(clock: Clock, time: Time, note, called):
    assert clock.after("a", 2.5, note("a")) == at(2.5)
    await time.pass_by(2.5)
    assert called == ["a"]


async def test_a_callback_may_schedule_its_own_key_again(clock: Clock, time: Time, called):
    async def again() -> None:
        called.append("again")
        clock.after("a", 1, again)

    clock.after("a", 1, again)
    for _ in range(3):
        await time.pass_by(1)
    assert called == ["again"] * 3


async def test_a_slow_callback_delays_no_other(clock: Clock, time: Time, note, called):
    gate = asyncio.Event()

    async def slow() -> None:
        await gate.wait()
        called.append("slow")

    clock.schedule("slow", at(1), slow)
    clock.schedule("quick", at(2), note("quick"))
    await time.pass_by(1)
    await time.pass_by(1)
    assert called == ["quick"]
    gate.set()
    await spin()
    assert called == ["quick", "slow"]


async def test_a_callback_that_fails_is_logged_and_the_others_run(
    clock: Clock, time: Time, note, called, expected_errors: Expected
):
    async def fail() -> None:
        raise ZeroDivisionError("on purpose")

    expected_errors.append(("bot.platform.clock", r"(?s)A scheduled callback failed.*ZeroDivisionError: on purpose"))
    clock.schedule("bad", at(1), fail)
    clock.schedule("good", at(1), note("good"))
    clock.schedule("later", at(2), note("later"))
    await time.pass_by(1)
    assert called == ["good"]
    await time.pass_by(1)
    assert called == ["good", "later"]


async def test_thousands_of_callbacks_each_run_once_and_in_order(clock: Clock, time: Time, called):
    rng = Random(1)
    due: dict[int, int] = {}

    def callback(key: int, seconds: int) -> Callable[[], Awaitable[None]]:
        async def call() -> None:
            assert due.pop(key) == seconds
            assert at(seconds) <= time.now()
            called.append(f"{seconds:04}")

        return call

    for _ in range(6000):
        key, seconds = rng.randrange(3000), rng.randrange(1, 1000)
        if rng.random() < 0.1:
            clock.cancel(key)
            due.pop(key, None)
        else:
            due[key] = seconds
            clock.schedule(key, at(seconds), callback(key, seconds))
    wanted = sorted(f"{seconds:04}" for seconds in due.values())
    for _ in range(10):
        await time.pass_by(100)
    while due:
        await spin()
    assert called == wanted


async def test_of_thousands_due_at_once_a_few_begin_together_the_oldest_first(clock: Clock, time: Time, called):
    began: list[int] = []
    under_way: Counter[str] = Counter()
    most = 0

    def callback(seconds: int) -> Callable[[], Awaitable[None]]:
        async def call() -> None:
            nonlocal most
            began.append(seconds)
            under_way["now"] += 1
            most = max(most, under_way["now"])
            await spin()
            under_way["now"] -= 1

        return call

    times = Random(1).sample(range(1, 2001), 2000)
    for number, seconds in enumerate(times):
        clock.schedule(number, at(seconds), callback(seconds), lasts=number % 3 == 0)
    time.move_to(at(2000))
    while len(began) < len(times):
        await spin()
    assert began == sorted(times)
    assert most == AT_ONCE


async def test_slow_callbacks_among_many_that_are_due_delay_the_others_only_for_a_moment(
    clock: Clock, time: Time, note, called, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.platform.clock.PATIENCE_SECONDS", 0.001)
    gate = asyncio.Event()

    async def slow() -> None:
        await gate.wait()

    for number in range(2 * AT_ONCE):
        clock.schedule(("slow", number), at(1), slow)
    for number in range(2 * AT_ONCE):
        clock.schedule(number, at(2), note("quick"))
    await time.pass_by(5)
    async with asyncio.timeout(HANG_SECONDS):
        while len(called) < 2 * AT_ONCE:
            await spin()
    gate.set()


@pytest.mark.parametrize("place", [1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE])
async def test_whatever_begins_first_may_cancel_or_put_off_the_others_that_are_due(
    clock: Clock, time: Time, note, called, place: int
):
    async def first() -> None:
        called.append("first")
        clock.cancel(place)
        clock.schedule(place + 1, at(10), note("put off"))
        clock.schedule(place + 2, at(1), note("set again"))

    clock.schedule("first", at(1), first)
    for number in range(1, 3 * AT_ONCE + 5):
        clock.schedule(number, at(2), note("cancelled" if number == place else "now"))
    await time.pass_by(5)
    await spin()
    assert Counter(called) == {"first": 1, "now": 3 * AT_ONCE + 1, "set again": 1}
    await time.pass_by(5)
    assert called[-1] == "put off"


async def test_closing_waits_for_running_callbacks_and_drops_the_rest(time: Time, note, called):
    clock = Clock(time.now, time.hold)
    clock.start()
    gate = asyncio.Event()

    async def slow() -> None:
        await gate.wait()
        called.append("slow")

    clock.schedule("slow", at(1), slow)
    clock.schedule("later", at(2), note("later"))
    await spin()
    await time.pass_by(1)
    closing = asyncio.create_task(clock.close())
    await spin()
    assert not closing.done()
    gate.set()
    await closing
    assert called == ["slow"]
    await time.pass_by(100)
    assert called == ["slow"]
    assert time.parked == 0


async def test_a_clock_may_be_closed_twice_or_before_it_ever_ran(time: Time):
    clock = Clock(time.now, time.hold)
    await clock.close()
    clock.start()
    clock.start()
    await clock.close()
    await clock.close()


async def test_with_nothing_scheduled_the_clock_only_waits(clock: Clock, time: Time):
    await time.pass_by(10**9)
    assert time.parked == 1


async def test_without_a_hold_the_clock_waits_by_the_event_loops_time(note, called):
    clock = Clock()
    clock.start()
    done = asyncio.Event()

    async def finish() -> None:
        done.set()

    clock.after("a", 0.0, note("a"))
    clock.after("b", 0.01, finish)
    await asyncio.wait_for(done.wait(), timeout=HANG_SECONDS)
    await clock.close()
    assert called == ["a"]


# ------------------------------------------------------------------ while the time is in doubt


@pytest.fixture
def doubt(clock: Clock) -> list[bool]:
    """Not empty while the time is in doubt."""
    doubtful = [True]
    clock.look = lambda: not doubtful
    return doubtful


async def test_while_the_time_is_in_doubt_moments_wait_and_durations_dont(
    clock: Clock, time: Time, note, called, doubt: list[bool]
):
    clock.schedule("moment", at(1), note("moment"))
    clock.schedule("cancelled", at(1), note("cancelled"))
    clock.after("duration", 2, note("duration"))
    clock.after("irreversible", 2, note("irreversible"), lasts=False)
    await time.pass_by(10)
    assert called == ["duration"]
    clock.cancel("cancelled")
    doubt.clear()
    await time.pass_by(0.1)
    assert called == ["duration", "moment", "irreversible"]


async def test_a_correction_of_the_time_leaves_moments_where_they_are_and_durations_as_long(time: Time, note, called):
    corrected = timedelta()
    clock = Clock(lambda: time.now() + corrected, time.hold, time.now)
    clock.start()
    clock.schedule("moment", at(3600), note("moment"))
    clock.after("duration", 10, note("duration"))
    await time.pass_by(4)
    corrected = timedelta(hours=1)
    await time.pass_by(0)
    assert called == ["moment"]
    assert clock.after("another", 3, note("another")) == at(3607)
    await time.pass_by(3)
    assert called == ["moment", "another"]
    await time.pass_by(2.9)
    assert called == ["moment", "another"]
    await time.pass_by(0.1)
    assert called == ["moment", "another", "duration"]
    await clock.close()


async def test_a_time_that_cant_be_checked_is_in_doubt(
    clock: Clock, time: Time, note, called, expected_errors: Expected
):
    expected_errors.append(("bot.platform.clock", r"(?s)Could not check the time.*ZeroDivisionError"))
    clock.look = lambda: bool(1 / 0)
    clock.schedule("moment", at(1), note("moment"))
    clock.after("duration", 1, note("duration"))
    await time.pass_by(1)
    assert called == ["duration"]
