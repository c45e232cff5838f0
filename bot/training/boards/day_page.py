"""The content of a server's message with the day's position, and when it changes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import discord

from bot.coach.grading import graded
from bot.platform.clock import spread
from bot.platform.kit.host import Display
from bot.platform.kit.live_message import FRESH, MessageStep
from bot.platform.layout import Layout
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.permissions import own_language
from bot.training.live.days import DayPositions
from bot.training.screens.day_message import DayMessage, DayResult, Solved, day_layout, stopped_layout
from bot.training.store.answers import Answers
from bot.training.store.days import DayChannel

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


REGULAR: Final = timedelta(days=30)
"""The time within which people must have solved on a server to be mentioned there."""
MOST_CALLED: Final = 50
"""People whom one message mentions."""


class DayPages:
    """Makes the layouts of these messages.

    Args:
        days: the positions.
        answers: what people have answered.
        guild_settings: which language a server has chosen.
        display: how things are shown in a language, on a server.
        wanting: lists the people who want to be mentioned in a server's message.
        guild_of: a server that the bot is in.
    """

    def __init__(
        self,
        days: DayPositions,
        answers: Answers,
        guild_settings: GuildSettingsCache,
        display: Callable[[str, int | None], Display],
        wanting: Callable[[], list[int]],
        guild_of: Callable[[int], discord.Guild | None],
    ) -> None:
        self._days = days
        self._answers = answers
        self._guild_settings = guild_settings
        self._display = display
        self._wanting = wanting
        self.guild_of = guild_of

    async def day(self, row: DayChannel, day: date, *, over: bool) -> Layout:
        """The message of a day. `over`: whether that day is over. Raises StoreError if something can't be read."""
        exercise = await self._days.of(day)
        message = DayMessage(
            day=day,
            seat=exercise.view,
            results=await self._results(row, day),
            before=await self._solved(row, day - timedelta(days=1)),
            over=over,
            next_at=due_at(row, day + timedelta(days=1)),
        )
        return day_layout(message, await self._shown_on(row))

    async def called(self, row: DayChannel, day: date) -> list[int]:
        """The people who are mentioned when the message of a day is posted: they want to be, and have solved here in
        the last month.

        Raises StoreError if that can't be read.
        """
        if not (wanting := self._wanting()):
            return []
        return (await self._answers.regulars(row.guild_id, wanting, day - REGULAR))[:MOST_CALLED]

    async def stopped(self, row: DayChannel) -> Layout:
        """The message that says that no more will come."""
        return stopped_layout((await self._shown_on(row)).words)

    async def _solved(self, row: DayChannel, day: date) -> Solved:
        exercise = await self._days.of(day)
        given = await self._answers.given_in(row.guild_id, day)
        if not given:
            return Solved(day, exercise)
        before = await self._answers.solvers([answer.user_id for answer in given], day)
        results = tuple(
            DayResult(answer.name, graded(answer.lost / 1000), first=not answer.lost and answer.user_id not in before)
            for answer in given
        )
        return Solved(day, exercise, results, await self._answers.together(row.guild_id, day))

    async def _results(self, row: DayChannel, day: date) -> tuple[DayResult, ...]:
        given = await self._answers.given_in(row.guild_id, day)
        streaks = await self._answers.streaks([answer.user_id for answer in given], day)
        return tuple(DayResult(answer.name, graded(answer.lost / 1000), streaks[answer.user_id]) for answer in given)

    async def _shown_on(self, row: DayChannel) -> Display:
        settings = await self._guild_settings.of(row.guild_id, LanguageSettings)
        language = settings.language or own_language(self.guild_of(row.guild_id)) or row.locale
        return self._display(language, row.guild_id)
