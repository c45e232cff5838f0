"""Positions for people with none of their own to practise reveal no solution that they have yet to find."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.platform.clock import Clock
from bot.process.stores import Stores
from bot.training.live.days import BACK, RECENT, RESERVE, DayPositions, Library, source_of_day, starters
from bot.training.live.finding import PLAN, Exercise, number_of
from bot.training.rules.themes import Theme, theme_of
from bot.training.store.rows import DayAnswer
from tests.support.databases import with_tables
from tests.support.store import NOON

TODAY = NOON.date()
DAY = timedelta(days=1)
OLD = TODAY - RECENT - DAY
ANA = 7


def searched(number: int) -> Exercise:
    """A position as a search might have found it: not one of the starters."""
    exercise = starters()[number]
    return replace(exercise, analysis=replace(exercise.analysis, exact=not exercise.analysis.exact))


def theme(number: int) -> Theme:
    return theme_of(starters()[number].view, searched(number).analysis)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Stores]:
    store = await Stores.open(with_tables(tmp_path / "x.sqlite3"))
    yield store
    await store.database.close()


def library_of(store: Stores) -> Library:
    return Library(store.days, store.answers, DayPositions(store.days, store.values, Clock(lambda: NOON), None))


async def test_no_day_that_can_still_be_solved_is_practised(store: Stores) -> None:
    for back in range(-2, RECENT.days + 3):
        await store.days.add_position(TODAY - back * DAY, searched(back + 2).dump())
    library = library_of(store)
    given = [back for back in range(-2, RECENT.days + 3) if await library.get(source_of_day(TODAY - back * DAY))]
    assert given == [RECENT.days + 1, RECENT.days + 2]
    found = await library.pick(ANA, [], [])
    assert found is not None
    assert found[0] == source_of_day(OLD), "it is the latest of the old days"


async def test_no_starter_is_practised_around_days_that_may_show_it(store: Stores) -> None:
    library = library_of(store)
    near = {number_of(TODAY + days * DAY) for days in range(-RECENT.days, RESERVE + 1)}
    given = {number for number in range(len(PLAN)) if await library.get(f"starter/{number}") is not None}
    assert given == set(range(len(PLAN))) - near
    assert len(given) >= 5
    for number in range(len(PLAN)):  # without a search, days use the same starters again and again
        day = OLD - number * DAY
        await store.days.add_position(day, starters()[number_of(day)].dump())
        assert await library.get(source_of_day(day)) is None
    found = await library.pick(ANA, [], [])
    assert found is not None
    assert found[0].startswith("starter/")


@pytest.mark.parametrize(
    "source", ["", "day/", "day/2026-02-31", "day/2026-3-1", "starter/99", "review/1/2", "again/1/0"]
)
async def test_unknown_sources_lead_to_nothing(store: Stores, source: str) -> None:
    assert await library_of(store).get(source) is None


async def test_what_somebody_misses_most_comes_first_and_nothing_comes_twice(store: Stores) -> None:
    numbers = range(12)
    for number in numbers:
        await store.days.add_position(OLD - number * DAY, searched(number).dump())
    library = library_of(store)
    themes = {source_of_day(OLD - number * DAY): theme(number) for number in numbers}
    wanted = themes[source_of_day(OLD - 11 * DAY)]
    seen: list[str] = []
    picked: list[str] = []
    while (found := await library.pick(ANA, [wanted], seen)) is not None:
        assert found[1] == await library.get(found[0])
        seen.append(found[0])
        picked.append(found[0])
    of_theme = [source for source in themes if themes[source] is wanted]
    assert 0 < len(of_theme) < len(themes), "or the test shows nothing"
    assert picked[: len(of_theme)] == of_theme
    assert set(themes) <= set(picked)
    assert len(picked) == len(set(picked))


async def test_a_day_that_somebody_has_answered_is_not_put_before_them_again(store: Stores) -> None:
    for number in range(2):
        await store.days.add_position(OLD - number * DAY, searched(number).dump())
    answer = DayAnswer(OLD, ANA, None, "Ana", "0 7o", 0, counted=True, at=NOON)
    await store.answers.give(answer)
    library = library_of(store)
    found, others = await library.pick(ANA, [], []), await library.pick(ANA + 1, [], [])
    assert found is not None
    assert others is not None
    assert (found[0], others[0]) == (source_of_day(OLD - DAY), source_of_day(OLD))


async def test_positions_that_are_very_old_are_left_alone(store: Stores) -> None:
    await store.days.add_position(TODAY - BACK - DAY, searched(0).dump())
    found = await library_of(store).pick(ANA, [], [f"starter/{number}" for number in range(len(PLAN))])
    assert found is None
