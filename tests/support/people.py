"""People who use a bot on SimCord: they see what a user would see and press what a user could press."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

import discord
import simcord
from simcord.builders import ChannelHandle, GuildHandle

from tests.support.fake_discord import worlds
from tests.support.fake_discord.clicks import check_click
from tests.support.limits_components import BUTTON, SELECTS, TEXT, pictures, walk
from tests.support.patience import HANG_SECONDS
from tests.support.wiretap import Wiretap

Message = discord.Message | simcord.ResponseMessage
Where = Message | ChannelHandle
BotMaker = Callable[["SimTime"], discord.Client | Awaitable[discord.Client]]


class Button(NamedTuple):
    label: str  # the emoji's name if there is no label
    custom_id: str
    disabled: bool


class Select(NamedTuple):
    placeholder: str
    custom_id: str
    disabled: bool
    values: list[str]
    labels: list[str]
    fewest: int
    most: int


class Person:
    """A member of the server. A channel in place of a message stands for the newest message that fits."""

    def __init__(self, actor: simcord.MemberActor) -> None:
        self.actor = actor
        self.env = worlds.env_of(actor)
        self.id = actor.id
        self.name = actor.name
        self.mention = actor.mention

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

    # ----------------------------------------------------------------------------------------------- seeing
    def messages(self, channel: ChannelHandle) -> list[discord.Message]:
        """The messages of a channel that they can see now, without other people's ephemeral ones; oldest first."""
        return [shown.message for shown in worlds.newest_first(self.actor, channel)][::-1]

    def sees(self, channel: ChannelHandle) -> list[str]:
        """The texts of the messages that they can see now; oldest first."""
        return [text_of(message) for message in self.messages(channel)]

    def latest(
        self,
        channel: ChannelHandle,
        fits: str | Callable[[discord.Message], bool] = "",
        *,
        ephemeral: bool | None = None,
    ) -> discord.Message:
        """The newest message whose text contains the regular expression, or for which `fits` is true."""
        for shown in worlds.newest_first(self.actor, channel):
            if ephemeral not in (None, shown.ephemeral):
                continue
            if callable(fits) and fits(message := shown.message):
                return message  # the same: making one takes long
            if not callable(fits) and re.search(fits, text_of(shown)):
                return shown.message
        raise AssertionError(f"{self.name} sees no such message, only: {self.sees(channel)}")

    def panel(self, channel: ChannelHandle) -> discord.Message:
        """The newest message that only they see."""
        return self.latest(channel, ephemeral=True)

    def buttons(self, message: Message) -> list[Button]:
        """The buttons of a message as it is now, without links."""
        return [
            Button(
                node.get("label") or (node.get("emoji") or {}).get("name") or "",
                node["custom_id"],
                _off(node),
            )
            for _, node in walk(self.stored(message).components)
            if node.get("type") == BUTTON and node.get("custom_id")
        ]

    def selects(self, message: Message) -> list[Select]:
        """The select menus of a message as it is now."""
        return [
            Select(
                node.get("placeholder") or "",
                node["custom_id"],
                _off(node),
                [option["value"] for option in node.get("options", [])],
                [option["label"] for option in node.get("options", [])],
                node.get("min_values", 1),
                node.get("max_values", 1),
            )
            for _, node in walk(self.stored(message).components)
            if node.get("type") in SELECTS
        ]

    # ----------------------------------------------------------------------------------------------- acting
    async def slash(self, channel: ChannelHandle, name: str, /, **options: Any) -> simcord.InteractionResult:
        """Send a slash command, such as "escoba play"."""
        return await self.actor.slash(channel, name, **options)

    async def right_click(self, channel: ChannelHandle, person: Person, name: str) -> simcord.InteractionResult:
        """Choose one of the apps' commands for a person, with a right click on them."""
        return await self.actor.context_menu(channel, name, person.actor)

    async def press(
        self, where: Where, *, label: str | None = None, custom_id: str | None = None
    ) -> simcord.InteractionResult:
        """Press the one enabled button whose label or custom_id matches or contains the regular expression."""
        message, button = self._find(where, self.buttons, label, custom_id)
        return await self.actor.click(message, custom_id=button.custom_id)

    async def click(self, message: Message, custom_id: str) -> simcord.InteractionResult:
        """Click a button of a message as they once saw it.

        Raises:
            Refused: if the message has no such button any more; the bot hears nothing of it.
        """
        check_click(self.env.backend, _channel_of(message), message.id, custom_id)
        return await self.actor.click(message, custom_id=custom_id)

    async def choose(
        self, where: Where, values: Sequence[Any], *, custom_id: str | None = None
    ) -> simcord.InteractionResult:
        """Choose values in the one enabled select menu."""
        message, select = self._find(where, self.selects, None, custom_id)
        return await self.actor.select(message, values, custom_id=select.custom_id)

    async def submit(self, shown: simcord.InteractionResult, values: dict[str, Any]) -> simcord.InteractionResult:
        """Fill in the modal that an interaction opened."""
        return await self.actor.submit_modal(shown, values)

    def _find(self, where: Where, items: Callable[[Message], list[Any]], label: str | None, custom_id: str | None):
        in_channel = isinstance(where, ChannelHandle)
        for message in worlds.newest_first(self.actor, where) if in_channel else [where]:
            found = [item for item in items(message) if not item.disabled]
            if label is not None:
                found = _matching(found, 0, label)
            if custom_id is not None:
                found = _matching(found, 1, custom_id)
            if len(found) > 1:
                raise AssertionError(f"label={label!r}, custom_id={custom_id!r} could be each of {found}")
            if found:
                return message, found[0]
        messages = self.messages(where) if in_channel else [where]
        there = [(item[0], item[1], item.disabled) for message in messages for item in items(message)]
        raise AssertionError(f"{self.name} finds nothing for label={label!r}, custom_id={custom_id!r}: {there}")

    def stored(self, message: Message) -> Any:
        """A message as stored now: `components`, `flags`, `attachments` and so on, as in JSON."""
        return self.env.backend.get_message(_channel_of(message), message.id)


def _channel_of(message: Message) -> int:
    return message.channel_id if isinstance(message, simcord.ResponseMessage) else message.channel.id


def _matching(items: list[Any], index: int, pattern: str) -> list[Any]:
    exact = [item for item in items if item[index] == pattern]
    return exact or [item for item in items if re.search(pattern, item[index])]


def _off(node: Any) -> bool:
    return bool(node.get("disabled"))


def set_locale(person: Person, locale: str) -> None:
    """Make a person's interactions carry this locale, such as es-ES, from now on; it starts as en-US."""
    worlds.localise(person.env, {person.id: locale})


async def forge(
    person: Person,
    message: Message,
    custom_id: str,
    values: Sequence[str] | None = None,
    *,
    among: list[dict[str, Any]] | None = None,
) -> simcord.InteractionResult:
    """Click a button, or with `values` choose in a menu, that isn't on the message or can't be seen.

    The message that the bot receives has that button, or the components `among`.

    Discord wouldn't let such a click through, see `Person.click`; this tests what the bot does if one reaches it after
    all, as clicks that arrive late may.
    """
    return await worlds.forge_click(person.actor, person.stored(message), custom_id, values, among)


async def forge_slash(person: Person, channel: ChannelHandle, data: dict[str, Any]) -> simcord.InteractionResult:
    """Send a command that doesn't exist in this form: `data` is what Discord would forward."""
    return await worlds.forge_interaction(
        person.actor, discord.InteractionType.application_command, channel.id, {"id": "1", "type": 1, **data}
    )


async def forge_form(
    person: Person,
    where: Where,
    custom_id: str,
    components: Sequence[dict[str, Any]],
) -> simcord.InteractionResult:
    """Submit a modal that the bot never opened, on a message or in a channel."""
    data = {"custom_id": custom_id, "components": list(components)}
    stored = None if isinstance(where, ChannelHandle) else person.stored(where)
    channel_id = where.id if stored is None else stored.channel_id
    return await worlds.forge_interaction(
        person.actor, discord.InteractionType.modal_submit, channel_id, data, on=stored
    )


def components_of(message: Message) -> list[dict[str, Any]]:
    """A message's components as JSON, as when the message was read."""
    if isinstance(message, simcord.ResponseMessage):
        return message.components
    return [component.to_dict() for component in message.components]  # type: ignore[misc]


def text_of(message: Message) -> str:
    """All Text Displays of a message, including nested ones, and its content if any; one per line."""
    shown = [node["content"] for _, node in walk(components_of(message)) if node.get("type") == TEXT]
    text = "\n".join([*([message.content] if message.content else []), *shown])
    return text.replace("\u2060", "")  # invisible: it keeps an index and its suit on one line


def alt_texts_of(message: Message) -> list[str]:
    """What a screen reader says for the pictures of a message."""
    nodes = walk(components_of(message))
    return [str(item.get("description") or "") for _, node in nodes for item in pictures(node)]


# ------------------------------------------------------------------------------------------ time and world
class SimTime:
    """A world's time, for a bot that is made before its world: give the bot `now` and `hold`."""

    def __init__(self) -> None:
        self._env: simcord.Env | None = None

    def bind(self, env: simcord.Env) -> None:
        """Use this world's time from now on."""
        self._env = env

    def now(self) -> datetime:
        """The world's time; before there is a world, the time at which all SimCord worlds begin."""
        return self._env.now() if self._env is not None else datetime(2026, 1, 1, tzinfo=UTC)

    async def hold(self, parked: Awaitable[None]) -> None:
        """Wait for something that only `env.advance_time` or the bot itself causes."""
        if self._env is None:
            await parked
        else:
            await self._env.external_wait(parked, reason="clock")


@dataclass
class World:
    """A server with one text channel and people; unpacks into env, channel, people and tap."""

    env: simcord.Env
    guild: GuildHandle
    channel: ChannelHandle
    people: list[Person]
    tap: Wiretap
    time: SimTime
    killed: list[discord.Client] = field(default_factory=list)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.env, self.channel, self.people, self.tap))

    @property
    def bot(self) -> Any:
        return self.env.bot

    @property
    def timers(self) -> list[str]:
        """The bot's pending timers. They slow SimCord down at each click, by the square of their number."""
        return worlds.timers(self.env)

    def person(self, name: str) -> Person:
        """Add another member."""
        person = Person(self.guild.add_member(self.env.create_user(name)))
        self.people.append(person)
        return person

    async def restart(self, bot: discord.Client | BotMaker, *, close: bool = True) -> None:
        """Replace the running bot with another.

        Without `close` the old one just stops, as if killed; it is closed at the world's end, to free what it holds.
        """
        if close:
            await self.env.bot.close()
        else:
            self.killed.append(self.env.bot)
        await self.env.restart_bot(await _made(bot, self.time))


@asynccontextmanager
async def world(
    bot: discord.Client | BotMaker,
    people: int | Sequence[str] = ("Ana", "Bea", "Ciro", "Dora"),
    *,
    guild_locale: str | None = None,
    check: bool = True,
    **options: Any,
) -> AsyncIterator[World]:
    """Run a bot, or the bot that a function of a SimTime makes, on its own server.

    With a `guild_locale` the server is a Community in this language; otherwise it is en-US, whatever people speak.

    At the end the bot is closed; unless the block failed, its captured errors are raised and, with `check`,
    what the tap found. Further options go to `simcord.Env`.
    """
    names = [f"Person{number}" for number in range(1, people + 1)] if isinstance(people, int) else people
    time = SimTime()
    made_bot = await _made(bot, time)
    if isinstance(made_bot, discord.AutoShardedClient):
        options.setdefault("shard_count", 1)
    options.setdefault("settle_timeout", HANG_SECONDS)
    env = simcord.Env(made_bot, **options)
    time.bind(env)
    tap = Wiretap(env)
    worlds.hurry(env)
    worlds.end_withdrawn_deferrals(env)
    worlds.localise(env, {})
    guild = env.create_guild("Casa", preferred_locale=guild_locale)
    if guild_locale is not None:
        worlds.make_community(env, guild.id)
    channel = guild.create_text_channel("mesa")
    players = [Person(guild.add_member(env.create_user(name))) for name in names]
    made = World(env, guild, channel, players, tap, time)
    try:
        await env.start()
        with env.time_context():
            yield made
    finally:
        with env.time_context():
            for each in (*made.killed, env.bot):
                await each.close()
            await env.shutdown()
    if env.check_errors:
        worlds.raise_errors(env)
    if check:
        tap.check()


async def _made(bot: discord.Client | BotMaker, time: SimTime) -> discord.Client:
    made = bot if isinstance(bot, discord.Client) else bot(time)
    return made if isinstance(made, discord.Client) else await made
