"""A server's message with the day's position: what it tells, what it keeps secret, and that Discord accepts it."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import islice, product
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
    before = before or Solved(DAY - timedelta(days=1), exercise("quince"))
    return DayMessage(DAY, of.view, results, before, over, NEXT)


def test_two_solutions_make_the_same_message() -> None:
    results = [DayResult("Ana", Grade.GOOD, 3), DayResult("Bea", Grade.BLUNDER)]
    one, other = exercise(best=0), exercise(best=1)
    assert one.analysis.best.move != other.analysis.best.move
    for display in (EN, replace(EN, pictures=True)):
        assert day_layout(message(one, *results), display) == day_layout(message(other, *results), display)


def test_it_opens_with_the_solution_of_the_day_before_and_how_many_found_it() -> None:
    of, other = exercise(), exercise("quince")
    before = Solved(date(2026, 3, 13), other, given(7, 12))
    text = words_of(day_layout(message(of, before=before), EN))
    best = move_text(other.analysis.best.move, EN.words)
    assert text.index("The solution of March 13") < text.index(best) < text.index("7 of 12") < text.index("March 14")
    assert "13 de marzo" in words_of(day_layout(message(of, before=before), Display(words("es"), pictures=False)))


def given(found: int, tried: int) -> tuple[DayResult, ...]:
    grades = [Grade.GOOD] * found + [Grade.MISTAKE] * (tried - found)
    return tuple(DayResult(f"P{number}", grade) for number, grade in enumerate(grades))


def test_it_tells_the_results_of_the_day_before_who_had_a_first_and_the_groups_streak() -> None:
    results = (DayResult("Bea", Grade.MISTAKE), DayResult("Ana", Grade.GOOD, first=True), DayResult("Ciro", Grade.GOOD))
    for together in (0, 1, 2):
        before = Solved(DAY - timedelta(days=1), exercise("quince"), results, together)
        text = words_of(day_layout(message(exercise(), before=before), EN))
        assert "2 of 3 here found it. 🟩 Ana · 🟩 Ciro · " in text
        assert "🌱 Found one for the first time: Ana\n" in text + "\n"
        assert ("🤝 2 days in a row on which at least two here found it" in text) is (together == 2)
        assert ("🤝" in text) is (together == 2), "one day is no streak"


def test_the_hours_of_a_server_are_those_of_its_clocks() -> None:
    madrid = DayChoice(DayChannel(1, 2, 6, "en"), NEXT, NEXT.replace(hour=0), zone="Europe/Madrid")
    [posted] = [text for text in words_of(day_settings_layout(madrid, words("en"))).splitlines() if "every day" in text]
    assert "every day at 7:00. The next one comes <t:" in posted
    text = str(day_settings_layout(madrid, words("en")).to_components())
    assert "**The hour** (Europe/Madrid): the puzzle changes at 1:00" in text
    labels = re.findall("'label': '([0-9:]+)'", text)
    assert labels == [f"{hour}:00" for hour in range(24)]
    assert "UTC" not in text
    kolkata = str(day_settings_layout(replace(madrid, zone="Asia/Kolkata"), words("en")).to_components())
    assert "every day at 11:30" in kolkata


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


def test_the_names_of_the_day_before_give_way_to_its_own() -> None:
    before = Solved(DAY - timedelta(days=1), exercise("quince"), given(9, 12))
    for own, named in ((0, 12), (MOST_NAMES - 4, 4), (MOST_NAMES, 0)):
        text = words_of(day_layout(message(exercise(), *[DayResult("Ana", Grade.GOOD)] * own, before=before), EN))
        assert sum(f" P{number}" in text for number in range(12)) == named
        assert "9 of 12 here found it." in text


def test_once_its_day_is_over_it_asks_for_nothing() -> None:
    of = exercise()
    assert "It's your turn" in words_of(day_layout(message(of), EN))
    over = words_of(day_layout(message(of, over=True), EN))
    assert "It's your turn" not in over
    assert "<t:" not in over, "it stays as it is, and a time in the future would soon be past"


@every_language
@pytest.mark.parametrize(("preset", "seating"), thorough_but_few(COMBOS))
def test_discord_takes_the_longest_message(t: Words, preset: str, seating: Seating) -> None:
    given = [DayResult(NAME, grade, 365, first=True) for grade in Grade for _ in range(250)]
    of = exercise(preset, seating, moves=20)
    for over, results in product((False, True), (given, given[-5:], [])):
        layout = day_layout(
            message(of, *results, before=Solved(DAY, of, tuple(given), 365), over=over), Display(t, pictures=True)
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
