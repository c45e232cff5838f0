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
