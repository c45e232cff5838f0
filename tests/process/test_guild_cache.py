"""What the bot keeps of its servers, and what it hears of channels and threads that it doesn't keep."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bench import guilds
from bench.standin import BOT, CLICK, WHEN, interaction
from bot.process.gateway import ShardedBot
from bot.process.guild_cache import MANY_THREADS
from tests.support.dose import thorough_but

GUILD = 1 << 22
TABLE, PARENT = 900, 800
"""A thread with a table, and its channel."""
PUBLIC, PRIVATE = discord.ChannelType.public_thread.value, discord.ChannelType.private_thread.value


class Listening(ShardedBot):
    """A bot that isn't connected; it notes what it hears."""

    def __init__(self) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=discord.Intents(guilds=True),
            has_table=lambda channel_id: self.stands_by or channel_id == TABLE,
            shard_count=1,
        )
        self.stands_by = False
        self.gone: list[int] = []
        self.clicks: list[discord.Interaction[Any]] = []
        self.locales: list[str] = []
        state: Any = self._connection
        state.user = discord.ClientUser(state=state, data=BOT)  # pyright: ignore[reportArgumentType] - all it needs
        state.http._HTTPClient__session = None
        self.loop = asyncio.get_running_loop()

    async def hear(self, event: str, **payload: Any) -> None:
        """Parse an event as the gateway sends it, and handle what follows."""
        if parser := self._connection.parsers.get(event):
            parser(json.loads(json.dumps(payload)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    async def on_channel_gone(self, channel_id: int) -> None:
        self.gone.append(channel_id)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.clicks.append(interaction)

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        self.locales += [before.preferred_locale.value, after.preferred_locale.value]

    @property
    def guild(self) -> Any:
        """The server, with the internals of discord.py's cache."""
        return self.get_guild(GUILD)


@pytest.fixture
async def bot() -> Listening:
    listening = Listening()
    await listening.hear("GUILD_CREATE", **server())
    return listening


def server(**changes: Any) -> dict[str, Any]:
    """A large server with everything in it."""
    return json.loads(guilds.guild_create(guilds.SIZES["large"], GUILD >> 22)) | changes


def thread(thread_id: int, kind: int = PUBLIC, parent: int = PARENT, *, archived: bool = False) -> dict[str, Any]:
    """A thread in an event."""
    metadata = {"archived": archived, "auto_archive_duration": 60, "archive_timestamp": WHEN}
    rest = {"owner_id": "1", "name": "hilo", "message_count": 0, "member_count": 1, "thread_metadata": metadata}
    return {"id": str(thread_id), "type": kind, "guild_id": str(GUILD), "parent_id": str(parent), **rest}


def click(channel: dict[str, Any] | None, channel_id: int = 7) -> dict[str, Any]:
    """A click in a channel about which Discord sends only this."""
    event = interaction(CLICK, 5, channel_id, {"custom_id": "x", "component_type": 2}, number=1, token="t")
    del event["channel"]
    return event | {"guild_id": str(GUILD)} | ({} if channel is None else {"channel": channel})


def inside(guild: Any) -> list[int]:
    """How many objects of each kind are cached for a server, and how many emojis and stickers for all servers."""
    state = guild._state
    kinds = (
        guild._channels,
        guild._threads,
        guild._roles,
        guild._members,
        guild._voice_states,
        guild._soundboard_sounds,
    )
    rest = (
        guild._stage_instances,
        guild._scheduled_events,
        guild.emojis,
        guild.stickers,
        state._emojis,
        state._stickers,
    )
    return [len(each) for each in (*kinds, *rest)]


async def test_only_a_servers_features_and_language_are_kept(bot: Listening) -> None:
    assert inside(bot.guild) == [0] * 12
    assert bot.guild.name == ""
    assert "COMMUNITY" in bot.guild.features
    assert bot.guild.preferred_locale is discord.Locale.spain_spanish
    assert not bot.guild.unavailable


async def test_features_of_the_same_name_are_kept_once(bot: Listening) -> None:
    await bot.hear("GUILD_CREATE", **server(id=str(2 << 22)))
    other = bot.get_guild(2 << 22)
    assert other is not None
    assert all(a is b for a, b in zip(bot.guild.features, other.features, strict=True))


async def test_later_additions_to_a_server_are_not_kept_either(bot: Listening) -> None:
    payload = server()
    here = {"guild_id": str(GUILD)}
    await bot.hear("GUILD_UPDATE", **payload)
    await bot.hear("CHANNEL_CREATE", **payload["channels"][1], **here)
    await bot.hear("CHANNEL_UPDATE", **payload["channels"][1], **here)
    await bot.hear("GUILD_ROLE_CREATE", role=payload["roles"][1], **here)
    await bot.hear("GUILD_ROLE_UPDATE", role=payload["roles"][1], **here)
    for kind in (PUBLIC, PRIVATE):
        await bot.hear("THREAD_CREATE", **thread(kind, kind))
        await bot.hear("THREAD_UPDATE", **thread(kind, kind))
    await bot.hear("THREAD_LIST_SYNC", threads=[thread(3)], members=[], **here)
    await bot.hear("GUILD_EMOJIS_UPDATE", emojis=payload["emojis"], **here)
    await bot.hear("GUILD_SOUNDBOARD_SOUND_CREATE", **payload["soundboard_sounds"][0])
    await bot.hear("GUILD_CREATE", **payload)
    assert inside(bot.guild) == [0] * 12


async def test_a_server_that_changes_its_language_is_noticed(bot: Listening) -> None:
    await bot.hear("GUILD_UPDATE", **server(preferred_locale="fr", features=[]))
    assert bot.locales == ["es-ES", "fr"]
    assert bot.guild.features == []


# ------------------------------------------------------------------ interactions


@pytest.mark.parametrize("kind", thorough_but([0, 2, 5, 10, 11, 12, 13], 2, 12))
@pytest.mark.parametrize("named", [True, False], ids=["named", "bare"])
async def test_an_interaction_arrives_however_little_it_says_of_its_channel(
    bot: Listening, kind: int, named: bool
) -> None:
    told = {"name": "mesa", "topic": "t" * 1000, "position": 3, "parent_id": "8"} if named else {}
    await bot.hear("INTERACTION_CREATE", **click({"id": "7", "type": kind, "permissions": "0", **told}))
    [heard] = bot.clicks
    channel: Any = heard.channel
    assert heard.channel_id == 7
    assert channel.type.value == kind
    assert getattr(channel, "topic", None) is None, "a panel keeps its interaction, and would keep the topic"


async def test_an_interaction_without_its_channel_is_taken_for_one_from_a_text_channel(bot: Listening) -> None:
    await bot.hear("INTERACTION_CREATE", **click(None))
    assert (bot.clicks[0].channel_id, type(bot.clicks[0].channel)) == (7, discord.TextChannel)


@pytest.mark.parametrize("kind", [4, 14, 99])
async def test_a_click_in_a_kind_of_channel_that_discord_py_does_not_know_has_its_channels_id(
    bot: Listening, kind: int
) -> None:
    await bot.hear("INTERACTION_CREATE", **click({"id": "7", "type": kind, "permissions": "0"}))
    assert bot.clicks[0].channel_id == 7


async def test_no_part_of_a_click_is_needed_but_who_what_and_where(bot: Listening) -> None:
    whole = click({"id": "7", "type": 0, "name": "mesa", "permissions": "0"})
    whole["message"] = {**whole.get("message", {}), "id": "9"}
    needed = {"id", "token", "type", "data", "custom_id", "component_type", "user", "member", "application_id"}
    for path in list(paths(whole)):
        if path[-1] in needed or path in (("guild_id",), ("channel",), ("channel_id",), ("message", "id")):
            continue
        bot.clicks.clear()
        await bot.hear("INTERACTION_CREATE", **without(whole, path))
        [heard] = bot.clicks
        assert (heard.channel_id, heard.user.id) == (7, 5), path
    for missing in ("channel", "channel_id"):
        await bot.hear("INTERACTION_CREATE", **without(whole, (missing,)))
        assert bot.clicks.pop().channel_id == 7


def paths(node: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths to all values in a payload."""
    for key, value in node.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths(value, (*above, key))


def without(node: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """A payload that lacks the value at a path."""
    first, *rest = path
    if not rest:
        return {key: value for key, value in node.items() if key != first}
    return {**node, first: without(node[first], tuple(rest))}


# ------------------------------------------------------------------ what is deleted


async def test_a_deleted_channel_and_its_threads_with_tables_are_gone(bot: Listening) -> None:
    await bot.hear("GUILD_CREATE", **server(threads=[thread(TABLE), thread(901)]))
    await bot.hear("INTERACTION_CREATE", **click(thread(902), 902))
    await bot.hear("INTERACTION_CREATE", **click(thread(903, parent=5), 903))
    await bot.hear("CHANNEL_DELETE", id=str(PARENT), guild_id=str(GUILD), type=0, name="mesa")
    assert sorted(bot.gone) == [PARENT, TABLE, 902]
    bot.gone.clear()
    await bot.hear("CHANNEL_DELETE", id=str(PARENT), guild_id=str(GUILD), type=0, name="mesa")
    assert bot.gone == [PARENT], "its threads are forgotten"


async def test_a_deleted_thread_is_gone(bot: Listening) -> None:
    await bot.hear("THREAD_DELETE", id="77", guild_id=str(GUILD), parent_id=str(PARENT), type=PUBLIC)
    assert bot.gone == [77]


# ------------------------------------------------------------------ private threads


async def test_the_bot_knows_the_private_threads_that_it_is_in(bot: Listening) -> None:
    own = {"id": "31", "guild_id": str(GUILD), "member_count": 2}
    await bot.hear("INTERACTION_CREATE", **click(thread(31, PRIVATE), 31))
    assert not bot.is_in_private_thread(31), "interactions come from any thread"
    await bot.hear("THREAD_MEMBERS_UPDATE", **own, added_members=[{"id": "31", "user_id": "5"}])
    assert not bot.is_in_private_thread(31), "somebody else was added"
    await bot.hear("THREAD_CREATE", **thread(31, PRIVATE))
    assert bot.is_in_private_thread(31)
    await bot.hear("THREAD_MEMBERS_UPDATE", **own, removed_member_ids=["5"])
    assert bot.is_in_private_thread(31)
    await bot.hear("THREAD_MEMBERS_UPDATE", **own, removed_member_ids=[BOT["id"]])
    assert not bot.is_in_private_thread(31)
    await bot.hear("THREAD_MEMBERS_UPDATE", **own, added_members=[{"id": "31", "user_id": BOT["id"]}])
    assert bot.is_in_private_thread(31)


async def test_a_session_starts_with_the_existing_private_threads(bot: Listening) -> None:
    await bot.hear("GUILD_CREATE", **server(threads=[thread(31, PRIVATE), thread(32)]))
    assert (bot.is_in_private_thread(31), bot.is_in_private_thread(32)) == (True, False)
    await bot.hear("GUILD_CREATE", **server(threads=[thread(33, PRIVATE)]))
    assert (bot.is_in_private_thread(31), bot.is_in_private_thread(33)) == (False, True)
    await bot.hear("THREAD_LIST_SYNC", guild_id=str(GUILD), threads=[thread(34, PRIVATE)], members=[])
    assert bot.is_in_private_thread(34)


async def test_the_channel_of_a_private_thread_is_known_so_that_no_podium_is_hidden_in_one(bot: Listening) -> None:
    await bot.hear("THREAD_CREATE", **thread(31, PRIVATE))
    assert bot.is_in_private_thread(31)
    assert (bot.parent_of(GUILD, 31), bot.parent_of(GUILD, PARENT)) == (PARENT, None)


@pytest.mark.parametrize("end", ["archived", "deleted", "with its channel", "with its server"])
async def test_a_private_thread_that_ends_is_forgotten(bot: Listening, end: str) -> None:
    here = {"guild_id": str(GUILD)}
    await bot.hear("THREAD_CREATE", **thread(31, PRIVATE))
    match end:
        case "archived":
            await bot.hear("THREAD_UPDATE", **thread(31, PRIVATE, archived=True))
        case "deleted":
            await bot.hear("THREAD_DELETE", id="31", parent_id=str(PARENT), type=PRIVATE, **here)
        case "with its channel":
            await bot.hear("CHANNEL_DELETE", id=str(PARENT), type=0, name="mesa", **here)
        case _:
            await bot.hear("GUILD_DELETE", id=str(GUILD))
    state: Any = bot._connection
    assert not bot.is_in_private_thread(31)
    assert state._threads == {}


async def test_an_archived_thread_with_a_table_is_still_known(bot: Listening) -> None:
    await bot.hear("THREAD_CREATE", **thread(TABLE, PRIVATE))
    await bot.hear("THREAD_UPDATE", **thread(TABLE, PRIVATE, archived=True))
    assert bot.is_in_private_thread(TABLE)
    await bot.hear("CHANNEL_DELETE", id=str(PARENT), guild_id=str(GUILD), type=0, name="mesa")
    assert sorted(bot.gone) == [PARENT, TABLE]


async def test_threads_without_a_table_are_forgotten_once_there_are_many(bot: Listening) -> None:
    await bot.hear("THREAD_CREATE", **thread(33, PRIVATE))
    for number in (TABLE, *range(100, 100 + 2 * MANY_THREADS)):
        await bot.hear("INTERACTION_CREATE", **click(thread(number, PRIVATE), number))
    state: Any = bot._connection
    assert len(state._threads[GUILD]) <= MANY_THREADS
    assert {TABLE, 33, 100 + 2 * MANY_THREADS - 1} <= state._threads[GUILD].keys()
    assert bot.is_in_private_thread(33)


async def test_a_process_that_has_taken_over_forgets_the_threads_without_a_table(bot: Listening) -> None:
    bot.stands_by = True
    await bot.hear("GUILD_CREATE", **server(threads=[thread(TABLE), thread(32), thread(33, PRIVATE)]))
    bot.stands_by = False
    bot.forget_idle_threads()
    state: Any = bot._connection
    assert state._threads == {GUILD: {TABLE: PARENT, 33: PARENT}}
