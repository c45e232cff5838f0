"""Ratings: which matches change them, what they are at a moment, who is listed, and that wrong ones are found."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.club.rules.gains import STRANGERS, UNIT, stakes_of
from bot.club.rules.rating import Rated, Rating, rate
from bot.club.store import gains, ratings
from bot.club.store.marks import day_of
from bot.club.store.ratings import RatingChange
from bot.club.store.results import MatchResult
from bot.club.store.standing import Leaderboard, Metric
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.club.store.test_standing_rows import outside_transaction
from tests.support.store import GUILD, MARCH, NOON, add_finished_game, match_result, player_result, rows

ANA, BEA, CLO, DON = 1, 2, 3, 4
DAY = timedelta(days=1)


def played(*people: int | None, at: datetime = NOON, left: Sequence[int] = (), **changes: Any) -> MatchResult:
    """A match in which these people finished in this order, each alone on a side."""
    players = [
        player_result(seat, user, won=not seat, place=1 + seat, stayed=seat not in left)
        for seat, user in enumerate(people)
    ]
    return match_result(players, ended_at=at, **changes)


async def by_rating(store: Stores, period: str = "all") -> list[int]:
    which = Leaderboard(Metric.RATING, period)
    return [row.user_id for row in (await store.leaderboards.page(GUILD, which, limit=9, offset=0)).rows]


async def test_a_match_is_rated_only_if_it_counts_and_every_seat_was_a_persons(store: Stores) -> None:
    for result in (
        played(ANA, None, BEA),
        played(ANA, BEA, ranked=False),
        played(ANA, BEA, ranked=False, friendly=True),
    ):
        await add_finished_game(store, [result])
    assert await by_rating(store) == []
    await add_finished_game(store, [played(BEA, ANA, left=[1])])
    assert await by_rating(store) == [BEA, ANA]


async def test_a_friendly_match_counts_nowhere(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, BEA, ranked=False, friendly=True)])
    stats = await store.leaderboards.stats(GUILD, ANA)
    assert (stats.matches, stats.practice_matches, stats.name, stats.last_at) == (0, 0, "user 1", NOON)


async def test_people_learn_what_a_match_would_bring_and_afterwards_that_it_did(
    store: Stores, database: str | Path
) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(ANA, CLO)])
    at = NOON + timedelta(minutes=5)
    lineup = await store.ratings.lineup(GUILD, [BEA, ANA], at)
    assert lineup.nth == 2
    ana, bea = lineup.ratings[ANA], lineup.ratings[BEA]
    assert ana.shown > 1000 > bea.shown
    would = rate([Rated(0, 1, bea), Rated(1, 2, ana)])
    await add_finished_game(store, [played(BEA, ANA, at=at)], channel_id=7)
    [(game,)] = rows(database, "SELECT max(id) FROM games")
    changes = await store.ratings.changes(game)
    assert changes == (RatingChange(BEA, bea, would[0], 1, 2), RatingChange(ANA, ana, would[1], 1, 2))
    assert (await store.careers.aftermath(GUILD, game, [ANA, BEA])).ratings == changes
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], at)).ratings == {ANA: would[1], BEA: would[0]}


async def test_newcomers_have_the_first_rating_and_a_days_matches_are_counted_by_lineup(
    store: Stores,
) -> None:
    await add_finished_game(store, [*[played(ANA, BEA)] * 4, played(ANA, CLO), played(ANA, BEA, None)])
    at = NOON.replace(hour=23)
    assert (await store.ratings.lineup(GUILD, [7, 8], at)).ratings == {7: Rating(), 8: Rating()}
    found = [(await store.ratings.lineup(GUILD, people, at)).nth for people in ([ANA, BEA], [ANA, CLO], [BEA, CLO])]
    assert found == [6, 2, 1], "the match with a computer is one of Ana and Bea, too"
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], at + timedelta(hours=1))).nth == 1
    assert (await store.ratings.lineup(GUILD + 1, [ANA, BEA], at)).nth == 1


async def test_only_the_first_three_matches_of_the_same_people_on_a_day_bring_season_points(
    store: Stores,
) -> None:
    await add_finished_game(store, [*[played(ANA, BEA)] * 4, played(BEA, ANA, left=[1], at=NOON + DAY)])
    found = {each: (await store.leaderboards.stats(GUILD, each)).season_points for each in (ANA, BEA)}
    assert found == {ANA: 3 * 3, BEA: 3 * 1 + 3}


async def test_computers_beside_the_same_people_bring_no_more_season_points(store: Stores) -> None:
    beside = [played(ANA, BEA, *[None] * computers) for computers in (1, 0, 3, 0, 2, 1)]
    await add_finished_game(store, beside)
    assert (await store.leaderboards.stats(GUILD, ANA)).season_points == 3 * 3
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], NOON)).nth == 7
    await add_finished_game(store, [played(ANA, BEA, None, at=NOON + DAY)])
    assert (await store.leaderboards.stats(GUILD, ANA)).season_points == 3 * 3 + 3
    assert await store.standings.differences(GUILD) == []


async def test_time_keeps_the_order_of_those_who_are_not_rated_any_more(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(CLO, 4, at=NOON + 300 * DAY)])
    year = NOON + 365 * DAY
    assert await by_rating(store) == [CLO, ANA, 4, BEA]
    own = await store.leaderboards.own_row(GUILD, ANA, Leaderboard(Metric.RATING))
    assert own is not None
    assert own.rank == 2
    for moment in (year, year + 3000 * DAY):
        found = [(await store.leaderboards.stats(GUILD, each)).rating_at(moment) for each in (CLO, ANA, 4, BEA)]
        assert all(one is not None and other is not None and one.value > other.value for one, other in pairwise(found))


async def test_a_seasons_ratings_are_those_after_its_latest_matches(store: Stores) -> None:
    await add_finished_game(
        store, [played(ANA, BEA, at=MARCH), played(BEA, ANA, at=NOON), played(CLO, ANA, BEA, at=MARCH + 40 * DAY)]
    )
    march = await store.leaderboards.own_row(GUILD, BEA, Leaderboard(Metric.RATING, "2026-03"))
    assert march is not None
    [_, after, _] = await store.ratings.history(GUILD, BEA)
    assert march.rating_at(NOON + 900 * DAY) == after.rating
    assert await by_rating(store, "2026-03") == [BEA, ANA]
    assert (await by_rating(store, "2026-04"))[0] == CLO
    assert await by_rating(store, "2026-Q1") == [BEA, ANA]


async def test_by_rule_system_everything_is_counted_but_ratings(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, BEA, preset="bare"), played(BEA, ANA), played(ANA, BEA, preset="bare")])
    by_preset = {row.preset: (row.matches, row.wins) for row in (await store.careers.of(GUILD, ANA)).presets}
    assert list(by_preset.items()) == [("bare", (2, 2)), ("escoba", (1, 0))]
    which = Leaderboard(Metric.SEASON_POINTS, preset="bare")
    assert [row.season_points for row in (await store.leaderboards.page(GUILD, which, limit=9, offset=0)).rows] == [
        6,
        2,
    ]
    ratings = [Leaderboard(Metric.RATING, preset=preset) for preset in ("", "bare")]
    pages = [await store.leaderboards.page(GUILD, each, limit=9, offset=0) for each in ratings]
    assert pages[0] == pages[1]
    duel = await store.careers.duel(GUILD, ANA, BEA)
    assert duel is not None
    assert (duel.met.name, duel.met.matches, duel.met.wins, duel.met.losses) == ("user 2", 3, 2, 1)
    assert await store.careers.duel(GUILD, ANA, CLO) is None


@pytest.mark.thorough
async def test_the_history_of_many_matches_is_thinned_and_keeps_its_ends(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, number = 24, 30
    monkeypatch.setattr("bot.club.store.ratings.HISTORY", most)
    days = [NOON + DAY * each for each in range(number)]
    await add_finished_game(store, [played(ANA, BEA, at=at) for at in days[:most]])
    whole = await store.ratings.history(GUILD, ANA)
    assert [point.ended_at for point in whole] == days[:most]
    await add_finished_game(store, [played(ANA, BEA, at=at) for at in days[most:]])
    thinned = await store.ratings.history(GUILD, ANA)
    assert most - 2 <= len(thinned) <= most
    assert (thinned[0], thinned[-1].ended_at) == (whole[0], days[-1])
    gaps = {later.ended_at - point.ended_at for point, later in pairwise(thinned)}
    assert gaps <= {DAY, 2 * DAY}
    monkeypatch.setattr("bot.club.store.ratings.HISTORY", number)
    assert set(thinned) < set(await store.ratings.history(GUILD, ANA))


async def test_a_match_that_ended_before_another_is_rated_after_it_if_it_is_written_later(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, BEA, at=NOON + DAY), played(BEA, ANA, at=NOON)])
    first = rate([Rated(0, 1), Rated(1, 2)])
    second = rate([Rated(0, 1, first[1]), Rated(1, 2, first[0])])
    found = (await store.ratings.lineup(GUILD, [ANA, BEA], NOON + DAY)).ratings
    assert found == {BEA: second[0], ANA: second[1]}
    assert await store.standings.differences(GUILD) == []


async def known(store: Stores, *people: int) -> None:
    """Have each of these people meet each other, all long ago, so that each counts as a person of their own."""
    long_ago = NOON - 90 * DAY
    pairs = [(one, other) for one in people for other in people if one < other]
    await add_finished_game(store, [played(*pair, at=long_ago) for pair in pairs])


async def rating_of(store: Stores, person: int, at: datetime = NOON) -> int:
    return (await store.ratings.lineup(GUILD, [person], at)).ratings[person].shown


async def test_from_one_person_a_rating_gains_at_most_100_points_in_30_days(store: Stores) -> None:
    await known(store, ANA, BEA, CLO, DON)
    days = [NOON + DAY * day for day in range(0, 29, 2)]
    await add_finished_game(store, [played(ANA, BEA, at=at) for at in days])
    found = await store.ratings.lineup(GUILD, [ANA, BEA], days[-1])
    assert found.gains.net[ANA, BEA] == 100 * UNIT
    assert found.gains.net[BEA, ANA] == -100 * UNIT
    before = found.ratings[ANA].mu, found.ratings[BEA].mu
    await add_finished_game(store, [played(ANA, BEA, at=days[-1]), played(ANA, CLO, at=days[-1])])
    after = (await store.ratings.lineup(GUILD, [ANA, BEA], days[-1])).ratings
    assert after[BEA].mu == before[1]
    assert after[ANA].mu > before[0], "from somebody else it goes on gaining"
    later = (await store.ratings.lineup(GUILD, [ANA, BEA], NOON + 30 * DAY)).gains.net
    assert 0 < later[ANA, BEA] < 100 * UNIT, "the first day's gain is no longer among them"
    assert await store.standings.differences(GUILD) == []


async def test_what_was_lost_to_somebody_can_be_won_back_in_full(store: Stores) -> None:
    await known(store, ANA, BEA, CLO, DON)
    lost = [NOON + DAY * day for day in range(12)]
    await add_finished_game(store, [played(BEA, ANA, at=at) for at in lost])
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], lost[-1])).gains.net[ANA, BEA] == -100 * UNIT
    won = [lost[-1] + DAY * day for day in range(9)]
    await add_finished_game(store, [played(ANA, BEA, at=at) for at in won])
    assert (await store.ratings.lineup(GUILD, [ANA, BEA], won[-1])).gains.net[ANA, BEA] > 50 * UNIT
    assert await store.standings.differences(GUILD) == []


async def test_all_who_have_met_fewer_than_three_people_count_as_one_person(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, 100 + day, at=NOON + DAY * day) for day in range(20)])
    gains = (await store.ratings.lineup(GUILD, [ANA, 200], NOON + 19 * DAY)).gains
    assert gains.known == {ANA}
    assert gains.net == {(ANA, STRANGERS): 100 * UNIT}
    assert await store.standings.differences(GUILD) == []


async def test_the_stakes_of_a_lobby_are_what_the_match_then_changes(store: Stores) -> None:
    await known(store, ANA, BEA, CLO, DON)
    for day in range(9):
        at = NOON + DAY * day
        for people in ((ANA, BEA), (ANA, BEA, CLO), (ANA, 99)):
            lineup = await store.ratings.lineup(GUILD, people, at)
            sides = [(person, side) for side, person in enumerate(people)]
            stakes = stakes_of(sides, lineup.ratings, lineup.nth, lineup.gains).people
            await add_finished_game(store, [played(*people, at=at)])
            changed = [await rating_of(store, each.person_id, at) - each.rating.shown for each in stakes]
            assert changed[0] == stakes[0].first
            if len(people) == 2:
                assert changed[1] == stakes[1].last
    assert stakes_of(sides, lineup.ratings, lineup.nth, lineup.gains).people[0].limited


async def test_with_more_sides_the_limit_is_one_of_each_pair(store: Stores) -> None:
    await known(store, ANA, BEA, CLO, DON)
    await add_finished_game(store, [played(ANA, BEA, at=NOON + DAY * day) for day in range(12)])
    at = NOON + 12 * DAY
    lineup = await store.ratings.lineup(GUILD, [ANA, BEA, CLO, DON], at)
    assert lineup.gains.net[ANA, BEA] == 100 * UNIT
    full = rate([Rated(seat, 1 + seat, lineup.ratings[who]) for seat, who in enumerate((ANA, BEA, CLO))])
    await add_finished_game(store, [played(ANA, BEA, CLO, at=at)])
    after = (await store.ratings.lineup(GUILD, [ANA, BEA, CLO], at)).ratings
    assert after[ANA].mu == pytest.approx(full[0].mu), "there is room for all of it, from Clo"
    await add_finished_game(store, [played(ANA, BEA, CLO, at=at + DAY)] * 3)
    net = (await store.ratings.lineup(GUILD, [ANA, BEA, CLO], at + DAY)).gains.net
    assert net[ANA, BEA] + net[ANA, CLO] == pytest.approx(200 * UNIT, abs=2)
    assert await store.standings.differences(GUILD) == []


async def test_after_an_erasure_the_limit_is_what_it_was_for_all_others(store: Stores, database: str | Path) -> None:
    await known(store, ANA, BEA, CLO, DON)
    await add_finished_game(store, [played(ANA, BEA, CLO), played(ANA, CLO), played(ANA, 100), played(BEA, ANA)])
    others = [ANA, CLO, DON, 100]
    before = (await store.ratings.lineup(GUILD, others, NOON)).gains.net
    await store.personal_data.forget(BEA, Disguise(BEA).rewriter, NOON)
    after = (await store.ratings.lineup(GUILD, others, NOON)).gains.net
    assert after == before
    assert rows(database, "SELECT 1 FROM rating_gains WHERE 2 IN (user_id, source_id)") == []
    assert await store.standings.differences(GUILD) == []
    await add_finished_game(store, [played(ANA, CLO), played(CLO, ANA, 100), played(DON, CLO)])
    assert await store.standings.differences(GUILD) == []


async def test_a_result_is_rated_again_by_whom_people_had_met_before_it(store: Stores) -> None:
    await add_finished_game(store, [played(ANA, 100 + number) for number in range(4)])
    result = played(ANA, BEA, at=NOON + DAY)

    async def rated(*, number: int | None) -> tuple[MatchResult, bool]:
        found = await store.database.read(partial(ratings.with_ratings, result=result, result_id=number))
        return found, found.players[1].known

    first, _ = await rated(number=None)
    assert await store.database.read(ratings.rated_again, 5, result, {}) == first
    assert [each.known for each in first.players] == [True, False]
    await add_finished_game(store, [played(BEA, each, at=NOON + 40 * DAY) for each in (CLO, DON, 5)])
    assert (await rated(number=None))[1], "by now Bea has met three"
    assert not (await rated(number=5))[1], "but not before that match"
    assert await store.database.read(ratings.rated_again, 5, first, {}) == (await rated(number=5))[0]


async def test_after_an_erasure_others_keep_their_ratings_and_nothing_links_the_matches(
    store: Stores, database: str | Path
) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(CLO, ANA), played(BEA, ANA, CLO), played(ANA, BEA)])
    before = (await store.ratings.lineup(GUILD, [BEA, CLO], NOON)).ratings
    await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON)
    assert (await store.ratings.lineup(GUILD, [BEA, CLO], NOON)).ratings == before
    assert await store.standings.differences(GUILD) == []
    assert rows(database, "SELECT DISTINCT new_mu, new_sigma FROM result_players WHERE user_id IS NULL") == [
        (None, None)
    ]
    await add_finished_game(store, [played(CLO, BEA), played(BEA, CLO, 4)])
    assert await store.standings.differences(GUILD) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("result_players SET new_mu = new_mu + 0.00000001 WHERE result_id = 2 AND seat = 0", "result 2 .* rating .* 2"),
        (
            "result_players SET mu = NULL, sigma = NULL WHERE result_id = 3 AND seat = 1",
            "result 3 has the wrong weight",
        ),
        ("results SET nth = 3 WHERE id = 2", "result 2 has the wrong number"),
        ("result_players SET weight = 0.5 WHERE result_id = 2 AND seat = 0", "result 2 .* rating .* 2"),
        ("result_players SET known = NOT known WHERE result_id = 2 AND seat = 0", "result 2 .* whom user 2 has met"),
        ("rating_gains SET amount = amount + 1 WHERE user_id = 1", "what user 1 has gained from 0 on .* is wrong"),
        ("standings SET rating = rating + 0.00000001 WHERE user_id = 1 AND period = 'all'", "of all: .* 1 .* rating"),
        ("standings SET season_points = 0 WHERE user_id = 1 AND preset = 'escoba'", "by escoba: .* 1 .* season_points"),
        *(
            pytest.param(*fault, marks=pytest.mark.thorough)
            for fault in (
                (
                    "result_players SET sigma = sigma - 0.00000001 WHERE result_id = 2 AND seat = 1",
                    "result 2 .* rating .* 1",
                ),
                ("results SET weight = 0.5 WHERE id = 2", "result 2 has the wrong weight"),
                ("results SET weight = NULL WHERE id = 3", "result 3 has the wrong weight"),
                ("result_players SET stayed = NOT stayed WHERE result_id = 3 AND seat = 0", "result 3 .* rating .* 2"),
                ("result_players SET place = 1 WHERE result_id = 3 AND seat = 1", "result 3 .* rating .* 1"),
                ("standings SET sources = '{}' WHERE user_id = 1 AND sources IS NOT NULL", "of all: .* 1 .* sources"),
            )
        ),
    ],
)
async def test_wrong_figures_are_found_and_named(
    store: Stores, database: str | Path, change: str, problem: str
) -> None:
    second = match_result(
        [
            player_result(0, BEA, won=True, place=1, sources='{"cards":2}'),
            player_result(1, ANA, place=2, sources='{"oros":3}'),
        ]
    )
    await add_finished_game(store, [played(ANA, BEA), second, played(BEA, ANA, CLO)])
    assert await store.standings.differences(GUILD) == []
    with outside_transaction(database) as connection:
        connection.exec_driver_sql(f"UPDATE {change}")
    found = await store.standings.differences(GUILD)
    assert any(re.search(problem, line) for line in found), found


async def test_a_server_with_some_results_deleted_stays_right_and_goes_on_rating(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.privacy.store.retention.GAMES_AT_ONCE", 1)
    for channel in range(4):
        await add_finished_game(store, [played(ANA, BEA)], channel_id=channel)
    await store.kept.drop_games(GUILD)
    assert await store.standings.differences(GUILD) == []
    await add_finished_game(store, [played(BEA, ANA), played(ANA, CLO)])
    assert await store.standings.differences(GUILD) == []
    while await store.kept.drop_games(GUILD):
        assert await store.standings.differences(GUILD) == []
    assert await store.kept.drop_rest(GUILD, [])
    assert await store.values.of("ratings_cut") == {}
    assert await by_rating(store) == []


async def test_gains_of_people_who_play_no_more_go_with_time(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [played(ANA, BEA), played(CLO, ANA, at=NOON + DAY)])
    kept = "SELECT DISTINCT day FROM rating_gains ORDER BY day"
    await store.kept.drop_limits(NOON + gains.KEPT * DAY)
    assert rows(database, kept) == [(day_of(NOON + DAY),)], "the clock may have gone ahead"
    await store.kept.drop_limits(NOON + (gains.KEPT + 1) * DAY)
    assert rows(database, kept) == []
    assert await store.standings.differences(GUILD) == []
    await add_finished_game(store, [played(ANA, BEA, at=NOON + 60 * DAY)])
    assert rows(database, kept) == [(day_of(NOON + 60 * DAY),)]
    assert await store.standings.differences(GUILD) == []
