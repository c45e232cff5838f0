"""The screens of practice: Discord accepts the fullest of them, and none tells a solution before its time."""

import re
from collections import defaultdict
from datetime import timedelta

from bot.club.ids.leaderboard import StatsRef
from bot.club.screens.stats import shown_stats, stats_layout
from bot.club.screens.stats_pages import Stats
from bot.club.store.career import Career
from bot.club.store.standing import Standing
from bot.coach.analysis import TERMS, Analysis, MoveRating
from bot.coach.grading import Grade
from bot.engine.moves import Move
from bot.engine.notation import Position
from bot.engine.rules import Seating
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.training.ids.practice import PracticeRef
from bot.training.live.finding import Exercise
from bot.training.live.practice import KNOWN, LEARNED, Queue, theme_missed
from bot.training.live.progress import Learning, Progress
from bot.training.rules.themes import Theme
from bot.training.screens.day import today_button, week_button
from bot.training.screens.exercise import chosen
from bot.training.screens.practice import (
    again_buttons,
    again_head,
    first_try,
    home_layout,
    kept_note,
    practice_buttons,
    practice_head,
    second_try,
    verdict,
)
from bot.training.store.rows import PracticeState
from bot.training.words.coaching import progress_lines
from bot.training.words.progress import own_lines
from tests.support.layouts import every_language, troubles, words_of
from tests.support.store import NOON
from tests.training.screens.test_exercise import EN, every_display, exercises, moves_offered, rated

DAY = timedelta(days=1)
REF = PracticeRef("review/9223372036854775807/9999")


def queue_of(due: int = 0, later: int = 0, learned: int = 0, known: int = 0) -> Queue:
    """A queue with this many positions of each kind, about all themes in turn."""
    steps = [(0, -DAY)] * due + [(1, DAY)] * later + [(LEARNED, -DAY)] * learned + [(KNOWN, -DAY)] * known
    themes = list(Theme)
    states = [
        PracticeState(f"review/1/{number}", themes[number % len(themes)], step, NOON + wait)
        for number, (step, wait) in enumerate(steps)
    ]
    return Queue.of(states, NOON)


@every_display
def test_discord_takes_the_positions_with_most_moves(display: Display) -> None:
    t = display.words
    for preset, seating in (("escoba", Seating.TWO), ("quince", Seating.TRIPLE_PAIRS), ("cientifica", Seating.PAIRS)):
        for exercise in exercises(preset, seating, 2):
            worst = exercise.analysis.ratings[-1].move
            note = kept_note(queue_of(due=1).due[0], t)
            head = practice_head(99, t)
            for layout in (
                first_try(exercise, REF, head, display),
                second_try(exercise, worst, REF, again_head(2, 3, t), display),
                verdict(exercise, worst, head, display, note, *practice_buttons(99, t)),
                verdict(exercise, worst, head, display, None, *again_buttons(2**63 - 1, 0, 3, t)),
            ):
                assert troubles(layout) == []


@every_language
def test_discord_takes_every_overview(t: Words) -> None:
    today, earlier = today_button(NOON.date(), t), week_button(NOON.date(), t)
    for queue in (queue_of(), queue_of(50, 50, 300, 100), queue_of(later=3), queue_of(due=1), queue_of(learned=1)):
        for button in (None, today):
            for exhausted in (False, True):
                assert troubles(home_layout(queue, t, button, earlier, exhausted=exhausted)) == []


def test_the_first_screen_is_the_same_whatever_the_moves_are_worth() -> None:
    for exercise in exercises("escoba", Seating.TWO, 3):
        asked = first_try(exercise, REF, "", EN)
        for best in range(len(exercise.view.moves)):
            assert first_try(rated(exercise.position, best), REF, "", EN) == asked
        told = words_of(asked)
        assert not re.search("(?i)better|best|good|mistake|blunder|think of|look for", told)


def test_the_second_screen_tells_what_the_first_move_costs_but_not_which_is_better() -> None:
    for exercise in exercises("escoba", Seating.TWO, 3):
        best, worst = exercise.analysis.best.move, exercise.analysis.ratings[-1].move
        assert exercise.judged(worst).grade is not Grade.GOOD
        asked = words_of(first_try(exercise, REF, "", EN)).splitlines()
        added = [line for line in words_of(second_try(exercise, worst, REF, "", EN)).splitlines() if line not in asked]
        assert re.search(r"−\d", added[0])
        assert len(added) == 2
        assert "Better:" in words_of(verdict(exercise, worst, "", EN, None, *practice_buttons(0, EN.words)))
        assert "Good" in words_of(verdict(exercise, best, "", EN, None, *practice_buttons(0, EN.words)))


def test_a_wrong_move_cannot_be_chosen_again() -> None:
    for exercise in exercises("escoba", Seating.TWO, 3):
        worst = exercise.analysis.ratings[-1].move
        left = [value for _, value, _ in moves_offered(second_try(exercise, worst, REF, "", EN))]
        assert [chosen(exercise, each) for each in left] == [move for move in exercise.view.moves if move != worst]


def twins(position: Position, wrong: Move) -> list[Exercise]:
    """The position with each other move as the best one, such that this move has missed the same in all of them."""
    found: dict[Theme, list[Exercise]] = defaultdict(list)
    for best in position.view.moves:
        moves = [best, *(move for move in position.view.moves if move != best)]
        terms = dict.fromkeys(TERMS, 0.1)
        ratings = (MoveRating(move, -float(move != best), terms, 0.5, float(move != best), 0.01) for move in moves)
        if best != wrong:
            exercise = Exercise(position, Analysis(tuple(ratings), exact=False))
            found[theme_missed(exercise, wrong)].append(exercise)
    return max(found.values(), key=len)


def test_the_second_screen_is_the_same_whichever_move_is_better() -> None:
    for preset, seating in (("escoba", Seating.TWO), ("quince", Seating.THREE)):
        for exercise in exercises(preset, seating, 3):
            for wrong in exercise.view.moves:
                one, *others = twins(exercise.position, wrong)
                shown = second_try(one, wrong, REF, "", EN)
                assert others
                assert all(second_try(other, wrong, REF, "", EN) == shown for other in others)


def labels(layout: Layout) -> list[str]:
    parts = layout.to_components()[0]["components"]
    return [each["label"] for part in parts if part["type"] == 1 for each in part["components"]]


def test_the_overview_offers_only_what_is_available() -> None:
    t = EN.words
    today, earlier = today_button(NOON.date(), t), week_button(NOON.date(), t)
    days = "Earlier days"
    assert labels(home_layout(queue_of(due=2), t, today, earlier)) == ["Today's puzzle", "Start", days]
    assert labels(home_layout(queue_of(later=2), t, today, earlier)) == ["Today's puzzle", "Another puzzle", days]
    assert labels(home_layout(queue_of(later=2), t, None, earlier, exhausted=True)) == [days]
    assert "✅ Done for now." in words_of(home_layout(queue_of(later=2, learned=1), t, None, earlier))


def test_a_note_says_what_became_of_a_position() -> None:
    t = EN.words
    state = PracticeState("day/2026-03-14", "sevens", 1, NOON)
    assert f"<t:{int(NOON.timestamp())}:R>" in (kept_note(state, t) or "")
    assert "learned" in (kept_note(PracticeState("day/2026-03-14", "sevens", LEARNED, NOON), t) or "")
    assert kept_note(PracticeState("starter/1", "sevens", KNOWN, NOON), t) is None
    assert kept_note(None, t) is None, "it didn't count"


@every_language
def test_what_somebody_learns_is_shown_to_them_alone(t: Words) -> None:
    ref, stats = StatsRef(42), Stats("Ana", Career(Standing(1, "all", 42, "Ana", matches=3, wins=1)), NOON)
    learning = Learning(queue_of(2, 3, 4), solved=12, answered=20, streak=5)
    own = stats_layout(ref, stats, Display(t), own_lines(Progress(learning=learning), t))
    assert troubles(own) == []
    for line in (*progress_lines(learning.queue, t), "🧩"):
        assert line in words_of(own)
        assert line not in words_of(shown_stats(ref, stats, "Ana", Display(t)))
    assert "**12**" in words_of(own)
    assert "20" in words_of(own)
    nothing = stats_layout(ref, stats, Display(t), own_lines(Progress(learning=Learning(queue_of(), 0, 0, 0)), t))
    assert nothing == stats_layout(ref, stats, Display(t))
