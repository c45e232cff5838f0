"""A match's number on its day: one of the same people for ratings, and for season points one for each seat, for which
all whom somebody met that don't count as persons of their own are one."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.club.store.results import MatchResult
from bot.club.store.revised import Verdict
from bot.club.store.standing import Leaderboard, Metric
from bot.process.stores import Stores
from tests.club.store.test_marks import club, erase
from tests.club.store.test_ratings import played
from tests.club.store.test_revised import TOURNAMENT, play
from tests.club.store.test_standing_rows import outside_transaction
from tests.support.store import GUILD, NOON, add_finished_game, on_both, rows

ANA, BEA, CLO, DON, EVA = range(101, 106)
OWN = (BEA, CLO, DON, EVA)
"""Accounts of Ana's."""
CLUB = tuple(range(1, 13))
DAY = timedelta(days=1)


def fair(*people: int | None, at: datetime = NOON, **changes: Any) -> MatchResult:
    """A match as this version begins one, in which these people finished in this order and have all played; None is a
    computer, a negative number somebody who erased their data during the match."""
    result = played(*people, at=at, **changes)
    played_by = [each.user_id is not None for each in result.players]
    players = zip(result.players, played_by, strict=True)
    return replace(result, players=tuple(replace(each, sources="{}", played=own, gains=own) for each, own in players))


async def points(store: Stores, person: int) -> int:
    """The points of the season in which all this is played; people have met before."""
    found = await store.leaderboards.own_row(GUILD, person, Leaderboard(Metric.SEASON_POINTS, "2026-03"))
    return 0 if found is None else found.season_points


async def numbers(store: Stores, database: str | Path) -> list[tuple[int, list[int | None]]]:
    """The number of each match, and those of its seats."""
    assert await store.standings.differences(GUILD) == []
    found: dict[int, tuple[int, list[int | None]]] = {}
    query = (
        "SELECT result_id, results.nth, result_players.nth FROM result_players JOIN results ON results.id = result_id"
        " WHERE result_players.ended_at >= '2026-01-01' ORDER BY result_id, seat"
    )
    for result_id, nth, own in rows(database, query):
        found.setdefault(result_id, (nth, []))[1].append(own)
    return list(found.values())


def sets(own: Sequence[int]) -> list[tuple[int, ...]]:
    return [some for size in range(1, len(own) + 1) for some in combinations(own, size)]


# ------------------------------------------------------------------------------------------ own accounts
@on_both
@pytest.mark.parametrize("member", [False, True])
async def test_accounts_of_ones_own_bring_nine_season_points_a_day(store: Stores, member: bool) -> None:
    await club(store, *CLUB, *((ANA,) if member else ()))
    await club(store, ANA, *OWN)
    await add_finished_game(store, [fair(ANA, *some, *beside) for some in sets(OWN) for beside in ((), (None,), ())])
    assert await points(store, ANA) == 9
    lost = 6 if member else 3  # with Ana, and with Ana and others
    assert [await points(store, each) for each in OWN] == [lost] * 4
    await add_finished_game(store, [fair(ANA, each) for each in CLUB[:4]])
    assert await points(store, ANA) == 9 + 4 * 3, "honest people are others"
    await add_finished_game(store, [fair(ANA, BEA, at=NOON + DAY)])
    assert await points(store, ANA) == 9 + 4 * 3 + 3, "it is another day"
    assert await store.standings.differences(GUILD) == []


@on_both
async def test_accounts_that_are_erased_bring_no_more(store: Stores) -> None:
    await club(store, *CLUB)
    await club(store, ANA, *OWN)
    for some in sets(OWN[:3]):
        await add_finished_game(store, [fair(ANA, *some)])
        await erase(store, some[0])
        await add_finished_game(store, [fair(ANA, *some), fair(ANA, -some[0], *some[1:]), fair(ANA, 1000 + some[0])])
    assert await points(store, ANA) == 9
    assert await store.standings.differences(GUILD) == []


async def test_somebody_who_erased_their_data_keeps_no_number(store: Stores, database: str | Path) -> None:
    await add_finished_game(store, [fair(ANA, BEA)] * 2)
    await erase(store, BEA)
    assert await numbers(store, database) == [(1, [1, None]), (2, [2, None])]


# ------------------------------------------------------------------------------------------ honest people
@on_both
async def test_a_regular_runs_out_of_newcomers_and_no_newcomer_of_regulars(store: Stores, database: str | Path) -> None:
    await club(store, *CLUB)
    await add_finished_game(store, [fair(1, new) for new in OWN])
    assert [own for _, own in await numbers(store, database)] == [[1, 1], [2, 1], [3, 1], [4, 1]]
    assert await points(store, 1) == 9
    await add_finished_game(store, [fair(new, 2) for new in OWN] + [fair(1, 2), fair(1, 2, EVA), fair(BEA, 2, 3)])
    assert [await points(store, new) for new in OWN] == [1 + 3 + 3, 1 + 3, 1 + 3, 1 + 3 + 1]
    assert await points(store, 1) == 9 + 3 + 3
    assert (await numbers(store, database))[-3:] == [(1, [1, 1]), (1, [1, 1, 1]), (1, [1, 1, 1])]
    assert await points(store, 2) == 3 + 1 + 1 + 1, "with newcomers three, then with 1, and with both"


async def test_in_a_club_whose_people_know_each_other_only_the_same_people_count(
    store: Stores, database: str | Path
) -> None:
    random, expected, met = Random("club"), Counter[int](), Counter[object]()
    await club(store, *CLUB)
    matches: list[MatchResult] = []
    for number in range(120):
        people = random.sample(CLUB[:5], random.choice((2, 2, 2, 3, 4)))
        computers = [None] * (random.random() < 0.2)
        matches.append(fair(*people, *computers, at=NOON.replace(hour=0) + timedelta(minutes=40 * number)))
        group = (matches[-1].ended_at.date(), frozenset(people))
        met[group] += 1
        if met[group] <= 3:
            expected.update(dict.fromkeys(people, 1) | {people[0]: 3})
    await add_finished_game(store, matches)
    assert {each: await points(store, each) for each in CLUB[:5]} == expected
    assert max(met.values()) > 3
    assert all(set(own) - {None} == {nth} for nth, own in await numbers(store, database))


async def test_whom_somebody_met_is_counted_as_what_they_were_then(store: Stores, database: str | Path) -> None:
    await club(store, *CLUB)
    await add_finished_game(store, [fair(1, BEA)] * 2)
    await add_finished_game(store, [fair(each, BEA) for each in (2, 3)])
    await add_finished_game(store, [fair(1, BEA), fair(1, CLO), fair(1, CLO)])
    assert [(nth, own[0]) for nth, own in await numbers(store, database)] == [
        *((1, 1), (2, 2), (1, 1), (1, 1)),
        (3, 3),  # Bea counts by now: it is the first with her alone, but the third with the same people
        *((1, 3), (2, 4)),
    ]


# ------------------------------------------------------------------------------------------ never lower, and 1.0
@on_both
async def test_a_seats_number_is_never_lower_than_that_of_the_same_people(store: Stores, database: str | Path) -> None:
    await club(store, *CLUB)
    await add_finished_game(store, [fair(1, 2)] * 2)
    await erase(store, 2)
    await add_finished_game(store, [fair(1, 2)])
    assert (await numbers(store, database))[-1] == (3, [3, 3])


async def test_matches_that_1_0_began_are_numbered_by_the_same_people_alone(
    store: Stores, database: str | Path
) -> None:
    await club(store, *CLUB)
    old = [played(1, new) for new in OWN]
    await add_finished_game(store, old)
    assert await numbers(store, database) == [(1, [None, None])] * 4
    assert await points(store, 1) == 4 * 3
    await add_finished_game(store, [fair(1, new) for new in OWN] + old)
    assert [own for _, own in (await numbers(store, database))[4:]] == [
        *([2, 2], [2, 2], [3, 2], [4, 2]),
        *([[None, None]] * 4),
    ]
    assert await points(store, 1) == 4 * 3 + 3 * 3 + 4 * 3


# ------------------------------------------------------------------------------------------ people who are gone
async def test_matches_from_which_somebody_erased_themselves_are_numbered_too(
    store: Stores, database: str | Path
) -> None:
    await add_finished_game(store, [fair(ANA, -BEA), fair(ANA, -7), fair(ANA, -8, None), fair(ANA, -9, CLO)])
    assert [nth for nth, _ in await numbers(store, database)] == [1, 2, 3, 1]
    await add_finished_game(store, [fair(ANA, CLO), fair(ANA, -9, CLO)])
    assert [nth for nth, _ in (await numbers(store, database))[4:]] == [1, 2]


async def test_a_correction_leaves_the_number_of_a_match_with_somebody_who_is_gone(
    store: Stores, database: str | Path
) -> None:
    await play(store, "1.1", fair(CLO, DON))
    await add_finished_game(store, [fair(ANA, BEA, None)] * 5)
    await erase(store, BEA)
    before = await points(store, ANA)
    assert await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=True, winner=1, points=(3, 15))])
    assert [nth for nth, _ in await numbers(store, database)] == [1, 1, 2, 3, 4, 5]
    assert await points(store, ANA) == before


# ------------------------------------------------------------------------------------------ corrections, checks
@on_both
async def test_a_correction_numbers_later_matches_again(store: Stores, database: str | Path) -> None:
    await club(store, *CLUB)
    await play(store, "1.1", fair(1, BEA))
    await add_finished_game(store, [fair(1, CLO), fair(1, DON, None), fair(1, EVA), fair(2, BEA)])
    whole = await numbers(store, database)
    assert [own[0] for _, own in whole] == [1, 2, 3, 4, 1]
    assert await points(store, 1) == 9
    for times in range(2):
        assert await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=False)])
        assert [own[0] for _, own in await numbers(store, database)] == [None, 1, 2, 3, 1]
        assert await points(store, 1) == 9
        back = Verdict("1.1", ranked=True, winner=times, points=(15, 9))
        assert await store.tournaments.revise(TOURNAMENT, [back])
        assert await numbers(store, database) == whole
        assert await points(store, 1) == (9 if not times else 7)


async def test_corrections_leave_who_counted_at_a_table_with_a_computer(store: Stores, database: str | Path) -> None:
    await club(store, *CLUB)
    await play(store, "1.1", fair(CLO, DON))
    await add_finished_game(store, [fair(1, BEA, None)])
    await add_finished_game(store, [fair(each, BEA, at=NOON + DAY) for each in (2, 3, 4)])
    query = "SELECT user_id, known, nth FROM result_players WHERE result_id = 3 ORDER BY seat"
    before = rows(database, query)
    assert before == [(1, 1, 1), (BEA, 0, 1), (None, 0, None)]
    assert await store.tournaments.revise(TOURNAMENT, [Verdict("1.1", ranked=True, winner=1, points=(3, 15))])
    assert rows(database, query) == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("result_players SET nth = 1 WHERE result_id = 4 AND seat = 0", "result 4 .* number for user 1 "),
        ("result_players SET nth = 5 WHERE result_id = 4 AND seat = 1", "result 4 .* number for user 103 "),
        ("result_players SET nth = 4 WHERE result_id = 4 AND seat = 0", "user 1 has the wrong season_points"),
        ("result_players SET known = true WHERE result_id = 5 AND seat = 1", "result 5 .* whom user 104 has met"),
    ],
)
async def test_a_wrong_number_of_a_seat_is_found(
    store: Stores, database: str | Path, change: str, problem: str
) -> None:
    await club(store, *CLUB)
    await add_finished_game(store, [fair(1, BEA), fair(1, BEA), fair(1, CLO), fair(1, DON, None)])
    await add_finished_game(store, [fair(1, EVA)] * 2)
    assert await store.standings.differences(GUILD) == []
    with outside_transaction(database) as connection:
        connection.exec_driver_sql(f"UPDATE {change}")
    found = await store.standings.differences(GUILD)
    assert any(re.search(problem, line) for line in found), found


async def test_what_people_may_read_of_their_data_has_their_numbers(store: Stores) -> None:
    await club(store, *CLUB)
    await add_finished_game(store, [fair(1, BEA), fair(1, CLO, None)])
    found = await store.personal_data.of(1)
    assert [result.players[0].nth for _, result in found.results] == [None, 1, 2]
    assert [result.players[0].known for _, result in found.results] == [False, True, True]
