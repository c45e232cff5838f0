"""Results of reviews: stored once per match and person, part of the person's data, and erased with it."""

from datetime import timedelta

from bot.platform.people import Person
from bot.process.stores import Stores
from bot.training.store.rows import Judgement
from tests.support.recorded import log_events, store_log
from tests.support.store import GUILD, NOON

ANA, BEA = Person(11, "Ana"), Person(12, "Bea")


async def finished_match(store: Stores, number: int, guild: int = GUILD) -> int:
    """Store a match of Ana and Bea, a day after the one before; returns the game's number."""
    events = log_events("escoba", [ANA, BEA], seed=number)
    return await store_log(store, guild, 500 + number, events, NOON + timedelta(days=number))


def judgement(score: int) -> Judgement:
    return Judgement(score, given_away=1500, rounds=4, decisions=30, at=NOON)


async def add_review(store: Stores, game: int, score: int, person: Person = ANA) -> bool:
    return await store.reviews.put(game, person.id, judgement(score))


async def scores(store: Stores, person: Person = ANA, limit: int = 10) -> list[int]:
    return [row.judgement.score for row in await store.reviews.latest(GUILD, person.id, limit=limit)]


async def test_a_review_is_stored_once_per_match_and_person(store: Stores) -> None:
    game = await finished_match(store, 1)
    assert await add_review(store, game, 900)
    assert not await add_review(store, game, 100)
    assert await add_review(store, game, 800, BEA)
    assert await scores(store) == [900]
    assert await scores(store, BEA) == [800]


async def test_no_review_is_stored_of_a_match_without_a_result_of_the_person(store: Stores) -> None:
    game = await finished_match(store, 1)
    assert not await add_review(store, game, 900, Person(99, "Ciro"))
    assert not await add_review(store, game + 1, 900)


async def test_the_latest_matches_come_first_and_no_more_than_asked_for(store: Stores) -> None:
    games = [await finished_match(store, number) for number in range(4)]
    for number, game in reversed(list(enumerate(games))):
        await add_review(store, game, 100 * number)
    assert await scores(store, limit=3) == [300, 200, 100]


async def test_reviews_are_part_of_a_persons_data_and_erased_with_it(store: Stores) -> None:
    game = await finished_match(store, 1)
    await add_review(store, game, 900)
    await add_review(store, game, 800, BEA)
    [own] = (await store.personal_data.of(ANA.id)).reviews
    assert (own.game_id, own.judgement) == (game, judgement(900))
    assert await store.personal_data.forget(ANA.id, lambda _: lambda kind, body: None, NOON) > 0
    assert (await store.personal_data.of(ANA.id)).reviews == ()
    assert await scores(store, BEA) == [800], "other people's reviews stay"
    assert await store.personal_data.forget(ANA.id, lambda _: lambda kind, body: None, NOON) == 0


async def test_reviews_are_deleted_with_a_server_that_was_left(store: Stores) -> None:
    await add_review(store, await finished_match(store, 1), 900)
    while await store.kept.drop_games(GUILD):
        pass
    assert (await store.personal_data.of(ANA.id)).reviews == ()
