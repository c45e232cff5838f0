"""The stored standings are the same however they were written, and right whoever was erased or finished late."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from bot.club.store.results import MatchResult
from bot.club.store.standing import Leaderboard, Metric, rate_of
from bot.platform.database.locations import location_of
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.support.store import (
    APRIL,
    CHANNEL,
    GUILD,
    MARCH,
    MOMENTS,
    NOON,
    add_finished_game,
    entry,
    leaderboard_of,
    match_result,
    new_game,
    player_result,
    rows,
)

ELSEWHERE = 5


def season(seed: int, matches: int = 60, people: int = 8) -> Iterator[MatchResult]:
    """Matches of all kinds; some ended before others that were stored earlier."""
    rng = Random(seed)
    for number in range(matches):
        users = rng.sample([*range(1, people + 1), None, None], rng.randint(1, 4))
        yield match_result(
            [
                player_result(
                    seat,
                    user,
                    name=rng.choice("abc"),
                    won=rng.random() < 0.5,
                    points=rng.choice([0, 5, 21, 300]),
                    escobas=rng.randint(0, 3),
                )
                for seat, user in enumerate(users)
            ],
            ended_at=rng.choice(MOMENTS) + timedelta(seconds=rng.choice([0, number])),
            ranked=rng.random() < 0.8,
            rounds=rng.randint(1, 5),
        )


async def assert_standings_add_up(store: Stores) -> None:
    """Check that the stored standings equal the sums of the results."""
    for guild in await store.standings.servers():
        assert await store.standings.differences(guild) == []


@contextmanager
def outside_transaction(database: str | Path) -> Iterator[sa.Connection]:
    """A transaction in a program other than the bot."""
    where = location_of(database)
    engine = sa.create_engine(f"sqlite:///{where}" if isinstance(where, Path) else where)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


async def test_a_match_that_ended_before_another_counts_in_its_place(store: Stores) -> None:
    def won(hour: int, outcome: bool, name: str) -> MatchResult:
        return match_result([player_result(0, 1, won=outcome, name=name)], ended_at=NOON + timedelta(hours=hour))

    await add_finished_game(store, [won(1, True, "a"), won(3, True, "c"), won(4, True, "d"), won(2, False, "b")])
    stats = await store.leaderboards.stats(GUILD, 1)
    assert (stats.streak, stats.best_streak, stats.last_at) == (2, 2, NOON + timedelta(hours=4))
    [row] = (await leaderboard_of(store, Metric.WINS)).rows
    assert (row.name, row.wins, row.matches) == ("d", 3, 4)
    await assert_standings_add_up(store)


async def test_a_streak_ends_with_a_lost_match_and_not_with_practice(store: Stores) -> None:
    def played(hour: int, won: bool, ranked: bool = True) -> MatchResult:
        return match_result([player_result(0, 1, won=won)], ended_at=NOON + timedelta(hours=hour), ranked=ranked)

    found: list[tuple[int, int]] = []
    for hour, outcome in enumerate([(True,), (True,), (False, False), (True,), (False,), (True,)]):
        await add_finished_game(store, [played(hour, *outcome)], channel_id=hour)
        stats = await store.leaderboards.stats(GUILD, 1)
        found.append((stats.streak, stats.best_streak))
    assert found == [(1, 1), (2, 2), (2, 2), (3, 3), (0, 3), (1, 3)]


@pytest.mark.thorough
async def test_after_an_erasure_the_others_standings_are_right(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, season(2, matches=25))
    await add_finished_game(
        store, [match_result([player_result(0, 3, won=True), player_result(1, 1)], guild_id=ELSEWHERE)], channel_id=7
    )
    before = {row.user_id: row for row in (await leaderboard_of(store, Metric.POINTS)).rows}
    await store.personal_data.forget(3, Disguise(3).rewriter, NOON)
    assert (3,) not in rows(database, "SELECT user_id FROM standings")
    await assert_standings_add_up(store)
    after = (await leaderboard_of(store, Metric.POINTS)).rows
    assert {row.user_id for row in after} == before.keys() - {3}
    assert all((row.name, row.points) == (before[row.user_id].name, before[row.user_id].points) for row in after)


async def test_a_server_that_is_dropped_step_by_step_stays_right_to_the_last(
    store: Stores, database: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.privacy.store.retention.GAMES_AT_ONCE", 2)
    for channel, played in enumerate(season(3, matches=5)):
        await add_finished_game(store, [played], channel_id=channel)
    await add_finished_game(store, [match_result([player_result(0, 1, won=True)], guild_id=ELSEWHERE)], channel_id=77)
    with outside_transaction(database) as connection:
        connection.execute(sa.text(f"UPDATE games SET guild_id = {ELSEWHERE} WHERE channel_id = 77"))  # noqa: S608
    while await store.kept.drop_games(GUILD):
        await assert_standings_add_up(store)
    assert await store.kept.drop_rest(GUILD, [])
    assert {row[0] for row in rows(database, "SELECT guild_id FROM standings")} == {ELSEWHERE}


async def test_matches_that_end_at_once_are_all_counted(store: Stores, database: str | Path) -> None:
    other = await Stores.open(database)
    try:
        games = [await new_game(store, channel) for channel in range(12)]

        async def end(number: int, game_id: int) -> None:
            players = [
                player_result(0, 1 + number % 3, won=True, points=2),
                player_result(1, 4, points=1),
                player_result(2, 9 - number % 3),
            ]
            result = match_result(players, ended_at=NOON + timedelta(seconds=number // 2), channel_id=number)
            await (store, other)[number % 2].games.append(game_id, [entry(1)], result=result, close=True)

        await asyncio.gather(*(end(number, game.id) for number, game in enumerate(games)))
        [row] = [row for row in (await leaderboard_of(store, Metric.POINTS)).rows if row.user_id == 4]
        assert (row.matches, row.points) == (12, 12)
        await assert_standings_add_up(store)
    finally:
        await other.database.close()


async def test_erasing_and_ending_matches_at_once_stays_right(store: Stores, database: str | Path) -> None:
    await add_finished_game(
        store,
        [
            match_result([player_result(0, 1, won=True), player_result(1, 2)], guild_id=guild)
            for guild in (GUILD, ELSEWHERE)
        ],
    )
    other = await Stores.open(database)
    try:
        games = [await new_game(store, channel) for channel in range(6)]

        async def end(number: int, game_id: int) -> None:
            guild = (GUILD, ELSEWHERE)[number % 2]
            result = match_result(
                [player_result(0, 2, won=True), player_result(1, 3)], guild_id=guild, channel_id=number
            )
            await other.games.append(game_id, [entry(1)], result=result, close=True)

        await asyncio.gather(
            store.personal_data.forget(1, Disguise(1).rewriter, NOON),
            *(end(number, game.id) for number, game in enumerate(games)),
        )
        assert await store.standings.servers() == [ELSEWHERE, GUILD]
        await assert_standings_add_up(store)
    finally:
        await other.database.close()


async def test_a_place_is_right_whatever_the_standings(store: Stores) -> None:
    points = [0, 1, 1, 255, 256, 257, 65_535, 65_536, 70_000, 20_000_000, 20_000_000]
    await add_finished_game(
        store, [match_result([player_result(0, user, points=each)]) for user, each in enumerate(points, 1)]
    )
    found = {row.user_id: row.rank for row in (await leaderboard_of(store, Metric.POINTS)).rows}
    assert found == {user: 1 + sum(other > each for other in points) for user, each in enumerate(points, 1)}
    for user, rank in found.items():
        own = await store.leaderboards.own_row(GUILD, user, Leaderboard(Metric.POINTS))
        assert own is not None
        assert own.rank == rank
        [row] = (await leaderboard_of(store, Metric.POINTS, limit=1, offset=user - 1)).rows
        assert row.rank == found[row.user_id]


def test_two_rates_are_the_same_number_only_if_they_are_equal() -> None:
    assert rate_of(1, 3) == rate_of(2, 6) == rate_of(333_333, 999_999)
    assert rate_of(499_999, 999_998) == rate_of(1, 2)
    assert rate_of(499_998, 999_997) < rate_of(1, 2) < rate_of(500_000, 999_999)
    assert rate_of(999_998, 999_999) < rate_of(1, 1) < 1 << 40
    assert rate_of(0, 9) == rate_of(0, 0) == 0


async def test_a_month_long_ago_stays_as_it_was(store: Stores) -> None:
    def month(when: datetime, points: int) -> MatchResult:
        return match_result([player_result(0, 1, points=points, name=f"{when:%B}")], ended_at=when)

    await add_finished_game(store, [month(MARCH, 3), month(APRIL, 4)], CHANNEL)
    for since, points in ((MARCH, 3), (APRIL, 4), (None, 7)):
        [row] = (await leaderboard_of(store, Metric.POINTS, since=since)).rows
        assert (row.points, row.name) == (points, "April"), "the name is the latest known one"
