"""Newcomers have finished no match anywhere; whoever has played without winning is still learning."""

import pytest

from bot.process.stores import Stores
from tests.support.store import match_result, new_game, player_result

ANA, BEA, CIRO = 11, 12, 13

pytestmark = pytest.mark.newcomers


async def test_newcomers_have_no_result_and_others_may_not_have_won(store: Stores) -> None:
    game = await new_game(store)
    result = match_result([player_result(0, ANA, won=True), player_result(1, BEA)])
    await store.games.append(game.id, [], result=result, close=True)
    people = [ANA, BEA, CIRO]
    assert await store.newcomers.among(people) == {CIRO}
    assert await store.newcomers.winless(people) == {BEA, CIRO}
    assert await store.newcomers.among([]) == frozenset()


async def test_somebodys_first_match_is_the_only_one_that_they_have_finished(store: Stores) -> None:
    first, second = await new_game(store), await new_game(store, channel_id=99)
    for game, people in ((first, (ANA, BEA)), (second, (ANA, CIRO))):
        result = match_result([player_result(seat, each) for seat, each in enumerate(people)])
        assert not any([await store.newcomers.has_only(each, game.id) for each in people])
        await store.games.append(game.id, [], result=result, close=True)
    found = [(each, game.id) for each in (ANA, BEA, CIRO) for game in (first, second)
             if await store.newcomers.has_only(each, game.id)]  # fmt: skip
    assert found == [(BEA, first.id), (CIRO, second.id)]
