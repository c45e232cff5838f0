"""What the handlers of clicks and commands work with: the bot's parts, gathered once when the bot is made."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from time import monotonic
from typing import Any, Protocol

import discord

from bot.operating.meter import Meter, Status
from bot.store import Store
from bot.tables.data.erasure import DataRequests
from bot.tables.data.guild_settings import GuildSettingsCache
from bot.tables.data.preferences import PreferencesCache
from bot.tables.manager import TableManager
from bot.thinking import Analyst
from bot.tournaments.director import Tournaments
from bot.training.days import DayPositions
from bot.training.practice import Practice
from bot.ui.boards.day_channel import DayBoards
from bot.ui.boards.duplicate import DuplicateRounds
from bot.ui.boards.presenter import Presenter
from bot.ui.boards.reviewing import Reviews
from bot.ui.boards.tournament_board import TournamentBoards
from bot.ui.clicks.throttle import Throttle
from bot.ui.screens.links import Links
from bot.ui.transport.lateness import Lateness


class Duty(Enum):
    """Whether this process is the one to answer an interaction."""

    NONE = auto()
    """It isn't: another process has the shards."""
    DOUBTFUL = auto()
    """The database can't say. All that can be done is to ask the person to try again."""
    OURS = auto()
    CONTESTED = auto()
    """It is, unless the process that had the shards before has answered already."""


RECENT_SECONDS = 4.0
"""How long handled interactions are remembered; Discord accepts answers for 3 s."""


class InFlight:
    """The interactions being handled, so that the bot can finish them before it stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._handled: deque[tuple[float, int]] = deque()
        """When each recent interaction was finished, and its id."""
        self.closed = False
        """Handle no more: the bot is about to disconnect, or another process is taking over."""

    @contextmanager
    def begun(self, interaction_id: int) -> Generator[None]:
        """Count the current task as handling this interaction until the block ends."""
        task = asyncio.current_task()
        assert task is not None, "interactions are handled in tasks"
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)
            now = monotonic()
            self._handled.append((now, interaction_id))
            while self._handled[0][0] < now - RECENT_SECONDS:
                self._handled.popleft()

    def handled(self) -> list[int]:
        """The ids of the interactions finished in the last few seconds."""
        return [interaction_id for _, interaction_id in self._handled]

    async def finished(self) -> None:
        """Wait for the interactions being handled now, but not for any that start in the meantime."""
        if others := self._tasks - {asyncio.current_task()}:
            await asyncio.wait(others)


@dataclass(frozen=True, slots=True)
class Host:
    """The parts of the bot that handlers use.

    Attributes:
        duty: tells whether this process is the one to answer the interaction with this id.
        status: tells the bot's owner how it is doing.
        rate_matches: how many matches a player needs to appear on the leaderboard by rate.
        advises: whether hints and reviews are available. If not, `analyst` has no answers.
    """

    duty: Callable[[int], Awaitable[Duty]]
    in_flight: InFlight
    throttle: Throttle
    lateness: Lateness
    meter: Meter
    status: Callable[[], Awaitable[Status]]
    store: Store
    manager: TableManager
    presenter: Presenter
    preferences: PreferencesCache
    guild_settings: GuildSettingsCache
    data_requests: DataRequests
    links: Links
    rate_matches: int
    analyst: Analyst
    advises: bool
    reviews: Reviews
    practice: Practice
    days: DayPositions
    day_boards: DayBoards
    tournaments: Tournaments
    tournament_boards: TournamentBoards
    duplicate: DuplicateRounds


class Hosting(Protocol):
    """A client that interactions find their host on: the bot."""

    @property
    def host(self) -> Host: ...


def host_of(interaction: discord.Interaction[Any]) -> Host:
    """The parts of the bot that received this interaction."""
    client: Hosting = interaction.client
    return client.host
