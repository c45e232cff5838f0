"""The day's screens fit into Discord's limits, and their figures add up."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.coach.analysis import Analysis
from bot.engine.rules import Seating
from bot.platform.language.catalogues import words
from bot.training.ids.lesson import DayRef, DayVerb
from bot.training.live.finding import Exercise
from bot.training.screens.day import (
    ON_A_PAGE,
    DayPage,
    day_more,
    day_question,
    day_verdict,
    month_layout,
    percentages,
    shared_layout,
    streak_text,
    week_grid,
    week_layout,
)
from bot.training.store.answers import DayRecord, MonthBoard, MonthRow
from bot.training.store.rows import DayAnswer
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of
from tests.training.screens.test_exercise import EN, every_display, exercises

TODAY = date(2026, 11, 23)
DAY = timedelta(days=1)
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def answer(back: int = 0, lost: int = 0, *, counted: bool = True, move: str = "") -> DayAnswer:
    return DayAnswer(TODAY - back * DAY, LARGEST, LARGEST, NAME, move, lost, counted, NOON)


def page(exercise: Exercise, *answers: DayAnswer, streak: int = 0, **shares: int) -> DayPage:
    return DayPage(TODAY, TODAY, exercise, DayRecord({each.day: each for each in answers}, shares, streak, streak))


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 10**6), max_size=30))
def test_percentages_add_up_to_a_hundred(counts: dict[str, int]):
    found = percentages(counts)
    assert sum(found.values()) == (100 if counts else 0)
    total = sum(counts.values())
    assert all(abs(found[name] - 100 * count / total) < 1 for name, count in counts.items())


@every_display
def test_discord_takes_the_fullest_screens(display):
    widest = max(exercises("cientifica", Seating.PAIRS, 1, seed=11), key=lambda each: len(each.view.moves))
    quince = next(exercises("quince", Seating.TRIPLE_PAIRS, 1))
    for made in (widest, quince):
        names = [made.name_of(move) for move in made.view.moves]
        given_ = answer(0, 9_999, move=names[-1])
        full = page(made, given_, streak=10**9, **dict.fromkeys(names, 10**9))
        late = replace(full, today=TODAY + DAY)
        assert not troubles(day_question(full, display))
        assert not troubles(day_question(late, display))
        for each in (given_, replace(given_, counted=False)):
            assert not troubles(day_verdict(full, made.view.moves[-1], each, display))
        assert not troubles(day_more(full, made.view.moves[-1], display.words))
        assert not troubles(shared_layout(full, NAME, display.words))


@every_language
def test_discord_takes_the_fullest_lists(t):
    rows = tuple(MonthRow(10**9 + n, n, NAME, 31, 31, 10**9) for n in range(ON_A_PAGE))
    board = MonthBoard(rows, MonthRow(10**9, LARGEST, NAME, 31, 31, 10**9), 10**9)
    assert not troubles(month_layout(board, TODAY.replace(day=1), TODAY, LARGEST, t))
    assert not troubles(week_layout(TODAY, DayRecord({}, {}, 0, 0), t))


def test_the_shares_name_ones_own_move_however_few_chose_it():
    made = next(exercises("cientifica", Seating.PAIRS, 1, seed=11))
    names = {rating.move: made.name_of(rating.move) for rating in made.analysis.ratings}
    own = list(names)[-1]
    shares = dict.fromkeys(names.values(), 3)
    verdict = words_of(day_more(page(made, answer(move=names[own]), **shares), own, EN.words))
    lines = [line for line in verdict.splitlines() if "%**" in line]
    assert any("👈 your move" in line for line in lines)
    assert "other moves" in lines[-1]
    assert sum(int(line.strip("*").partition("%")[0]) for line in lines) == 100


def test_a_move_without_a_rating_has_a_share_and_no_figure():
    made = next(exercises("escoba", Seating.TWO, 1))
    left_out = made.analysis.ratings[-1].move
    short = replace(made, analysis=Analysis(made.analysis.ratings[:-1], exact=False))
    verdict = words_of(day_more(page(short, answer(), **{short.name_of(left_out): 2}), left_out, EN.words))
    [line] = [line for line in verdict.splitlines() if "your move" in line]
    assert line.startswith("**100%** · ")
    assert "−" not in line


def test_the_verdict_tells_what_others_chose_but_nobody_is_among_their_own_others():
    made = next(exercises("escoba", Seating.TWO, 1))
    best, own = made.analysis.ratings[0].move, made.analysis.ratings[1].move
    name, mine = made.name_of(best), answer(move=made.name_of(own))
    alone = words_of(day_verdict(page(made, mine, **{mine.move: 1}), own, mine, EN))
    assert "other" not in alone
    assert "%" not in alone
    told = words_of(day_verdict(page(made, mine, **{mine.move: 2, name: 3}), own, mine, EN))
    assert "4 others: 75% the better move · 25% like you" in told
    late = words_of(day_verdict(page(made, mine, **{name: 1}), own, replace(mine, counted=False), EN))
    assert "1 other: 100% the better move · 0% like you" in late
    found = answer(move=name)
    assert "1 other: 100% like you" in words_of(day_verdict(page(made, found, **{name: 2}), best, found, EN))


def test_a_week_has_a_coloured_square_for_each_answer_that_counts():
    made = next(exercises("escoba", Seating.TWO, 1))
    answers = (answer(0), answer(1, 200), answer(2, 500), answer(3, 1500), answer(4, counted=False), answer(7))
    assert week_grid(page(made, *answers)) == "⬜⬜⬜🟥🟥🟨🟩"


@pytest.mark.spanish
def test_a_streak_of_one_day_is_singular():
    assert streak_text(DayRecord({}, {}, 1, 1), words("en")) == "🔥 Streak: **1** day"
    assert streak_text(DayRecord({}, {}, 12, 12), words("es")) == "🔥 Racha: **12** días"
    assert "**Earlier days**" in streak_text(DayRecord({}, {}, 1, 12), words("en"))


def test_what_is_shared_has_no_word_about_the_position_or_the_move():
    texts: set[str] = set()
    for preset, seating in product(("escoba", "quince"), (Seating.TWO, Seating.THREE)):
        made = next(exercises(preset, seating, 1))
        for move in made.view.moves:
            texts.add(str(shared_layout(page(made, answer(move=made.name_of(move))), "Ana", EN.words).to_components()))
    assert len(texts) == 1


def test_a_day_survives_its_custom_id():
    ref = DayRef(date(2026, 3, 4), 17)
    assert DayRef.read(ref.custom_id(DayVerb.MOVE).split(":")[2:]) == ref
