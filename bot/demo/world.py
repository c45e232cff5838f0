"""The simulated Discord server: the bot, its channels and the people, who live as long as the process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import discord
import simcord
from discord.ext import commands
from simcord.builders import RoleHandle, UserHandle

from bot.demo import snapshot
from bot.demo.people import FIRST, ORDINARY, PEOPLE, ROSTER, Languages, Resident, Visitor, choices
from bot.demo.simulated import Internals, Json

if TYPE_CHECKING:
    from bot.process.parts import Simulation
    from bot.settings import Settings

    CreateBot = Callable[[Settings, Simulation], Awaitable[commands.Bot | commands.AutoShardedBot]]

log = logging.getLogger(__name__)

GUILD_ID = 500_000_000_000_000_000
GUILD_NAME = "Club de Escoba"
BOT_NAME = "Escoba"
CHANNELS = ("general", "mesa-1", "mesa-2")
"""Text channels, in the order in which they are made. Only append: their order decides their ids."""
ROLES = {"jugadores": 0, "podio": 0, "campeón": 0, "moderación": discord.Permissions(kick_members=True).value}
"""Roles that nobody has, with their permissions. Their ids come after those of the channels and people."""
FIRST_CHANNEL = "mesa-1"
LATEST = 200
"""The number of a channel's latest messages that are looked at, including those that only one person sees."""
THREAD_CREATED = 18
"""The type of the message that announces a thread."""
LUCK_GAMES = 300
"""The number of times that each round is played again to measure the luck: the page stands still for 30 ms a round."""
LONGEST_STEP = 600.0
"""The most seconds that the clock moves at once, after the computer has slept."""


def true_time() -> datetime:
    return datetime.now(UTC)


class SimulatedTime:
    """The simulation's time, for a bot that is made before the simulation: until then, the time of `clock`."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.env: simcord.Env | None = None

    def now(self) -> datetime:
        """The simulation's time, which follows the clock in small steps."""
        return self.clock() if self.env is None else self.env.now()

    async def hold(self, waiting: Awaitable[None]) -> None:
        """Await `waiting`, and tell the simulation that it waits for time to pass."""
        assert self.env is not None, "the bot waits only once it has logged in"
        await self.env.external_wait(waiting, reason="clock")


class World:
    """One bot on one simulated server; `create` makes both.

    SimCord allows one operation at a time: `operation` is the lock around each. Reading needs no lock, since nothing
    can happen between two awaits.
    """

    def __init__(
        self, bot: commands.Bot | commands.AutoShardedBot, time: SimulatedTime, people: Sequence[Visitor] = PEOPLE
    ) -> None:
        self.bot = bot
        self._time = time
        shards = 1 if isinstance(bot, commands.AutoShardedBot) else None
        self.env = time.env = simcord.Env(bot, check_errors=False, shard_count=shards, settle_timeout=10.0)
        self._internals = Internals(self.env)
        self._internals.set_bot_name(BOT_NAME)
        self._lock = asyncio.Lock()
        self._restore_locales: Callable[[], None] = lambda: None
        self._version = 0
        self._errors_seen = 0
        self._populate(people)
        self.languages = Languages(bot, self.guild.id, self._make_community)

    @classmethod
    async def create(
        cls,
        settings: Settings,
        create_bot: CreateBot,
        *,
        people: Sequence[Visitor] = PEOPLE,
        clock: Callable[[], datetime] = true_time,
    ) -> World:
        """Make a bot, and a server for it whose time follows `clock`."""
        from bot.process.parts import Simulation

        time = SimulatedTime(clock)
        simulation = Simulation(now=time.now, hold=time.hold, forgets=True, luck_games=LUCK_GAMES)
        bot = await create_bot(settings, simulation)
        return cls(bot, time, people)

    def _populate(self, people: Sequence[Visitor]) -> None:
        """Create the server, always in the same order: ids count up, and the bot's database refers to them."""
        env = self.env
        users = [env.create_user(person.slug, global_name=person.name) for person in ROSTER[:FIRST]]
        self.guild = env.create_guild(GUILD_NAME, id=GUILD_ID, owner=users[0])
        self.bot.owner_id = users[0].id  # SimCord makes every bot its own owner
        self.channels = {name: self.guild.create_text_channel(name) for name in CHANNELS}
        users += [env.create_user(person.slug, global_name=person.name) for person in ROSTER[FIRST:]]
        self.residents = {
            person.slug: Resident(person, user, self.guild.add_member(user) if person.member else None, person.locale)
            for person, user in zip(ROSTER, users, strict=True)
            if person in people
        }
        self._by_id = {resident.user.id: resident for resident in self.residents.values()}
        self.roles = [
            self.guild.create_role(name, permissions=discord.Permissions(allowed)) for name, allowed in ROLES.items()
        ]
        for user in users:
            _ = user.dm_channel  # the first look makes it, and gives it its id

    async def start(self) -> None:
        """Set the simulation's time and log the bot in."""
        self._internals.set_clock(self._time.clock())
        await self._reopen_threads()
        self._restore_locales = self._internals.install_locales(
            self._locale_of, lambda: self.languages.guild_locale or ORDINARY
        )
        async with self._lock:
            await self.env.start()
        self.report_errors()

    async def _reopen_threads(self) -> None:
        """Open the threads of earlier games again: like everything else, the simulation has forgotten them."""
        from bot.process.app import EscobaBot
        from bot.tables.log.codec import MATCH

        if isinstance(self.bot, EscobaBot):
            for game in await self.bot.parts.stores.games.open_games(MATCH):
                if game.channel_id is not None and self.channel(game.channel_id) is None:
                    self._internals.open_thread(self.channels[FIRST_CHANNEL].id, game.channel_id, "🧹 Escoba")

    async def stop(self) -> None:
        """Close the bot and leave the simulation."""
        async with self._lock:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(5):
                    await self.bot.close()
            try:
                await self.env.shutdown()
            except Exception:
                log.exception("The simulation didn't stop cleanly")
            self._restore_locales()

    def now(self) -> datetime:
        return self._time.now()

    async def catch_up(self) -> None:
        """Move the simulation's time on to that of the clock, and with it everything the bot was waiting for."""
        async with self.operation():
            behind = (self._time.clock() - self.now()).total_seconds()
            if behind > 0:
                await self.env.advance_time(min(behind, LONGEST_STEP))

    @contextlib.asynccontextmanager
    async def operation(self) -> AsyncGenerator[None]:
        """Wait until nothing else changes the simulation, and log the bot's errors at the end."""
        async with self._lock:
            try:
                yield
            finally:
                self.report_errors()

    def report_errors(self) -> None:
        """Log the exceptions of the bot's handlers; SimCord only collects them."""
        for error in self.env.errors_since(self._errors_seen):
            log.error("The bot raised an error", exc_info=error)
        self._errors_seen = self.env.error_cursor

    def touch(self) -> None:
        """Record a change that doesn't come from a request of the bot."""
        self._version += 1

    @property
    def version(self) -> int:
        """A number that grows whenever something may look different."""
        if self._internals.drain():
            self._version += 1
        return self._version

    def _locale_of(self, user_id: int) -> str:
        resident = self._by_id.get(user_id)
        return resident.locale if resident is not None else ORDINARY

    async def _make_community(self, locale: str, language: str) -> None:
        """Make the server a Community with a locale, and its lobbies speak a language."""
        from bot.process.app import EscobaBot

        async with self.operation():
            self._internals.make_community(self.guild.id, locale)
            if isinstance(self.bot, EscobaBot):
                await self.bot.parts.manager.set_locale(self.guild.id, language)
            self.touch()
            await self.env.settle()

    def places(self) -> Iterator[tuple[simcord.ChannelHandle, simcord.ChannelHandle | None]]:
        """The channels, each followed by its threads, which come with the channel that they are in."""
        for channel in self.channels.values():
            yield channel, None
            for thread in channel.threads:
                yield thread, channel

    def channel(self, channel_id: int) -> simcord.ChannelHandle | None:
        return next((place for place, _ in self.places() if place.id == channel_id), None)

    def channel_for(self, resident: Resident, channel_id: int) -> simcord.ChannelHandle | None:
        """A channel that somebody can see: one of the server's, or their direct message."""
        if channel_id == resident.direct.id:
            return resident.direct
        return None if resident.actor is None else self.channel(channel_id)

    def role(self, role_id: int) -> RoleHandle | None:
        return next((role for role in self.roles if role.id == role_id), None)

    def member(self, user_id: int) -> simcord.MemberActor | None:
        resident = self._by_id.get(user_id)
        return None if resident is None else resident.actor

    def user(self, user_id: int) -> UserHandle | None:
        resident = self._by_id.get(user_id)
        return None if resident is None else resident.user

    def message(self, channel_id: int, message_id: int) -> simcord.ResponseMessage | None:
        """A message to act on; SimCord checks that the actor can see it."""
        return self._internals.message(channel_id, message_id)

    def messages(self, channel: simcord.ChannelHandle) -> Iterator[tuple[str, str, int | None]]:
        """The id, the JSON and the only viewer (or None) of each message in a channel, oldest first."""
        for raw, owner in self._internals.messages(channel.id, latest=LATEST):
            if raw.get("type") == THREAD_CREATED:
                continue  # Discord posts none for a thread on a message, as the tables' threads are
            metadata: Json = raw.get("interaction_metadata") or {}
            command, source = self._internals.origin(int(metadata.get("id") or 0))
            message = snapshot.message_json(raw, command=command, source=source)
            yield message["id"], json.dumps(message, ensure_ascii=False, separators=(",", ":")), owner

    def setting(self, resident: Resident, online: set[str]) -> Json:
        """Everything except the messages: the server, its people and channels, and what `resident` can do."""
        direct, shown = resident.direct, [] if resident.actor is None else list(self.places())
        first = self.channels[FIRST_CHANNEL] if shown else direct
        bot = self._internals.bot_user
        return {
            "me": resident.person.slug,
            "member": resident.person.member,
            "now": round(self.now().timestamp() * 1000),
            "guild": {"id": str(self.guild.id), "name": GUILD_NAME, "chosen": self.languages.guild_chosen},
            "bot": {"id": str(bot["id"]), "name": bot["username"]},
            "people": [
                {
                    "id": str(other.user.id),
                    "slug": other.person.slug,
                    "name": other.person.name,
                    "colour": other.person.colour,
                    "owner": other.user.id == self.guild.owner.id,
                    "member": other.person.member,
                    "online": other.person.slug in online,
                }
                for other in self.residents.values()
            ],
            "locale": resident.locale,
            "language": self.languages.language(resident).replace("_", "-"),
            "chosen": self.languages.chosen(resident),
            "languages": choices(),
            "first": str(first.id),
            "roles": [{"id": str(role.id), "name": role.name} for role in self.roles],
            "channels": [
                {
                    "id": str(place.id),
                    "name": place.name,
                    "parent": None if channel is None else str(channel.id),
                    "direct": False,
                    "commands": resident.commands(channel or place),
                }
                for place, channel in shown
            ]
            + [
                {
                    "id": str(direct.id),
                    "name": BOT_NAME,
                    "parent": None,
                    "direct": True,
                    "commands": resident.commands(direct),
                }
            ],
            "commands": snapshot.commands_json(
                self._internals.commands(resident.user.id, first.id), resident.commands(first)
            ),
            "on_people": [
                {"name": command["name"], "names": command.get("name_localizations") or {}}
                for command in self._internals.commands_on_people(resident.user.id, first.id)
                if resident.actor is not None
            ],
        }

    def file(self, path: str) -> bytes | None:
        """The bytes of an attachment, by its path below ``/cdn/``."""
        return self._internals.file(path)

    def emoji(self, emoji_id: int) -> tuple[str, bytes] | None:
        """The content type and the picture of one of the bot's emojis."""
        return self._internals.emoji(emoji_id)
