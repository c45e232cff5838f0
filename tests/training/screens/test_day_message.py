"""A server's message with the day's position: what it tells, what it keeps secret, and that Discord accepts it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import islice
from random import Random

import pytest

from bot.coach.analysis import TERMS, Analysis, MoveRating
from bot.coach.grading import Grade
from bot.engine.moves import Stage
from bot.engine.notation import Position
from bot.engine.rules import Seating
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.transport.permissions import MissingPermission
from bot.process.setting_pages import SERVER_PAGES
from bot.training.live.finding import Exercise
from bot.training.screens.day_message import (
    MOST_NAMES,
    MOST_STREAKS,
    DayMessage,
    DayResult,
    Solved,
    day_layout,
    stopped_layout,
)
from bot.training.screens.day_settings import DayChoice, day_settings_layout
from bot.training.store.days import DayChannel, Stopped
from bot.training.words.coaching import move_text
from tests.support.engine import COMBOS, random_events
from tests.support.layouts import LARGEST, NAME, every_language, thorough_but_few, troubles, words_of
from tests.support.settings_pages import Shown

EN = Display(words("en"), pictures=False)
DAY, NEXT = date(2026, 3, 14), datetime(2026, 3, 15, 18, tzinfo=UTC)


@cache
def exercise(preset: str = "escoba", seating: Seating = Seating.TWO, *, best: int = 0, moves: int = 3) -> Exercise:
    """A decision of the first round with made-up ratings: move `best` first, the others half a point apart."""
    events = []
    for event, match in islice(random_events(preset, seating, Random(5)), 40):
        events.append(event)
        if len(events) > moves and match.stage is Stage.TO_PLAY and len(match.legal_moves()) > 1:
            break
    position = Position(tuple(events))
    order = list(position.view.moves)
    order.insert(0, order.pop(best))
    terms = dict.fromkeys(TERMS, 0.1)
    ratings = (MoveRating(move, -behind / 2, terms, 0.5, behind / 2, 0.01) for behind, move in enumerate(order))
    return Exercise(position, Analysis(tuple(ratings), exact=False))


def message(of: Exercise, *results: DayResult, before: Solved | None = None, over: bool = False) -> DayMessage:
    before = before or Solved(DAY - timedelta(days=1), exercise("quince"), found=0, tried=0)
    return DayMessage(DAY, of.view, results, before, over, NEXT)


def test_two_solutions_make_the_same_message() -> None:
    results = [DayResult("Ana", Grade.GOOD, 3), DayResult("Bea", Grade.BLUNDER)]
    one, other = exercise(best=0), exercise(best=1)
    assert one.analysis.best.move != other.analysis.best.move
    for display in (EN, replace(EN, pictures=True)):
        assert day_layout(message(one, *results), display) == day_layout(message(other, *results), display)


def test_it_opens_with_the_solution_of_the_day_before_and_how_many_found_it() -> None:
    of, other = exercise(), exercise("quince")
    before = Solved(date(2026, 3, 13), other, found=7, tried=12)
    text = words_of(day_layout(message(of, before=before), EN))
    best = move_text(other.analysis.best.move, EN.words)
    assert text.index("The solution of March 13") < text.index(best) < text.index("7 of 12") < text.index("March 14")
    assert "13 de marzo" in words_of(day_layout(message(of, before=before), Display(words("es"), pictures=False)))


def test_it_ranks_how_well_people_did_and_shows_their_streaks() -> None:
    given = [
        DayResult("Ana", Grade.BLUNDER),
        DayResult("Bea", Grade.SMALL),
        DayResult("Ciro", Grade.GOOD, 2),
        DayResult("Dora", Grade.MISTAKE),
        DayResult("Elio", Grade.GOOD, 3),
    ]
    text = words_of(day_layout(message(exercise(), *given), EN))
    assert "**2 of 5 found the best move**" in text
    assert (
        "🟩 Ciro · 🟩 Elio · 🟨 Bea · 🟥 Ana · 🟥 Dora" in text
        or "🟩 Ciro · 🟩 Elio · 🟨 Bea · 🟥 Ana · 🟥 Dora" in text
    )
    assert "🔥 Elio: 3 days" in text
    assert "Ciro:" not in text


def test_before_the_first_answer_it_counts_nothing() -> None:
    text = words_of(day_layout(message(exercise()), EN))
    assert "found the best move" not in text
    assert "found it" not in text


def test_many_names_are_cut() -> None:
    given = [DayResult(f"Ana{number}", Grade.GOOD, 3 + number) for number in range(MOST_NAMES + 5)]
    text = words_of(day_layout(message(exercise(), *given), EN))
    assert text.count("🟩") == MOST_NAMES
    assert "and 5 more" in text
    assert text.count(" days") == MOST_STREAKS
    assert f"Ana{MOST_NAMES + 4}: {MOST_NAMES + 7} days" in text


def test_once_its_day_is_over_it_asks_for_nothing() -> None:
    of = exercise()
    assert "It's your turn" in words_of(day_layout(message(of), EN))
    over = words_of(day_layout(message(of, over=True), EN))
    assert "It's your turn" not in over
    assert "<t:" not in over, "it stays as it is, and a time in the future would soon be past"


@every_language
@pytest.mark.parametrize(("preset", "seating"), thorough_but_few(COMBOS))
def test_discord_takes_the_longest_message(t: Words, preset: str, seating: Seating) -> None:
    given = [DayResult(NAME, grade, 365) for grade in Grade for _ in range(250)]
    of = exercise(preset, seating, moves=20)
    for over in (False, True):
        layout = day_layout(
            message(of, *given, before=Solved(DAY, of, 1000, 1000), over=over), Display(t, pictures=True)
        )
        assert troubles(layout) == []
    assert troubles(stopped_layout(t)) == []


@every_language
@pytest.mark.parametrize("stopped", [None, *Stopped])
def test_discord_takes_the_editor_in_every_state(t: Words, stopped: Stopped | None) -> None:
    row = DayChannel(LARGEST, LARGEST, 18, "en", stopped=stopped)
    choice = DayChoice(row, None if stopped else NEXT, NEXT, lacking=list(MissingPermission), note="x" * 200)
    for each in (choice, replace(choice, posted=True), DayChoice(None, None, NEXT)):
        assert troubles(day_settings_layout(each, t)) == []
    listed = Shown(day=row).list(SERVER_PAGES, t)
    assert troubles(listed) == []
    assert ("⚠️" in words_of(listed)) == (stopped is not None)


def test_the_editor_offers_to_post_only_what_is_not_posted() -> None:
    row = DayChannel(1, 2, 18, "en")
    for choice, offered in ((DayChoice(row, NEXT, NEXT), True), (DayChoice(row, NEXT, NEXT, posted=True), False),
                            (DayChoice(replace(row, stopped=Stopped.GONE), None, NEXT), False),
                            (DayChoice(None, None, NEXT), False)):  # fmt: skip
        assert ("s:daynow" in str(day_settings_layout(choice, words("en")).to_components())) == offered
