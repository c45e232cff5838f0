"""A day's position is hard to see but clear once analysed, and the same wherever it is searched for."""

from collections import Counter
from datetime import date, timedelta
from itertools import product
from random import Random
from typing import Any

import pytest

from bench.days import searched
from bot.coach.analysis import analyse, merged, terms_of, tried_on
from bot.coach.finding import AHEAD, Wanted, fits, is_greedy, is_obvious
from bot.engine.notation import format_position
from bot.engine.rules import PRESETS
from bot.platform.operating.meter import Thought
from bot.players.lookahead import Lookahead, never
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import Work
from bot.thinking.worker import ScoutQuestion, TrialQuestion
from bot.training.live.days import starters
from bot.training.live.finding import ERROR, PLAN, THEMES, find, number_of, themes_on, wanted_on
from bot.training.rules.themes import theme_of
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
    assert scouting.parse(scouting.think(never))[0] != other.parse(other.think(never))[0]


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


def test_two_days_of_six_may_be_for_the_greedy_one_of_them_obvious_and_nobody_knows_which() -> None:
    first = date.fromordinal(6 * 123_000)
    days = [wanted_on(first + timedelta(days=number), "x") for number in range(90)]
    for start in range(0, 90, 6):
        assert sum(each.greedy for each in days[start : start + 6]) == 2
        assert sum(each.obvious and each.greedy for each in days[start : start + 6]) == 1
    assert days != [wanted_on(first + timedelta(days=number), "y") for number in range(90)]


def test_each_theme_is_looked_for_first_on_one_of_six_days() -> None:
    first = date.fromordinal(6 * 123_000)
    days = [themes_on(first + timedelta(days=number), "x") for number in range(60)]
    assert all(set(each) == set(THEMES) for each in days)
    assert all({each[0] for each in days[start : start + 6]} == set(THEMES) for start in range(0, 60, 6))
    assert len({tuple(each) for each in days}) > 20


def test_positions_that_are_easy_to_solve_fit_only_on_their_days() -> None:
    greedy = obvious = 0
    for each in starters():
        view, analysis, public = each.view, each.analysis, each.view.public
        found, seen = is_greedy(view, analysis.best.move), is_obvious(view, analysis)
        for may_greedy, may_seen in product((True, False), repeat=2):
            wanted = Wanted(public.rules, public.seating, greedy=may_greedy, obvious=may_seen)
            assert fits(wanted, view, analysis) is ((may_greedy or not found) and (may_seen or not seen))
        greedy += found
        obvious += seen
    assert 0 < greedy < len(starters()) / 2
    assert obvious <= len(starters()) / 6


def test_the_starters_have_all_themes_and_none_too_often() -> None:
    themes = Counter(theme_of(each.view, each.analysis) for each in starters())
    assert set(themes) == set(THEMES)
    assert max(themes.values()) <= len(starters()) / 3


STARTER = next(each for each in starters() if not each.analysis.exact)


class Flattering(InlineThinker):
    """Finds one decision, whose best move is a whole point ahead in the draws by which it is found, and by `lead` in
    all others."""

    def __init__(self, lead: float) -> None:
        super().__init__()
        self.lead = lead

    async def solve(self, work: Work[Any], urgency: Urgency, person: int | None = None) -> Any:
        question = next(work)
        if isinstance(question, ScoutQuestion):
            return [STARTER.position]
        assert isinstance(question, TrialQuestion)
        assert isinstance(question.rng, str)
        lead = 1.0 if question.rng.endswith("/first") else self.lead
        public, draws = question.view.public, question.draws
        leads = {
            move: lead * (public.seating.sides - 1) * (move == STARTER.analysis.best.move) for move in question.moves
        }
        others = [[0.0] * draws] * (len(terms_of(public.rules)) - 1)
        return [[([[leads[move]] * draws, *others], 0) for move in question.moves]], question.rng


@pytest.mark.thorough
@pytest.mark.parametrize(("lead", "found"), [(0.5, True), (0.36, True), (0.3, False), (-0.5, False)])
async def test_a_decision_must_be_clear_by_other_draws_than_those_by_which_it_was_found(
    lead: float, found: bool
) -> None:
    day = next(each for each in (EASY + timedelta(days=number) for number in range(12)) if wanted_on(each, "x").obvious)
    result = await find(Flattering(lead), day, "x")
    assert (result is not None) is found
    if result is not None:
        assert result.analysis.ratings[1].behind == pytest.approx(lead), "its ratings are those of the other draws"


def test_parts_of_an_analysis_come_to_the_same_as_the_whole() -> None:
    view = exercise().view
    rng = Random(4)
    parts = [tried_on(view, Lookahead(view).moves, rng, draws, never) for draws in (30, 50, 20)]
    assert merged(view, parts) == analyse(view, Random(4), draws=100)


FOUND: Any = ScoutQuestion(wanted_on(EASY, "x"), "x").think(never)


@pytest.mark.parametrize("texts", [3, [3], ["nothing"], [exercise().dump()], [format_position(STARTER.position)] * 4])
def test_an_answer_that_is_not_a_position_is_refused(texts: object) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        ScoutQuestion(wanted_on(EASY, "x"), "x").parse([texts, FOUND[1]])


@pytest.mark.parametrize("state", [None, [], [3, [0.5] * 3, None], [3, [-1] * 625, None], 3])
def test_an_answer_without_the_generators_state_is_refused(state: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        ScoutQuestion(wanted_on(EASY, "x"), "x").parse([FOUND[0], state])
