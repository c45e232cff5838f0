"""Quiet hours by the clock of somebody's zone."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.clock import Breaks
from bot.platform.language.quiet import LEAST, Quiet

NIGHT = Quiet("Europe/Madrid", 23, 8)


def at(day: int, hour: int, minute: int = 0, month: int = 1) -> datetime:
    """A time in UTC, an hour behind Madrid in January."""
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def test_a_time_within_them_waits_for_their_end_and_any_other_for_nothing():
    assert NIGHT.after(at(5, 22)) == NIGHT.after(at(6, 6, 59)) == at(6, 7)
    assert NIGHT.after(at(5, 21, 59)) == at(5, 21, 59)
    assert NIGHT.after(at(6, 7)) == at(6, 7)
    assert NIGHT.after(at(6, 3, month=7)) == at(6, 6, month=7), "two hours behind in July"
    noon = Quiet("UTC", 1, 10)
    assert noon.after(at(5, 1)) == at(5, 10)
    assert noon.after(at(5, 0)) == at(5, 0)


@pytest.mark.parametrize(("text", "quiet"), [("23-8", Quiet("UTC", 23, 8)), ("none", None)])
def test_they_are_read_from_a_text(text: str, quiet: Quiet | None):
    assert Quiet.read(text, "UTC") == quiet


@pytest.mark.parametrize(
    ("due", "deadline", "told"),
    [
        (at(5, 15), at(5, 21), at(5, 15)),
        (at(6, 3), at(6, 15), at(6, 7)),
        (at(5, 23), at(6, 5), at(5, 19)),
        (at(5, 21), at(6, 3), at(5, 19)),
        (at(6, 2), at(6, 8), at(5, 19)),
        (at(5, 12), at(6, 6), at(5, 12)),
    ],
    ids=["by day", "at their end", "before them", "before their beginning", "too little left after them", "earlier"],
)
def test_a_notice_before_a_deadline_leaves_hours_of_the_day(due: datetime, deadline: datetime, told: datetime):
    assert NIGHT.before(due, deadline) == told
    assert NIGHT.span(told) is None
    assert told <= deadline - LEAST


@pytest.mark.parametrize(
    ("since", "hours", "until"),
    [
        (at(5, 12), 2, at(5, 14)),
        (at(5, 21), 2, at(6, 8)),
        (at(6, 2), 2, at(6, 9)),
        (at(5, 19), 3, at(6, 7)),
        (at(7, 6), 2, at(10, 9)),
    ],
    ids=["by day", "over them", "from within them", "to their beginning", "after days off, which end within them"],
)
def test_time_to_answer_runs_by_day_only(since: datetime, hours: int, until: datetime):
    days_off = Breaks([(at(7, 0).timestamp(), at(9, 23).timestamp())])
    assert NIGHT.awake(since, hours * 3600, days_off) == until


def test_whatever_the_hour_of_a_days_turn_there_are_three_hours_of_the_day_for_it():
    for minutes in range(0, 24 * 60, 7):
        deadline = at(6, 0) + timedelta(minutes=minutes)
        told = NIGHT.before(deadline - timedelta(hours=6), deadline)
        asleep = told + timedelta(hours=2, minutes=59) if told.date() == deadline.date() else told
        assert NIGHT.span(told) is None
        assert NIGHT.span(asleep) is None or told + LEAST <= deadline
        assert told <= deadline - LEAST
