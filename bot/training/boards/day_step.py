"""The next need of a server's message with the day's position: one pure decision, which `day_message` hands over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.platform.kit.live_message import FRESH, MessageStep
from bot.platform.waits import spread
from bot.training.store.channels import DayChannel

SPREAD: Final = timedelta(minutes=15)
"""Messages for one hour are spread over this time, each server's always at the same moment: a thousand servers that
chose the same hour don't all post in the same second."""
GAP: Final = timedelta(minutes=1)
"""The shortest time between two edits of a message."""
PATIENCE: Final = 4
"""A message that is no longer fresh waits for a quarter of its age before it is edited again: some fifteen edits in a
whole day."""
WEEK: Final = 7
"""After this many messages in a row that nobody has clicked, no more come."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DayShown:
    """The known state of a server's latest message.

    Attributes:
        differs: whether it may show less than it should.
        final: whether it shows that its day is over, and no longer changes.
        posted_at: None if it was posted before this bot started; it is then taken to have been posted at its hour.
        edited_at: when it was edited last; None if that isn't known.
    """

    differs: bool = False
    final: bool = False
    posted_at: datetime | None = None
    edited_at: datetime | None = None


def due_at(row: DayChannel, day: date) -> datetime:
    """Tell when a day's message comes."""
    return datetime.combine(day, time(row.hour), UTC) + SPREAD * _place(row)


def over_at(row: DayChannel, day: date) -> datetime:
    """Tell when a day's message shows that the day is over."""
    return datetime.combine(day, time(), UTC) + _DAY + SPREAD * _place(row)


def next_post(row: DayChannel, now: datetime) -> datetime:
    """Tell when the next message comes, unless it is due already."""
    day = now.date()
    while (row.day is not None and day <= row.day) or due_at(row, day) < now:
        day += _DAY
    return due_at(row, day)


def is_posted(row: DayChannel, now: datetime) -> bool:
    """Whether today's message is in the channel."""
    return row.day == now.date() and row.message_id is not None


def is_last(row: DayChannel) -> bool:
    """Whether the next message says that no more come: nobody has clicked one for a week."""
    return row.unused >= WEEK


def next_step(row: DayChannel, shown: DayShown, now: datetime) -> MessageStep:
    """Decide what a server's channel needs. A message is replaced by the next one if nobody has clicked it."""
    if row.stopped is not None:
        return MessageStep.NOTHING
    today = now.date()
    if (row.day is None or row.day < today) and now >= due_at(row, today):
        return MessageStep.REPLACE if row.unused and row.message_id is not None else MessageStep.POST
    edit_at = _edit_at(row, shown)
    return MessageStep.NOTHING if edit_at is None or now < edit_at else MessageStep.EDIT


def next_look(row: DayChannel, shown: DayShown, now: datetime) -> datetime | None:
    """Tell when there may next be something to do, if nothing happens before then; None if never."""
    if row.stopped is not None:
        return None
    if next_step(row, shown, now) is not MessageStep.NOTHING:
        return now
    posts, edits = next_post(row, now), _edit_at(row, shown)
    return posts if edits is None else min(posts, edits)


def _edit_at(row: DayChannel, shown: DayShown) -> datetime | None:
    """Tell when the message is to be edited next; None if never."""
    if row.message_id is None or row.day is None or row.unused or shown.final:
        return None
    over = over_at(row, row.day)
    if not shown.differs:
        return over
    posted = shown.posted_at or due_at(row, row.day)
    latest = max(shown.edited_at or posted, posted)
    age = latest - posted
    return min(latest + (GAP if age < FRESH else age / PATIENCE), over)


def _place(row: DayChannel) -> float:
    """A fixed number between 0 and 1, different for each server."""
    return 4 * spread(row.guild_id)
