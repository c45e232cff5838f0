"""The luck of a match is stored with its result, once, and is part of its players' data."""

from bot.process.stores import Stores
from tests.support.store import GUILD, NOON
from tests.training.store.test_reviews import ANA, BEA, finished_match


async def stored(store: Stores, person_id: int = ANA.id) -> list[str | None]:
    return [result.luck for _, result in (await store.personal_data.of(person_id)).results]


async def test_it_is_stored_once_with_the_result_of_its_match(store: Stores) -> None:
    first, second = [await finished_match(store, number) for number in (1, 2)]
    assert await store.luck.put(second, "[[21,9,49],[-21,-9,49]]")
    assert await store.luck.put(second, "[[1,29,49],[-1,-29,49]]"), "the match has a result"
    assert await stored(store) == [None, "[[21,9,49],[-21,-9,49]]"]
    assert (await store.luck.of(first), await store.luck.of(second)) == (None, "[[21,9,49],[-21,-9,49]]")


async def test_nothing_is_stored_where_there_is_no_result(store: Stores) -> None:
    game = await finished_match(store, 1)
    assert not await store.luck.put(game + 1, "[]")
    await store.kept.drop_games(GUILD)
    assert not await store.luck.put(game, "[]")


async def test_somebodys_latest_matches_are_read_newest_first_with_their_side(store: Stores) -> None:
    first, second, third = [await finished_match(store, number) for number in (1, 2, 3)]
    await store.luck.put(first, "[[21,9,49],[-21,-9,49]]")
    await store.luck.put(third, "[[1,2,49],[-1,-2,49]]")
    newest, oldest = ("[[1,2,49],[-1,-2,49]]", 1), ("[[21,9,49],[-21,-9,49]]", 1)
    assert await store.luck.latest(GUILD, BEA.id, 20) == [newest, oldest], f"none is known of {second}"
    assert await store.luck.latest(GUILD, BEA.id, 1) == [newest]
    assert await store.luck.latest(GUILD + 1, BEA.id, 20) == []


async def test_it_stays_with_the_others_when_somebody_is_erased(store: Stores) -> None:
    game = await finished_match(store, 1)
    await store.luck.put(game, "[[21,9,49],[-21,-9,49]]")
    await store.personal_data.forget(ANA.id, lambda game_id: lambda kind, body: None, NOON)
    assert await stored(store) == []
    assert await stored(store, BEA.id) == ["[[21,9,49],[-21,-9,49]]"]
