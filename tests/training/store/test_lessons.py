"""A person's progress in the lessons is kept until it is erased, and so is that one was offered."""

from datetime import timedelta

import pytest

from bot.process.stores import Stores
from bot.training.store.rows import LessonRow
from tests.support.store import NOON

ANA, BEA = 11, 12
OFFERED = LessonRow("escoba", 0, None, NOON)


async def test_an_offer_changes_nothing_about_a_lesson_that_was_begun(store: Stores) -> None:
    await store.lessons.offer(ANA, OFFERED)
    begun = LessonRow("escoba", 3, None, NOON)
    await store.lessons.put(BEA, begun)
    await store.lessons.offer(BEA, OFFERED)
    assert [await store.lessons.of(each) for each in (ANA, BEA)] == [[OFFERED], [begun]]


async def test_each_lessons_latest_step_is_kept_and_the_latest_lesson_comes_first(store: Stores) -> None:
    later = NOON + timedelta(minutes=5)
    for row in (OFFERED, LessonRow("quince", 2, None, NOON), LessonRow("escoba", 3, "0 5c ?", later)):
        await store.lessons.put(ANA, row)
    await store.lessons.put(BEA, OFFERED)
    assert await store.lessons.of(ANA) == [LessonRow("escoba", 3, "0 5c ?", later), LessonRow("quince", 2, None, NOON)]


@pytest.mark.parametrize("choices", [None, "chosen"])
async def test_lessons_are_part_of_a_persons_data_and_erased_with_it(store: Stores, choices: str | None) -> None:
    if choices is not None:
        await store.preferences.put(ANA, choices)
    await store.lessons.put(ANA, OFFERED)
    await store.lessons.put(BEA, OFFERED)
    assert (await store.personal_data.of(ANA)).lessons == (OFFERED,)
    assert await store.personal_data.forget(ANA, lambda _: lambda kind, body: None, NOON) > 0
    assert (await store.personal_data.of(ANA)).lessons == ()
    assert await store.lessons.of(BEA) == [OFFERED]
