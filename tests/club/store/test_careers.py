"""What is shown about people besides the leaderboard: form, rivals, records, and what a match has brought them."""

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from bot.club.store.career import FORM, EndedRun
from bot.club.store.results import MatchResult
from bot.club.store.standing import read_record
from bot.process.stores import Stores
from tests.club.store.test_standing_rows import outside_transaction
from tests.support.store import CHANNEL, GUILD, NOON, entry, match_result, new_game, player_result

ANA, BEA, CIRO, DORA = 1, 2, 3, 4


def duel(hour: int, winner: int, points: int = 21, *, ranked: bool = True) -> MatchResult:
    """A match of Ana against Bea."""
    return match_result(
        [
            player_result(seat, user, name=name, won=user == winner, points=points if user == winner else 3)
            for seat, (user, name) in enumerate(((ANA, "Ana"), (BEA, "Bea")))
        ],
        ended_at=NOON + timedelta(hours=hour),
        ranked=ranked,
    )


async def finish(store: Stores, *results: MatchResult) -> list[int]:
    """Finish matches, each in a game of its own; returns the games' ids."""
    games: list[int] = []
    for result in results:
        game = await new_game(store, CHANNEL)
        await store.games.append(game.id, [entry(1)], result=result, close=True)
        games.append(game.id)
    return games


async def test_the_form_is_that_of_the_latest_matches_that_count(store: Stores) -> None:
    outcomes = [ANA, BEA, BEA, ANA, ANA, BEA, ANA, ANA, ANA, BEA, ANA, BEA]
    played = [duel(hour, winner) for hour, winner in enumerate(outcomes)]
    played.insert(5, duel(50, BEA, ranked=False))
    await finish(store, *played)
    career = await store.careers.of(GUILD, ANA)
    assert career.form == tuple(winner == ANA for winner in outcomes[-FORM:])
    assert (await store.careers.of(GUILD, CIRO)).form == ()


async def test_partners_are_not_rivals_and_a_third_may_win(store: Stores) -> None:
    pairs = [player_result(seat, user, side=seat % 2, won=seat % 2 == 0) for seat, user in enumerate((1, 2, 3, 4))]
    alone = [player_result(seat, user, won=user == CIRO) for seat, user in enumerate((1, 2, 3))]
    await finish(store, match_result(pairs), match_result(alone, ended_at=NOON + timedelta(hours=1)))
    met = {each.rival_id: each for each in (await store.careers.of(GUILD, ANA)).rivals}
    assert {rival: (each.matches, each.wins, each.losses) for rival, each in met.items()} == {
        BEA: (2, 1, 0),
        CIRO: (1, 0, 1),
        DORA: (1, 1, 0),
    }
    assert [each.name for each in met.values()] == ["user 2", "user 3", "user 4"]


async def test_a_match_shows_what_it_brought_its_people_and_which_records_it_broke(store: Stores) -> None:
    games = await finish(store, duel(1, ANA, 25), duel(2, BEA, 22), duel(3, ANA, 25))
    after = await store.careers.aftermath(GUILD, games[-1], [ANA, BEA])
    assert [(row.user_id, row.rank, row.wins) for row in after.standings] == [(ANA, 1, 2), (BEA, 2, 1)]
    points, result_id = read_record(after.standings[0].top_points)
    assert points == 25
    assert result_id < after.result_id, "the record was equalled, not broken"
    first = await store.careers.aftermath(GUILD, games[0], [ANA])
    assert result_id == first.result_id


async def test_a_run_ends_with_the_match_that_was_lost_whatever_came_later(store: Stores) -> None:
    winners = (BEA, ANA, ANA, ANA, ANA, BEA, ANA)
    played = [duel(hour, winner) for hour, winner in enumerate(winners)]
    games = await finish(store, *played[:4], duel(50, BEA, ranked=False), *played[4:])
    del games[4]
    found = [(await store.careers.aftermath(GUILD, game, [ANA, BEA])).ended for game in games]
    assert found == [(), (), (), (), (), (EndedRun(ANA, 4),), ()]


async def test_practice_brings_nothing(store: Stores) -> None:
    [game] = await finish(store, match_result([player_result(0, ANA, won=True, points=30)], ranked=False))
    after = await store.careers.aftermath(GUILD, game, [ANA])
    assert after.standings == ()
    assert (await store.leaderboards.stats(GUILD, ANA)).top_points == 0


async def test_a_wrong_count_of_rivals_is_found(store: Stores, database: str | Path) -> None:
    await finish(store, duel(1, ANA))
    assert await store.standings.differences(GUILD) == []
    with outside_transaction(database) as connection:
        connection.execute(sa.text("UPDATE rivals SET wins = 7 WHERE user_id = 1"))
    assert await store.standings.differences(GUILD) == ["rivals: user 1 against user 2 is wrong"]
