"""Standings: who is in a list, at which place and under which name; and what a player's statistics count."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from bot.club.store.results import MatchResult
from bot.club.store.standing import Leaderboard, LeaderboardPage, Metric, Standing
from bot.process.stores import Stores
from tests.support.store import (
    APRIL,
    GUILD,
    MARCH,
    MOMENTS,
    NOON,
    add_finished_game,
    leaderboard_of,
    match_result,
    on_both,
    only_stats,
    player_result,
    stats_with,
)

pytestmark = on_both


def wins(*users: int, points: int = 0) -> Iterator[MatchResult]:
    """One match for each of these users, who wins it."""
    return (match_result([player_result(0, user, won=True, points=points)]) for user in users)


async def test_equal_players_share_a_rank_and_the_next_is_skipped(store: Stores) -> None:
    await add_finished_game(store, wins(1, 1, 1, 2, 2, 3, 3, 4))
    assert [(row.rank, row.user_id) for row in (await leaderboard_of(store, Metric.WINS)).rows] == [
        (1, 1),
        (2, 2),
        (2, 3),
        (4, 4),
    ]


async def test_equal_players_are_sorted_by_wins_then_rate_then_points_then_id(store: Stores) -> None:
    lost = [match_result([player_result(0, user, points=3)]) for user in (5, 5, 6)]
    await add_finished_game(store, [*wins(6, 5, 8, 7, points=0), *lost, *wins(9, points=1)])
    rows = (await leaderboard_of(store, Metric.WINS)).rows
    assert [row.user_id for row in rows] == [9, 7, 8, 6, 5]
    assert {row.rank for row in rows} == {1}
    rows = (await leaderboard_of(store, Metric.POINTS)).rows
    assert [(row.rank, row.user_id, row.points) for row in rows] == [
        (1, 5, 6),
        (2, 6, 3),
        (3, 9, 1),
        (4, 7, 0),
        (4, 8, 0),
    ]


async def test_equal_rates_of_different_matches_are_a_tie(store: Stores) -> None:
    lost = [match_result([player_result(0, user)]) for user in (1, 1, 2, 2, 2, 2)]
    await add_finished_game(store, [*wins(1, 2, 2), *lost])
    rows = (await leaderboard_of(store, Metric.RATE)).rows
    assert [(row.rank, row.user_id, row.rate) for row in rows] == [(1, 2, 1 / 3), (1, 1, 1 / 3)]


async def test_the_rate_is_listed_only_after_enough_matches(store: Stores) -> None:
    await add_finished_game(store, wins(1, 1, 1, 2, 2, 3))
    listed = await leaderboard_of(store, Metric.RATE, min_matches=2)
    assert [row.user_id for row in listed.rows] == [1, 2]
    assert listed.total == 2
    assert await store.leaderboards.own_row(GUILD, 3, Leaderboard(Metric.RATE, min_matches=2)) is None
    everybody = await leaderboard_of(store, Metric.WINS, min_matches=2)
    assert [row.user_id for row in everybody.rows] == [1, 2, 3]


async def test_the_matches_for_the_rate_are_those_of_the_period(store: Stores) -> None:
    early = (match_result([player_result(0, 1, won=True)], ended_at=MARCH - timedelta(days=1)) for _ in range(5))
    await add_finished_game(store, [*early, match_result([player_result(0, 1)], ended_at=MARCH)])
    assert (await leaderboard_of(store, Metric.RATE, since=MARCH, min_matches=2)).total == 0
    [row] = (await leaderboard_of(store, Metric.RATE, since=MARCH, min_matches=1)).rows
    assert (row.matches, row.rate) == (1, 0.0)


async def test_a_month_lasts_from_its_first_moment_to_its_last(store: Stores) -> None:
    await add_finished_game(
        store, (match_result([player_result(0, 1, points=1)], ended_at=moment) for moment in MOMENTS)
    )
    february, may = MARCH.replace(month=2), MARCH.replace(month=5)
    counted = {
        since: [row.matches for row in (await leaderboard_of(store, Metric.POINTS, since=since)).rows]
        for since in (None, february, MARCH, APRIL, may)
    }
    assert list(counted.values()) == [[6], [1], [3], [1], []]


async def test_months_are_those_of_utc(store: Stores) -> None:
    madrid = timezone(timedelta(hours=2))
    ends = [datetime(2026, 4, 1, 1, 59, tzinfo=madrid), datetime(2026, 4, 1, 2, 0, tzinfo=madrid)]
    await add_finished_game(
        store, (match_result([player_result(0, user)], ended_at=end) for user, end in enumerate(ends, 1))
    )
    listed = [[row.user_id for row in (await leaderboard_of(store, Metric.WINS, since=m)).rows] for m in (MARCH, APRIL)]
    assert listed == [[1], [2]]
    assert (await leaderboard_of(store, Metric.WINS, since=APRIL.astimezone(madrid))).total == 1


async def test_a_list_shows_the_latest_known_name(store: Stores) -> None:
    def named(name: str, at: datetime, ranked: bool = True, guild_id: int = GUILD) -> MatchResult:
        return match_result([player_result(0, 1, name=name)], ended_at=at, ranked=ranked, guild_id=guild_id)

    await add_finished_game(
        store,
        [
            named("in practice, last", NOON + timedelta(hours=1), ranked=False),
            named("old", MARCH),
            named("ranked, last", NOON),
            named("elsewhere", NOON + timedelta(hours=2), guild_id=5),
        ],
    )
    [row] = (await leaderboard_of(store, Metric.WINS)).rows
    assert row.name == "in practice, last"
    own = await store.leaderboards.own_row(GUILD, 1, Leaderboard(Metric.WINS))
    assert own == row


async def test_of_two_names_at_the_same_moment_the_one_stored_later_counts(store: Stores) -> None:
    await add_finished_game(store, [match_result([player_result(0, 1, name=name)]) for name in ("a", "c", "b")])
    [row] = (await leaderboard_of(store, Metric.WINS)).rows
    assert row.name == "b"


async def test_practice_and_computers_are_in_no_list(store: Stores) -> None:
    await add_finished_game(
        store,
        [
            match_result([player_result(0, 1, won=True), player_result(1, None, won=True)]),
            match_result([player_result(0, 2, won=True), player_result(1, None)], ranked=False),
        ],
    )
    for metric in (each for each in Metric if each is not Metric.RATING):
        page = await leaderboard_of(store, metric)
        assert ([row.user_id for row in page.rows], page.total) == ([1], 1)
    assert await store.leaderboards.own_row(GUILD, 2, Leaderboard(Metric.WINS)) is None


async def test_a_guild_sees_its_own_matches(store: Stores) -> None:
    await add_finished_game(store, [match_result([player_result(0, 1, won=True)], guild_id=5), *wins(2)])
    assert [row.user_id for row in (await leaderboard_of(store, Metric.WINS)).rows] == [2]
    assert [row.user_id for row in (await leaderboard_of(store, Metric.WINS, guild_id=5)).rows] == [1]
    assert await leaderboard_of(store, Metric.WINS, guild_id=6) == LeaderboardPage((), 0)
    assert (await store.leaderboards.stats(GUILD, 1)).matches == 0


async def test_a_page_beyond_the_end_is_empty_and_knows_the_total(store: Stores) -> None:
    await add_finished_game(store, wins(1, 2, 3))
    assert await leaderboard_of(store, Metric.WINS, offset=3) == LeaderboardPage((), 3)


async def test_somebody_unknown_has_empty_statistics(store: Stores) -> None:
    nothing = await store.leaderboards.stats(GUILD, 404)
    assert nothing == Standing(GUILD, "all", 404)
    assert nothing.rate == 0.0


async def test_the_statistics_of_a_player_keep_practice_apart(store: Stores) -> None:
    def played(hour: int, won: bool, ranked: bool = True) -> MatchResult:
        mine = player_result(0, 1, won=won, points=10, escobas=2)
        return match_result([mine, player_result(1, 2)], ended_at=NOON + timedelta(hours=hour), ranked=ranked, rounds=3)

    outcomes = [(1, True), (2, False), (3, True), (5, True), (6, False)]
    await add_finished_game(
        store,
        [played(4, False, ranked=False), played(7, True, ranked=False), *(played(*o) for o in outcomes)],
    )
    stats = await store.leaderboards.stats(GUILD, 1)
    assert only_stats(stats) == stats_with(
        matches=5,
        wins=3,
        points=50,
        escobas=10,
        rounds=15,
        streak=0,
        best_streak=2,
        practice_matches=2,
        practice_wins=1,
        last_at=NOON + timedelta(hours=7),
        top_points=10,
        top_escobas=2,
        rank=1,
    )
    assert stats.rate == 0.6
    assert (await store.leaderboards.stats(GUILD, 2)).rank == 2


async def test_the_seasons_with_ranked_matches_are_named_from_the_latest_back(store: Stores) -> None:
    def ended(*when: str, **changes: Any) -> list[MatchResult]:
        players = [player_result(0, 1, won=True), player_result(1, 2)]
        return [match_result(players, ended_at=datetime.fromisoformat(f"{day}T12:00+00:00"), **changes) for day in when]

    await add_finished_game(store, ended("2024-02-29", "2025-10-01", "2025-12-31", "2026-01-01", "2026-03-05"))
    await add_finished_game(store, ended("2026-02-05", ranked=False))
    await add_finished_game(store, ended("2026-02-05", guild_id=GUILD + 1))
    assert await store.leaderboards.seasons_before(GUILD, "2026-03", limit=25) == [
        "2026-01",
        "2025-12",
        "2025-10",
        "2024-02",
    ]
    assert await store.leaderboards.seasons_before(GUILD, "2026-04", limit=2) == [
        "2026-03",
        "2026-01",
    ]
    assert await store.leaderboards.seasons_before(GUILD, "2026-Q2", limit=25) == [
        "2026-Q1",
        "2025-Q4",
        "2024-Q1",
    ]
    assert await store.leaderboards.seasons_before(GUILD + 2, "2026-04", limit=25) == []
