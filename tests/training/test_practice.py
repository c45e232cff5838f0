"""Missed positions come back after one, three and ten days, until they have been solved each time."""

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from bot.platform.refusals import CommonRefusal
from bot.process.stores import Stores
from bot.training.live.days import Library, starters
from bot.training.live.practice import EARLY, KNOWN, LEARNED, Practice, Queue, rescheduled
from bot.training.rules.themes import Theme
from bot.training.store.rows import PracticeRow, PracticeState
from tests.support.databases import with_tables
from tests.support.store import NOON
from tests.support.tables.kit import refused

DAY = timedelta(days=1)


def state(source: str, step: int = 0, due: timedelta = timedelta(0), theme: str = "sevens") -> PracticeState:
    return PracticeState(source, theme, step, NOON + due)


def test_a_position_comes_back_after_one_three_and_ten_days_and_is_then_learned() -> None:
    assert rescheduled(0, NOON, solved=False) == (0, NOON + DAY - EARLY)
    assert rescheduled(0, NOON, solved=True) == (1, NOON + 3 * DAY - EARLY)
    assert rescheduled(1, NOON, solved=True) == (2, NOON + 10 * DAY - EARLY)
    assert rescheduled(2, NOON, solved=True) == (LEARNED, NOON)


def test_somebody_who_practises_at_about_the_same_time_each_day_waits_no_day_more() -> None:
    late = NOON + timedelta(minutes=30)
    _, due = rescheduled(0, late, solved=False)
    assert due < NOON + DAY - timedelta(minutes=30)
    assert due > NOON + timedelta(hours=12), "not on the same day"


def test_a_position_that_is_missed_again_begins_from_the_start() -> None:
    for step in range(LEARNED):
        assert rescheduled(step, NOON, solved=False) == (0, NOON + DAY - EARLY)


def test_only_what_is_due_is_asked_and_the_oldest_first() -> None:
    states = [state("b", 1, -DAY), state("later", 0, DAY), state("a", 2, -2 * DAY), state("latest", 0, 5 * DAY)]
    queue = Queue.of(states, NOON)
    assert [each.source for each in queue.due] == ["a", "b"]
    assert [each.source for each in queue.later] == ["later", "latest"]
    assert queue.next_at == NOON + DAY
    assert Queue.of(states, NOON + DAY).due[-1].source == "later", "it is due at that very moment"


def test_what_is_learned_or_known_is_never_due_and_stays_known() -> None:
    queue = Queue.of([state("a", LEARNED, -DAY), state("b", KNOWN, -DAY), state("c", 0, DAY)], NOON)
    assert (queue.due, queue.learned) == ((), 1)
    assert queue.seen == {"a", "b", "c"}


def test_weak_themes_are_those_with_the_most_unlearned_positions() -> None:
    [one, other, third] = list(Theme)[:3]
    states = [
        *(state(f"a{n}", n, theme=one) for n in range(2)),
        *(state(f"b{n}", 0, DAY, theme=other) for n in range(3)),
        *(state(f"c{n}", LEARNED, theme=third) for n in range(4)),
        state("d", theme="a theme of a newer version"),
    ]
    assert Queue.of(states, NOON).weak == [(other, 3), (one, 2)]


def test_without_any_position_nothing_is_due() -> None:
    queue = Queue.of([], NOON)
    assert (queue.due, queue.later, queue.learned, queue.next_at, queue.weak) == ((), (), 0, None, [])


@pytest.mark.parametrize(
    ("known", "unknown"), [("match capture", "match wild=yes capture"), ('"escobas":', '"beauty":1.0,"escobas":')]
)
async def test_a_position_of_a_newer_version_stays_as_it_is_and_another_is_asked(
    tmp_path: Path, known: str, unknown: str
) -> None:
    text = starters()[0].dump()
    newer = text.replace(known, unknown)
    assert newer != text
    store = await Stores.open(with_tables(tmp_path / "practice.sqlite3"))
    rows = [PracticeRow(source, exercise, "theme", 0, NOON) for source, exercise in (("g/1", newer), ("g/2", text))]
    await store.practice.add(7, rows)
    practice = Practice(store.practice, cast("Library", None), lambda: NOON)
    found = await practice.due(7)
    assert found is not None
    assert found[0] == "g/2"
    with refused(CommonRefusal.FROM_NEWER):
        await practice.exercise(7, "g/1")
    row = await store.practice.get(7, "g/1")
    assert row is not None
    assert (row.exercise, row.step) == (newer, 0)
    await store.database.close()
