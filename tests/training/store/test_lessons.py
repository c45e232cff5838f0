"""A person's progress in the lessons is kept until it is erased; a first lesson is offered once, to somebody new."""

from datetime import timedelta

import pytest

from bot.process.stores import Stores
from bot.training.store.rows import LessonRow
from tests.support.store import NOON, match_result, new_game, player_result

ANA, BEA = 11, 12
OFFERED = LessonRow("escoba", 0, None, NOON)


async def test_a_lesson_is_offered_once_to_newcomers(store: Stores) -> None:
    assert await store.lessons.offer(ANA, OFFERED)
    assert not await store.lessons.offer(ANA, OFFERED)
    assert await store.lessons.of(ANA) == [OFFERED]


async def test_no_lesson_is_offered_to_somebody_who_has_a_result_or_has_begun_one(store: Stores) -> None:
    game = await new_game(store)
    await store.games.append(game.id, [], result=match_result([player_result(0, ANA, won=True)]), close=True)
    await store.lessons.put(BEA, LessonRow("quince", 1, None, NOON))
    assert not await store.lessons.offer(ANA, OFFERED)
    assert not await store.lessons.offer(BEA, OFFERED)
    assert await store.lessons.of(ANA) == []


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
