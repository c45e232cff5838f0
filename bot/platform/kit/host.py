"""The parts of the running bot that presses and boards use."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from time import monotonic
from typing import Any, Protocol, TypeVar

import discord
from discord import AllowedMentions

from bot.platform.clock import Clock
from bot.platform.kit.channel_access import RefusingChannels
from bot.platform.kit.links import Links
from bot.platform.kit.throttle import Throttle
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.operating.meter import Meter
from bot.platform.people import Person
from bot.platform.transport.channels import Channels, everybody_of
from bot.platform.transport.files import Shown, Written
from bot.platform.transport.gallery import EDIT_SECONDS, Gallery
from bot.platform.transport.permissions import own_server
from bot.platform.transport.reply import Reply, is_private, reply_to
from bot.platform.transport.trouble import Lateness
from bot.platform.transport.webhooks import FollowUps


@dataclass(frozen=True, slots=True)
class Display:
    """The way a table's message or a panel is shown to its readers.

    Attributes:
        words: the readers' language, and how texts and buttons show cards.
        pictures: whether tables, scores and results are drawn; text takes the picture's place where Discord refuses it.
        lesson: whether a lobby that only its player sees offers them a first lesson.
        seeks: whether the server has a role that a lobby may mention to find players.
    """

    words: Words
    pictures: bool = False
    lesson: bool = False
    seeks: bool = False

    @property
    def deck(self) -> Deck:
        """The deck that is drawn: the same as in texts."""
        return self.words.faces.deck


class Displays(Protocol):
    """Finds how tables are shown."""

    def __call__(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Display:
        """Find how they are shown in a language and on a server; to one person alone, in their own way."""
        ...


class Background:
    """Coroutines that run on their own."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine that nothing waits for; once closed, drop it."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait for everything that has been begun, whether or not it succeeds."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        """Begin nothing more, and cancel the rest: what it needs is about to be closed."""
        self._closed = True
        for task in self._tasks:
            task.cancel()


@dataclass(frozen=True, slots=True)
class Tools:
    """Shared by all messages and panels.

    Attributes:
        display: how things are shown, in which words.
        pingable: whether a person may be pinged: they haven't chosen never to be.
        waiting_note: says to a person, in words, what waits for them; None if nothing does.
        closing: whether the bot is about to stop, so that nothing new is begun.
        meter: counts what is shown.
        clock: says how old a message is, and when to try again.
        channels: sends messages.
        gallery: where pictures come from.
        follow_ups: says whether there is room for a follow-up.
        spawn: runs a coroutine that nothing waits for.
        refusing: the messages that their channels refuse.
    """

    display: Displays
    pingable: Callable[[int], bool]
    waiting_note: Callable[[int, Words], str | None]
    closing: Callable[[], bool]
    meter: Meter
    clock: Clock
    channels: Channels
    gallery: Gallery
    follow_ups: FollowUps
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    refusing: RefusingChannels = field(default_factory=RefusingChannels)

    def display_for(self, interaction: discord.Interaction[Any]) -> Display:
        """Find how something is shown to the person who asks, alone: as they like it, and else as the server does."""
        return self.display(interaction.locale.value, own_server(interaction), interaction.user.id)

    def tellable(self, people: Iterable[int]) -> list[int]:
        """Leave out the people who chose never to be pinged."""
        return [person_id for person_id in people if self.pingable(person_id)]

    def willing(self, people: Iterable[int | None]) -> AllowedMentions:
        """Mentions of these people, except those who chose never to be pinged; None stands for a computer player."""
        return everybody_of(self.tellable(each for each in people if each is not None))

    async def send(
        self,
        channel_id: int,
        layout: Layout,
        reply: Reply,
        how: Callable[[Layout], Awaitable[Written]] | None = None,
        seconds: float = EDIT_SECONDS,
    ) -> None:
        """Send a message in a channel, with its picture if that is ready within `seconds`.

        `how`: the way in which the reply sends it; None if only the person is to see it.
        """
        layout = await self.gallery.illustrated(layout, channel_id, seconds, editing=False)
        await self.gallery.post(channel_id, layout, Shown(), how or reply.send_private, route=reply.route)

    async def answer(self, interaction: discord.Interaction[Any], layout: Layout) -> None:
        """Show a layout to one person only: on the message they clicked, if only they see it."""
        channel_id, reply = interaction.channel_id or 0, reply_to(interaction)
        if not is_private(interaction):
            await self.send(channel_id, layout, reply)
            return
        layout = await self.gallery.illustrated(layout, channel_id, EDIT_SECONDS, editing=True)
        await self.gallery.edit(channel_id, layout, Shown(), reply.update, route=reply.route)


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
