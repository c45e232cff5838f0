"""Positions to practise: kept once for each user, limited in number, and gone when the user is erased."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.people import Person
from bot.process.stores import Stores
from bot.training.store import practice
from bot.training.store.rows import Judgement, PracticeRow, PracticeState
from tests.support.recorded import log_events, store_log
from tests.support.store import GUILD, NOON

DAY = timedelta(days=1)
ANA, BEA = 11, 12


def row(source: str = "day/2026-03-14", step: int = 0, due: timedelta = DAY) -> PracticeRow:
    return PracticeRow(source, "" if step > 2 else "{}", "sevens", step, NOON + due)


def state_of(kept: PracticeRow) -> PracticeState:
    return PracticeState(kept.source, kept.theme, kept.step, kept.due_at)


async def sources(store: Stores, user_id: int = ANA) -> list[str]:
    return [each.source for each in await store.practice.of(user_id)]


async def forget(store: Stores, user_id: int) -> int:
    return await store.personal_data.forget(user_id, lambda _: lambda kind, body: None, NOON)


async def test_a_position_is_kept_once_for_each_user_as_it_was_first(store: Stores) -> None:
    await store.practice.add(ANA, [row(), row("day/2026-03-15", due=-DAY)])
    await store.practice.add(ANA, [row(step=2, due=9 * DAY)])
    await store.practice.add(BEA, [row(step=1)])
    assert await store.practice.of(ANA) == [state_of(row("day/2026-03-15", due=-DAY)), state_of(row())]
    assert await store.practice.get(ANA, "day/2026-03-14") == row()
    assert await store.practice.get(BEA, "day/2026-03-14") == row(step=1)
    assert await store.practice.get(BEA, "day/2026-03-15") is None


async def test_two_answers_at_once_move_a_position_once(store: Stores) -> None:
    await store.practice.add(ANA, [row()])
    moves = [row(step=1, due=4 * DAY), row(step=0, due=5 * DAY)]
    moved = await asyncio.gather(*(store.practice.move(ANA, state_of(row()), after) for after in moves))
    assert sorted(moved) == [False, True]
    assert await store.practice.get(ANA, row().source) == moves[moved.index(True)]


async def test_the_positions_per_user_are_limited(store: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "MOST", 3)
    monkeypatch.setattr(practice, "MOST_DONE", 2)
    await store.practice.add(BEA, [row("other")])
    await store.practice.add(ANA, [row(f"done{number}", 3, number * DAY) for number in range(3)])
    await store.practice.add(ANA, [row("nearly", 2, DAY), row("old", 0, -DAY), row("b", 0), row("c", 0)])
    assert set(await sources(store)) == {"old", "b", "c", "done1", "done2"}
    await store.practice.add(ANA, [row("new", 0, 2 * DAY)])
    assert set(await sources(store)) == {"new", "b", "c", "done1", "done2"}, "the oldest is dropped"
    assert await sources(store, BEA) == ["other"]


async def test_mistakes_are_kept_only_with_a_new_review(store: Stores) -> None:
    people = [Person(ANA, "Ana"), Person(BEA, "Bea")]
    game = await store_log(store, GUILD, 501, log_events("escoba", people), NOON)
    judgement = Judgement(900, 1500, 4, decisions=30, at=NOON)
    assert not await store.reviews.put(game, 99, judgement, [row("review/1/9")])
    assert await sources(store, 99) == [], "they have no result in the match"
    assert await store.reviews.put(game, ANA, judgement, [row("review/1/9")])
    assert not await store.reviews.put(game, ANA, judgement, [row("review/1/10")])
    assert await sources(store) == ["review/1/9"]
    await forget(store, ANA)
    assert not await store.reviews.put(game, ANA, judgement, [row("review/1/9")])
    assert await sources(store) == [], "a review that ends after its person was erased leaves nothing"


async def test_positions_are_part_of_a_persons_data_and_erased_with_it(store: Stores) -> None:
    await store.practice.add(ANA, [row()])
    await store.practice.add(BEA, [row()])
    assert (await store.personal_data.of(ANA)).practice == (row(),)
    assert await forget(store, ANA) > 0
    assert (await store.personal_data.of(ANA)).practice == ()
    assert not await store.practice.move(ANA, state_of(row()), replace(row(), step=1)), "an answer comes too late"
    assert await sources(store) == []
    assert await sources(store, BEA) == [row().source], "other people's stay"
    assert await forget(store, ANA) == 0


async def test_positions_stay_when_preferences_return_to_the_defaults(store: Stores) -> None:
    await store.preferences.put(ANA, "turn_notice=never")
    await store.practice.add(ANA, [row()])
    await store.preferences.put(ANA, None)
    assert await sources(store) == [row().source]
    assert await store.preferences.all() == {}
    assert await store.preferences.get(ANA) is None
    assert (await store.personal_data.of(ANA)).choices is None
    await store.preferences.put(ANA, "turn_notice=at_once")
    assert await store.preferences.all() == {ANA: "turn_notice=at_once"}
