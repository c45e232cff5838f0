"""The parts of the bot that the handlers of clicks and commands use, gathered once when the bot is made."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from time import monotonic
from typing import Any, Protocol, TypeVar

import discord

from bot.platform.kit.links import Links
from bot.platform.kit.throttle import Throttle
from bot.platform.kit.tools import Tools
from bot.platform.people.person import Person
from bot.platform.transport.lateness import Lateness


class Responsibility(Enum):
    """Whether this process is the one to answer an interaction."""

    NONE = auto()
    """It isn't: another process has the shards."""
    DOUBTFUL = auto()
    """The database can't say. All that can be done is to ask the person to try again."""
    OURS = auto()
    CONTESTED = auto()
    """It is, unless the process that had the shards before has answered already."""


RECENT_SECONDS = 4.0
"""Seconds that handled interactions are remembered; Discord accepts answers for 3 s."""


class InFlight:
    """The interactions being handled, so that the bot can finish them before it stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._handled: deque[tuple[float, int]] = deque()
        """The times when recent interactions were finished, and their ids."""
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


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Host:
    """The parts of the bot that handlers use.

    Attributes:
        duty: tells whether this process is the one to answer the interaction with this id.
        wake: brings back what sleeps in the channel of an interaction.
        met: notes the name of somebody who has clicked on a server.
        language_of: returns the language that a person has chosen here; None if they left it to their Discord.
        language_on: returns the language of public messages that a server has chosen here, likewise.
        tools: what messages are sent with.
        parts: what else handlers use, each by its type.
    """

    duty: Callable[[int], Awaitable[Responsibility]]
    wake: Callable[[int], Awaitable[None]]
    met: Callable[[int, Person], Awaitable[None]]
    language_of: Callable[[int], str | None]
    language_on: Callable[[int | None], Awaitable[str | None]]
    in_flight: InFlight
    throttle: Throttle
    lateness: Lateness
    links: Links
    tools: Tools
    parts: Mapping[type[Any], Any]

    def of(self, kind: type[T]) -> T:
        """Find a part of the bot by its type."""
        return self.parts[kind]


class Hosting(Protocol):
    """A client that interactions find their host on: the bot."""

    @property
    def host(self) -> Host: ...


def host_of(interaction: discord.Interaction[Any]) -> Host:
    """The parts of the bot that received this interaction."""
    client: Hosting = interaction.client
    return client.host
