"""What a server's message with the day's position needs next, case by case."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.platform.kit.live_message import FRESH, MessageStep
from bot.training.boards.day_page import (
    GAP,
    SPREAD,
    WEEK,
    DayShown,
    due_at,
    is_last,
    next_look,
    next_post,
    next_step,
    over_at,
)
from bot.training.store.days import DayChannel, Stopped

YESTERDAY, TODAY, TOMORROW = date(2026, 3, 13), date(2026, 3, 14), date(2026, 3, 15)
CHOSEN = DayChannel(guild_id=11, channel_id=12, hour=18, locale="en-US")
BEFORE = replace(CHOSEN, message_id=100, day=YESTERDAY)
POSTED = replace(CHOSEN, message_id=100, day=TODAY)
DUE = due_at(CHOSEN, TODAY)
MINUTE = timedelta(minutes=1)
NEWS = DayShown(differs=True)


def at(minutes: float) -> datetime:
    """This many minutes after the message of the day is due."""
    return DUE + minutes * MINUTE


@pytest.mark.parametrize(
    ("row", "shown", "now", "step"),
    [
        # a message a day, at its hour
        (CHOSEN, DayShown(), at(-1), MessageStep.NOTHING),
        (CHOSEN, DayShown(), at(0), MessageStep.POST),
        (BEFORE, DayShown(final=True), at(-1), MessageStep.NOTHING),
        (BEFORE, DayShown(final=True), at(0), MessageStep.POST),
        (BEFORE, DayShown(), at(0), MessageStep.POST),
        (POSTED, DayShown(), at(0), MessageStep.NOTHING),
        (POSTED, DayShown(), at(300), MessageStep.NOTHING),
        (replace(POSTED, message_id=None), NEWS, at(300), MessageStep.NOTHING),
        # a missed hour is made up for on the same day, and not on the next
        (BEFORE, DayShown(final=True), at(300), MessageStep.POST),
        (replace(BEFORE, day=YESTERDAY - timedelta(5)), DayShown(final=True), at(-1), MessageStep.NOTHING),
        (replace(BEFORE, day=YESTERDAY - timedelta(5)), DayShown(final=True), at(1), MessageStep.POST),
        # it grows with the answers
        (POSTED, NEWS, at(0.9), MessageStep.NOTHING),
        (POSTED, NEWS, at(1), MessageStep.EDIT),
        (POSTED, DayShown(differs=True, edited_at=at(10)), at(10.9), MessageStep.NOTHING),
        (POSTED, DayShown(differs=True, edited_at=at(10)), at(11), MessageStep.EDIT),
        (POSTED, DayShown(edited_at=at(10)), at(60), MessageStep.NOTHING),
        # less and less often once it is old: Discord throttles edits of old messages
        (POSTED, DayShown(differs=True, edited_at=at(60)), at(74), MessageStep.NOTHING),
        (POSTED, DayShown(differs=True, edited_at=at(60)), at(75), MessageStep.EDIT),
        (POSTED, DayShown(differs=True, edited_at=at(240)), at(299), MessageStep.NOTHING),
        (POSTED, DayShown(differs=True, edited_at=at(240)), at(300), MessageStep.EDIT),
        (POSTED, DayShown(differs=True, posted_at=at(230), edited_at=at(240)), at(241), MessageStep.EDIT),
        # for the last time when its day is over
        (POSTED, DayShown(), over_at(POSTED, TODAY) - MINUTE, MessageStep.NOTHING),
        (POSTED, DayShown(), over_at(POSTED, TODAY), MessageStep.EDIT),
        (POSTED, DayShown(differs=True, edited_at=at(330)), over_at(POSTED, TODAY), MessageStep.EDIT),
        (POSTED, DayShown(differs=True, final=True), over_at(POSTED, TODAY) + MINUTE, MessageStep.NOTHING),
        # nobody clicked it
        (replace(POSTED, unused=1), NEWS, over_at(POSTED, TODAY), MessageStep.NOTHING),
        (replace(BEFORE, unused=1), DayShown(), at(0), MessageStep.REPLACE),
        (replace(BEFORE, unused=1, message_id=None), DayShown(), at(0), MessageStep.POST),
        (replace(BEFORE, unused=WEEK - 1), DayShown(), at(0), MessageStep.REPLACE),
        (replace(BEFORE, unused=WEEK), DayShown(), at(-1), MessageStep.NOTHING),
        (replace(BEFORE, unused=WEEK), DayShown(), at(0), MessageStep.REPLACE),
        # after a stop, no more come
        *((replace(BEFORE, stopped=why), NEWS, at(0), MessageStep.NOTHING) for why in Stopped),
    ],
)
def test_each_case_has_its_step(row: DayChannel, shown: DayShown, now: datetime, step: MessageStep) -> None:
    assert next_step(row, shown, now) is step


@pytest.mark.parametrize(("unused", "last"), [(0, False), (WEEK - 1, False), (WEEK, True), (WEEK + 1, True)])
def test_after_a_week_without_a_click_the_next_message_is_the_last(unused: int, last: bool) -> None:
    assert is_last(replace(BEFORE, unused=unused)) is last


@pytest.mark.parametrize(
    ("row", "shown", "now", "look"),
    [
        (CHOSEN, DayShown(), at(-60), at(0)),
        (CHOSEN, DayShown(), at(5), at(5)),
        (POSTED, DayShown(), at(5), over_at(POSTED, TODAY)),
        (POSTED, DayShown(final=True), at(5), due_at(POSTED, TOMORROW)),
        (POSTED, DayShown(differs=True, edited_at=at(5)), at(5), at(6)),
        (replace(POSTED, unused=1), NEWS, at(5), due_at(POSTED, TOMORROW)),
        (replace(POSTED, stopped=Stopped.UNUSED), NEWS, at(5), None),
    ],
)
def test_it_is_known_when_to_look_again(row: DayChannel, shown: DayShown, now: datetime, look: datetime | None) -> None:
    assert next_look(row, shown, now) == look


def test_an_edit_is_due_exactly_when_it_was_foreseen() -> None:
    shown = DayShown(differs=True, edited_at=at(100))
    look = next_look(POSTED, shown, at(101))
    assert look is not None
    assert next_step(POSTED, shown, look - timedelta(seconds=1)) is MessageStep.NOTHING
    assert next_step(POSTED, shown, look) is MessageStep.EDIT


def test_a_busy_day_takes_few_edits_of_an_old_message() -> None:
    now, edits, end = at(0), [], over_at(POSTED, TODAY) + 18 * 60 * MINUTE
    row, shown = replace(POSTED, hour=1), NEWS
    start = now = due_at(row, TODAY)
    while (
        now < end
        and (look := next_look(row, shown, now)) is not None
        and next_step(row, shown, look) is MessageStep.EDIT
    ):
        now = look
        edits.append(now)
        shown = DayShown(differs=True, edited_at=now, final=now >= over_at(row, TODAY))
    assert sum(each - start <= FRESH for each in edits) <= FRESH / GAP
    assert sum(each - start > FRESH for each in edits) <= 17
    assert edits[-1] == over_at(row, TODAY)


def test_servers_that_chose_the_same_hour_post_at_different_moments_of_it() -> None:
    due = [due_at(replace(CHOSEN, guild_id=number << 22), TODAY) for number in range(286_000_000_000, 286_000_001_000)]
    first = datetime(2026, 3, 14, 18, tzinfo=UTC)
    assert all(first <= each <= first + SPREAD for each in due)
    a_second = [int((each - first).total_seconds()) for each in due]
    assert max(map(a_second.count, a_second)) <= 5


def test_the_next_message_is_announced_for_the_moment_at_which_it_comes() -> None:
    assert next_post(CHOSEN, at(-1)) == at(0)
    assert next_post(POSTED, at(-1)) == due_at(CHOSEN, TOMORROW)
    assert next_post(CHOSEN, at(1)) == due_at(CHOSEN, TOMORROW)
