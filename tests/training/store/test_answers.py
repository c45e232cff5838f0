"""Answers to days' positions: one for each user and day, and the records, streaks and rankings made of them."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.privacy.store import retention
from bot.process.stores import Stores
from bot.training.store import answers
from bot.training.store.answers import MonthRow
from bot.training.store.rows import DayAnswer
from tests.support.store import GUILD, NOON, new_game

ANA, BEA, CLO = 1, 2, 3
NAMES = {ANA: "Ana", BEA: "Bea", CLO: "Clo"}
TODAY = date(2026, 3, 14)
DAY = timedelta(days=1)


def answer(user_id: int = ANA, back: int = 0, lost: int = 0, *, counted: bool = True, move: str = "0 7o") -> DayAnswer:
    """An answer to the position of `back` days ago."""
    return DayAnswer(TODAY - back * DAY, user_id, GUILD, NAMES[user_id], move, lost, counted, NOON - back * DAY)


async def give(store: Stores, *given: DayAnswer) -> None:
    for each in given:
        assert await store.answers.give(each) == each


async def test_only_the_first_answer_to_a_day_stands(store: Stores) -> None:
    first = answer()
    tries = [first, replace(first, move="0 1c", lost=900), replace(first, counted=False)]
    assert await store.answers.give(first) == first
    assert await asyncio.gather(*map(store.answers.give, tries)) == [first] * 3
    assert (await store.answers.record(ANA, TODAY, TODAY, 1)).answers == {TODAY: first}


async def test_of_two_processes_one_stores_the_answer_and_both_learn_which(store: Stores, database: str | Path) -> None:
    other = await Stores.open(database)
    try:
        tries = [answer(move=f"0 {number}o", lost=number) for number in range(1, 7)]
        stood = await asyncio.gather(
            *((store, other)[number % 2].answers.give(each) for number, each in enumerate(tries))
        )
    finally:
        await other.database.close()
    assert len(set(stood)) == 1
    assert sum((await store.answers.record(BEA, TODAY, TODAY, 1)).shares.values()) == 1


async def test_shares_are_of_all_who_answered_on_the_day_itself(store: Stores) -> None:
    elsewhere = replace(answer(BEA, move="0 1c"), guild_id=None)
    late = answer(CLO, move="0 1c", counted=False)
    await give(store, answer(), elsewhere, late, answer(CLO, back=1))
    assert (await store.answers.record(ANA, TODAY, TODAY, 1)).shares == {"0 1c": 1, "0 7o": 1}


async def test_a_record_has_the_answers_of_a_day_and_of_the_latest_ones(store: Stores) -> None:
    await give(store, *(answer(back=back) for back in range(9)), answer(BEA))
    record = await store.answers.record(ANA, TODAY - 8 * DAY, TODAY, 7)
    assert list(record.answers) == [TODAY - back * DAY for back in (8, *range(6, -1, -1))]
    assert record.streak == 9
    assert record.shares == {"0 7o": 1}


STREAKS: list[tuple[list[DayAnswer], int]] = [
    ([], 0),
    ([answer()], 1),
    ([answer(), answer(back=1), answer(back=2), answer(back=4)], 3),
    ([answer(back=1), answer(back=2)], 2),
    ([answer(back=2), answer(back=3)], 0),
    ([answer(lost=300), answer(back=1)], 0),
    ([answer(), answer(back=1, counted=False), answer(back=2)], 2),
    ([answer(), answer(back=1, counted=False, lost=1), answer(back=2)], 1),
    ([answer(), *(answer(back=each, counted=False) for each in (1, 2)), answer(back=3)], 2),
    ([answer(), *(answer(back=each, counted=False) for each in (1, 2, 3)), answer(back=4)], 1),
    ([answer(), answer(back=1, lost=1), answer(back=2)], 1),
    ([answer(counted=False), answer(back=1)], 1),
]
"a streak of A user's answers, and the number of days on which they have solved the position."


async def test_a_streak_is_of_days_solved_in_a_row(store: Stores) -> None:
    for user_id, (given, _) in enumerate(STREAKS):
        await give(store, *(replace(each, user_id=user_id) for each in given))
    expected = {user_id: streak for user_id, (_, streak) in enumerate(STREAKS)}
    assert await store.answers.streaks(expected, TODAY) == expected
    for user_id, streak in expected.items():
        assert (await store.answers.record(user_id, TODAY, TODAY, 1)).streak == streak


async def test_a_servers_streak_is_of_days_on_which_two_solved_there(store: Stores) -> None:
    assert await store.answers.together(GUILD, TODAY) == 0
    pairs = [answer(who, back) for back in (0, 1, 3) for who in (ANA, BEA)]
    await give(store, *pairs, answer(ANA, back=2), answer(BEA, back=2, lost=1), answer(CLO, back=2, counted=False))
    await give(store, replace(answer(CLO, back=4), guild_id=GUILD + 1), answer(ANA, back=4))
    assert await store.answers.together(GUILD, TODAY) == 2
    assert await store.answers.together(GUILD, TODAY - 2 * DAY) == 0
    assert await store.answers.together(GUILD, TODAY - 3 * DAY) == 1
    assert await store.answers.together(GUILD + 1, TODAY - 4 * DAY) == 0


async def test_those_who_have_solved_before_are_told_from_those_who_had_a_first(store: Stores) -> None:
    await give(store, answer(ANA, back=1), answer(BEA, back=1, lost=1), answer(BEA), answer(CLO, back=3, counted=False))
    assert await store.answers.solvers([ANA, BEA, CLO], TODAY) == {ANA, CLO}
    assert await store.answers.solvers([ANA, BEA], TODAY - DAY) == set()


async def test_a_streak_that_a_missed_day_has_ended_can_be_saved(store: Stores) -> None:
    await give(store, answer(), *(answer(back=back) for back in (2, 3, 4)), answer(BEA), answer(BEA, back=1, lost=1))
    await give(store, answer(BEA, back=2))
    record = await store.answers.record(ANA, TODAY, TODAY, 8)
    assert (record.streak, record.savable) == (1, 4)
    record = await store.answers.record(BEA, TODAY, TODAY, 8)
    assert (record.streak, record.savable) == (1, 1), "a wrong answer isn't a missed day"
    await give(store, answer(back=1, counted=False))
    record = await store.answers.record(ANA, TODAY, TODAY, 8)
    assert (record.streak, record.savable) == (4, 4)


async def test_two_days_of_each_month_can_be_saved(store: Stores) -> None:
    late = [answer(back=back, counted=False) for back in (1, 2, 14, 15)]
    await give(store, answer(), *(answer(back=back) for back in (*range(3, 14), 16)), *late)
    assert await store.answers.streaks([ANA], TODAY) == {ANA: 13}, "two in March and two in February"


async def test_long_streaks_are_found_in_few_steps(store: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_LOOK_BACK", 2)
    monkeypatch.setattr(answers, "_FURTHER", 2)
    for user_id, days in ((ANA, 13), (BEA, 2), (CLO, 7)):
        await give(store, *(answer(user_id, back) for back in range(days)))
    assert await store.answers.streaks([ANA, BEA, CLO], TODAY) == {ANA: 13, BEA: 2, CLO: 7}


async def test_a_month_ranks_those_who_answered_here_by_days_solved_then_by_points(store: Stores) -> None:
    away = replace(answer(CLO, back=3), guild_id=GUILD + 1)
    await give(store, answer(lost=400), answer(back=1), answer(BEA), replace(answer(BEA, back=1, lost=700), name="B."))
    await give(store, answer(CLO, lost=100), answer(CLO, back=1, counted=False), away, answer(CLO, back=14))
    board = await store.answers.month(GUILD, CLO, date(2026, 3, 1), 2)
    assert board.rows == (MonthRow(1, ANA, "Ana", 1, 2, 400), MonthRow(2, BEA, "Bea", 1, 2, 700))
    assert board.own == MonthRow(3, CLO, "Clo", 0, 1, 100)
    assert board.people == 3
    february = await store.answers.month(GUILD, ANA, date(2026, 2, 1), 2)
    assert [row.name for row in february.rows] == ["Clo"]
    assert february.own is None


async def test_equals_share_a_place(store: Stores) -> None:
    await give(store, answer(), answer(BEA), answer(CLO, lost=1))
    board = await store.answers.month(GUILD, BEA, date(2026, 3, 1), 9)
    assert [row.rank for row in board.rows] == [1, 1, 3]


async def test_a_servers_day_lists_the_answers_in_their_order(store: Stores) -> None:
    late = replace(answer(CLO), at=NOON + DAY / 8)
    early = replace(answer(BEA), at=NOON - DAY / 8)
    await give(store, late, early, answer(ANA, counted=False))
    assert await store.answers.given_in(GUILD, TODAY) == [early, late]
    assert await store.answers.given_in(GUILD + 1, TODAY) == []


async def test_an_erased_user_has_no_answers_and_the_others_keep_theirs(store: Stores) -> None:
    await give(store, answer(), answer(back=1), answer(BEA))
    assert [each.day for each in (await store.personal_data.of(ANA)).answers] == [TODAY - DAY, TODAY]
    assert await store.personal_data.forget(ANA, lambda game_id: lambda kind, body: None, NOON) > 0
    assert (await store.personal_data.of(ANA)).answers == ()
    assert (await store.answers.record(BEA, TODAY, TODAY, 1)).shares == {"0 7o": 1}
    assert await store.personal_data.forget(ANA, lambda game_id: lambda kind, body: None, NOON) == 0


async def test_a_deleted_server_is_forgotten_by_its_answers_which_stay(
    store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "DAYS_AT_ONCE", 2)
    await give(store, *(answer(back=back) for back in range(5)), replace(answer(BEA), guild_id=GUILD + 1))
    assert await store.kept.guilds() == [GUILD, GUILD + 1], "a server that has nothing but answers, too"
    dropped: list[int] = []
    while count := await store.kept.drop_games(GUILD):
        dropped.append(count)
    assert dropped == [2, 2, 1]
    assert await store.kept.drop_rest(GUILD, [])
    assert await store.kept.guilds() == [GUILD + 1]
    assert (await store.answers.record(ANA, TODAY, TODAY, 5)).streak == 5


async def test_a_server_with_games_and_answers_is_listed_once(store: Stores) -> None:
    await new_game(store)
    await give(store, answer(), answer(BEA))
    assert await store.kept.guilds() == [GUILD]
