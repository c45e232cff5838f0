"""The page of a server's message with the day's position: put together from the position, the answers and the
server."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import discord

from bot.coach.grading import graded
from bot.platform.kit.display import Display
from bot.platform.layout import Layout
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.servers import own_language
from bot.training.boards.day_step import due_at
from bot.training.live.days import DayPositions
from bot.training.screens.day_message import DayMessage, DayResult, Solved, day_layout, stopped_layout
from bot.training.store.answers import Answers
from bot.training.store.channels import DayChannel

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
        return Solved(day, exercise, sum(not answer.lost for answer in given), len(given))

    async def _results(self, row: DayChannel, day: date) -> tuple[DayResult, ...]:
        given = await self._answers.given_in(row.guild_id, day)
        streaks = await self._answers.streaks([answer.user_id for answer in given], day)
        return tuple(DayResult(answer.name, graded(answer.lost / 1000), streaks[answer.user_id]) for answer in given)

    async def _shown_on(self, row: DayChannel) -> Display:
        settings = await self._guild_settings.of(row.guild_id, LanguageSettings)
        language = settings.language or own_language(self.guild_of(row.guild_id)) or row.locale
        return self._display(language, row.guild_id)
