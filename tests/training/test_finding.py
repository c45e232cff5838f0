"""A day's position is hard to see but clear once analysed, and the same wherever it is searched for."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from bench.days import searched
from bot.engine.rules import PRESETS
from bot.operating.meter import Thought
from bot.players.training.analysis import analyse, merged, tallied
from bot.players.training.finding import AHEAD, Wanted, fits, is_greedy
from bot.thinking import InlineThinker
from bot.thinking.questions import ScoutQuestion, TallyQuestion, bare
from bot.training.days import starters
from bot.training.finding import ERROR, PLAN, find, number_of, wanted_on
from tests.support.dose import dose
from tests.thinking.test_processes import processes
from tests.training.test_exercise import exercise

DAYS = dose("DAYS", 1)
DRAWS = 4_000 if DAYS > 10 else 500
EASY = date(2027, 1, 13)
"""A day whose position is found quickly with the secret `x`."""
EASIEST = "o"
"""With this secret it is found even more quickly."""


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(DAYS))
def test_a_days_position_has_what_it_must_have_and_another_look_agrees(number: int) -> None:
    found, day = searched(EASY + timedelta(days=number), "x", draws=DRAWS, again=2 * DRAWS)
    best, second, *_ = found.analysis.ratings
    assert day.fits
    assert 3 <= len(found.view.moves) == len(found.analysis.ratings), "every move is rated"
    assert second.behind >= AHEAD
    assert second.error <= ERROR or DRAWS < 4_000
    assert day.agrees
    assert not is_greedy(found.view, best.move) or wanted_on(EASY + timedelta(days=number), "x").greedy
    assert not found.view.public.scores, "the match is in its first round, so that only this round's points count"
    assert day.longest < 2.0, (
        "a step must not keep a live move waiting; it takes a quarter of a second on an idle machine"
    )


@pytest.mark.thorough
async def test_a_worker_process_finds_the_same_position() -> None:
    here = await find(InlineThinker(), EASY, EASIEST, draws=200)
    async with processes() as (thinker, noted):
        assert await find(thinker, EASY, EASIEST, draws=200) == here
        assert {what for what, _ in noted.advice} == {"day"}
        assert {how for _, how in noted.advice} == {Thought.FULL}
    assert here is not None


def test_only_the_secret_tells_which_position_it_will_be() -> None:
    scouting = ScoutQuestion(wanted_on(EASY, "x"), "x")
    other = ScoutQuestion(wanted_on(EASY, "x"), "y")
    assert scouting.parse(scouting.think(bool)) != other.parse(other.think(bool))


async def test_a_thinker_that_is_unavailable_or_ends_finds_nothing() -> None:
    async with processes(0) as (thinker, _):
        assert await find(thinker, EASY, "x") is None
    async with processes() as (thinker, _):
        await thinker.close()
        assert await find(thinker, EASY, "x") is None


def test_every_rule_system_has_its_day_each_week_and_escoba_several() -> None:
    week = [{PLAN[day][0] for day in range(number, len(PLAN), 7)} for number in range(7)]
    assert all(len(presets) == 1 for presets in week), "a weekday always has the same rule system"
    played = {preset for presets in week for preset in presets}
    assert len(played) == 5
    captures = [
        {(PRESETS[each].rules.capture, PRESETS[each].rules.duty) for each in some} for some in (played, PRESETS)
    ]
    assert captures[0] == captures[1], "a rule system has no day of its own only if another one's captures are the same"
    assert sum(presets == {"escoba"} for presets in week) == 3
    assert all(seating in PRESETS[preset].seatings for preset, seating in PLAN)
    assert {seating.seats for _, seating in PLAN} == {2, 3, 4, 6}
    monday = date(2027, 1, 4)
    assert [number_of(monday + timedelta(days=day)) % 7 for day in range(9)] == [0, 1, 2, 3, 4, 5, 6, 0, 1]


def test_a_greedy_player_may_solve_one_day_in_three_and_nobody_knows_which() -> None:
    first = date.fromordinal(3 * 246_000)
    days = [wanted_on(first + timedelta(days=number), "x").greedy for number in range(90)]
    assert all(sum(days[start : start + 3]) == 1 for start in range(0, 90, 3))
    assert days != [wanted_on(first + timedelta(days=number), "y").greedy for number in range(90)]


def test_positions_that_a_greedy_player_solves_fit_only_on_their_days() -> None:
    greedy = 0
    for each in starters():
        view, analysis, public = each.view, each.analysis, each.view.public
        found = is_greedy(view, analysis.best.move)
        assert fits(Wanted(public.rules, public.seating, greedy=True), view, analysis)
        assert fits(Wanted(public.rules, public.seating, greedy=False), view, analysis) is not found
        greedy += found
    assert 0 < greedy < len(starters())


def test_parts_of_an_analysis_come_to_the_same_as_the_whole() -> None:
    view = exercise().view
    rng = Random(4)
    parts = [tallied(view, rng, draws=draws) for draws in (30, 50, 20)]
    assert merged(view, parts) == analyse(view, Random(4), draws=100)


@pytest.mark.parametrize("answer", [None, [], [[[], [], 0]], [[[1], [1], 0]], [[["x"] * 5, [0] * 7, 0]] * 3])
def test_an_answer_that_is_not_part_of_this_analysis_is_refused(answer: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        TallyQuestion(bare(exercise().view), "x", 5).parse(answer)


@pytest.mark.parametrize("answer", [3, [3], ["nothing"], [exercise().dump()]])
def test_an_answer_that_is_not_a_position_is_refused(answer: object) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        ScoutQuestion(wanted_on(EASY, "x"), "x").parse(answer)
