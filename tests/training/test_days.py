"""Every day has a position, the same for everybody, whatever happens to the thinking process or to the rows."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.coach.finding import AHEAD, LEAST_MOVES, is_greedy
from bot.platform.clock import Clock
from bot.platform.database.errors import StoreUnavailable
from bot.platform.operating.meter import Meter
from bot.process.stores import Stores
from bot.thinking import InlineThinker
from bot.training.live import days as module
from bot.training.live.days import RESERVE, SECRET, DayPositions, starters
from bot.training.live.finding import ERROR, PLAN, Exercise, number_of, wanted_on
from tests.support.databases import with_tables
from tests.support.tables.timing import HandClock, Time
from tests.training.test_exercise import exercise

pytestmark = pytest.mark.usefixtures("sqlite_threads")  # two stores of one process wait for each other

NOON = datetime(2027, 1, 13, 12, tzinfo=UTC)
TODAY = NOON.date()
DAY = timedelta(days=1)


class Dead(InlineThinker):
    async def solve(self, work: Any, urgency: Any, person: Any = None) -> Any:
        return None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return with_tables(tmp_path / "escoba.sqlite3")


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Stores]:
    store = await Stores.open(path)
    yield store
    await store.database.close()


@pytest.fixture
def time() -> Time:
    time = Time()
    time.instant = NOON
    return time


def found_at_once(monkeypatch: pytest.MonkeyPatch, *, fails: int = 0) -> list[date]:
    """Replace the search, which takes seconds; returns the days for which positions are searched."""
    asked: list[date] = []

    async def find(solver: object, day: date, secret: str) -> Exercise | None:
        asked.append(day)
        await asyncio.sleep(0)
        assert secret
        return None if len(asked) <= fails else exercise()

    monkeypatch.setattr(module, "find", find)
    return asked


async def test_without_a_search_each_day_has_a_starter(store: Stores, time: Time) -> None:
    days = DayPositions(store.days, store.values, Clock(time.now), None)
    found = [await days.of(TODAY - number * DAY) for number in range(RESERVE + 1)]
    assert len({each.dump() for each in found}) == RESERVE + 1
    assert [each.view.public.rules for each in found] == [
        wanted_on(TODAY - number * DAY, "").rules for number in range(RESERVE + 1)
    ], "each is by its weekday's rule system"
    assert await store.days.known(TODAY - 30 * DAY, TODAY) == {TODAY - number * DAY for number in range(RESERVE + 1)}


async def test_two_processes_show_the_same_position_whoever_was_first(store: Stores, path: Path, time: Time) -> None:
    other_store = await Stores.open(path)
    one, other = (DayPositions(each.days, each.values, Clock(time.now), None) for each in (store, other_store))
    await store.days.add_position(TODAY - DAY, exercise().dump())
    for day in (TODAY, TODAY - DAY):
        found = await asyncio.gather(*(each.of(day) for each in (one, other) * 3))
        assert all(each == found[0] for each in found)
    assert await other.of(TODAY - DAY) == exercise()
    await other_store.database.close()


async def test_what_is_found_after_somebody_has_seen_the_day_changes_nothing(
    store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    found_at_once(monkeypatch)
    seen = await DayPositions(store.days, store.values, Clock(time.now), None).of(TODAY)
    days = DayPositions(store.days, store.values, Clock(time.now), Dead())
    while await days.prepare():
        pass
    assert await days.of(TODAY) == seen != exercise()
    time.instant += timedelta(days=1)
    assert await days.of(TODAY + DAY) == exercise()


async def test_nobody_gets_a_position_before_its_day(store: Stores, time: Time) -> None:
    days = DayPositions(store.days, store.values, Clock(time.now), None)
    with pytest.raises(ValueError, match="hasn't come"):
        await days.of(TODAY + DAY)
    assert await store.days.known(TODAY, TODAY + DAY) == set()
    time.instant = datetime(2027, 1, 14, tzinfo=UTC)
    assert await days.of(TODAY + DAY)


async def test_a_day_long_gone_gets_no_row_of_its_own(store: Stores, time: Time) -> None:
    long_gone = date(1605, 1, 16)
    assert (await DayPositions(store.days, store.values, Clock(time.now), None).of(long_gone)).view.moves
    assert await store.days.position(long_gone) is None


@pytest.mark.parametrize("text", ["", "{}", "nonsense", exercise().dump()[:-40]])
async def test_a_position_that_cannot_be_read_is_replaced_and_an_operator_is_told(
    store: Stores, time: Time, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    await store.days.add_position(TODAY, text)
    one, other = (DayPositions(store.days, store.values, Clock(time.now), None) for _ in range(2))
    assert await one.of(TODAY) == await other.of(TODAY) == starters()[number_of(TODAY)]
    await one.of(TODAY)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2, "each process says so once"


async def test_days_are_prepared_one_by_one_with_rests_in_between(
    store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = found_at_once(monkeypatch)
    clock = HandClock(time)
    DayPositions(store.days, store.values, clock, Dead()).start()
    clock.start()
    await clock.advance(module.FIRST_SECONDS - 1)
    assert asked == [], "it doesn't search right after the start"
    await clock.advance(1)
    assert asked == [TODAY]
    await clock.advance(module.PAUSE_SECONDS * RESERVE)
    assert asked == [TODAY + number * DAY for number in range(RESERVE + 1)]
    await clock.advance(11 * 60 * 60)
    assert len(asked) == RESERVE + 1, "the reserve is full"
    await clock.advance(60 * 60 + module.AGAIN_SECONDS)
    assert asked[-1] == TODAY + (RESERVE + 1) * DAY, "on the next day there is room for one more"
    assert len(asked) == RESERVE + 2
    await clock.close()


async def test_a_search_that_fails_is_tried_again_and_the_log_says_how_many_days_are_left(
    store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    asked = found_at_once(monkeypatch, fails=2)
    clock = HandClock(time)
    DayPositions(store.days, store.values, clock, Dead()).start()
    clock.start()
    await clock.advance(module.FIRST_SECONDS + 2 * module.AGAIN_SECONDS)
    await clock.close()
    assert asked == [TODAY] * 3
    assert [record.getMessage().partition(";")[2] for record in caplog.records if "day" in record.getMessage()] == [
        " 0 of 8 days have one",
        " 0 of 8 days have one",
        " 1 of 8 days have one",
    ]
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert not any(exercise().name_of(move) in logged for move in exercise().view.moves), "no solution in a log"


async def test_a_dead_thinker_and_a_failing_store_stop_nothing(
    store: Stores, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    clock = HandClock(time)
    days = DayPositions(store.days, store.values, clock, Dead())
    days.start()
    clock.start()
    await clock.advance(module.FIRST_SECONDS)
    assert await days.of(TODAY) == starters()[number_of(TODAY)]
    await store.database.close()
    await clock.advance(module.AGAIN_SECONDS)
    assert clock.seconds_to("days") == module.AGAIN_SECONDS
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    with pytest.raises(StoreUnavailable):
        await days.of(TODAY - DAY)
    await clock.close()


async def test_a_closing_bot_stops_searching(store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found_at_once(monkeypatch)
    clock, closing = HandClock(time), list[bool]()
    DayPositions(store.days, store.values, clock, Dead(), lambda: bool(closing)).start()
    clock.start()
    await clock.advance(module.FIRST_SECONDS)
    closing.append(True)
    await clock.advance(module.AGAIN_SECONDS)
    assert asked == [TODAY, TODAY + DAY]
    assert clock.seconds_to("days") is None
    await clock.close()


async def test_operators_see_how_many_days_are_prepared(
    store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    class Noting(Meter):
        def prepared(self, days: int) -> None:
            seen.append(days)

    found_at_once(monkeypatch)
    days = DayPositions(store.days, store.values, Clock(time.now), Dead(), meter=Noting())
    while await days.prepare():
        pass
    assert (seen[0], seen[-1], max(seen)) == (0, RESERVE + 1, RESERVE + 1)


async def test_a_process_that_does_not_search_schedules_nothing(store: Stores, time: Time) -> None:
    clock = HandClock(time)
    DayPositions(store.days, store.values, clock, None).start()
    assert clock.due == {}
    assert not await DayPositions(store.days, store.values, clock, None).prepare()


async def test_the_secret_of_the_search_is_made_up_once_and_kept(
    store: Stores, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []

    async def find(solver: object, day: date, secret: str) -> Exercise | None:
        used.append(secret)
        return exercise()

    monkeypatch.setattr(module, "find", find)
    for _ in range(3):
        await DayPositions(store.days, store.values, Clock(time.now), Dead()).prepare()
    assert used == [await store.values.get(SECRET)] * 3
    assert len(used[0]) >= 32


def test_starters_have_what_a_days_position_must_have() -> None:
    found = starters()
    assert len(found) == len(PLAN) == 21
    greedy = 0
    for number, each in enumerate(found):
        day = date.fromordinal(number + 1 + 21 * 30_000)
        assert number_of(day) == number
        best, second, *_ = each.analysis.ratings
        public = each.view.public
        assert (public.rules, public.seating) == (wanted_on(day, "").rules, wanted_on(day, "").seating)
        assert len(each.view.moves) == len(each.analysis.ratings) >= LEAST_MOVES
        assert second.behind >= AHEAD
        assert second.error <= ERROR
        greedy += is_greedy(each.view, best.move)
    assert greedy <= len(found) // 3
    assert len({each.dump() for each in found}) == len(found)
