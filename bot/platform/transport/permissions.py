"""Servers and what the bot and its users may do there."""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Protocol, cast

import discord
from discord.utils import MISSING, oauth_url, parse_time

from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.trouble import NETWORK, is_shut_out

COMMUNITY: Final = "COMMUNITY"
"""The feature of servers that have a language of their own."""


def own_server(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server of an interaction if the bot is installed there; None in private chats, and where only a person
    has installed it for themselves.

    discord.py makes up an `interaction.guild` for a server without the bot, so that says nothing.
    """
    return interaction.guild_id if interaction.is_guild_integration() else None


def own_language(guild: discord.Guild | None) -> str | None:
    """Return a Community's language; None for every other server, for which Discord always reports American English."""
    return guild.preferred_locale.value if guild is not None and COMMUNITY in guild.features else None


INVITED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    create_public_threads=True,
)
"""The permissions that the bot's invitation asks for. Whoever invites it may refuse the last one."""
_FOR_THREADS: Final = discord.Permissions(
    view_channel=True, read_message_history=True, create_public_threads=True, send_messages_in_threads=True
)
"""The permissions for a thread on a message: without them, lobbies just stay."""
_ASK_SECONDS: Final = 0.8
"""Seconds to ask Discord for what a refusal's text says: a click waits for that."""
_VOICE: Final = (discord.ChannelType.voice, discord.ChannelType.stage_voice)


class MissingPermission(StrEnum):
    """A permission that the bot lacks in a channel."""

    VIEW = "view"
    SEND = "send"
    ATTACH = "attach"


def invitation_url(application_id: int | str, guild_id: int | None = None) -> str:
    """Write the address at which the bot is invited to a server: to this one, or to any."""
    guild = MISSING if guild_id is None else discord.Object(guild_id)
    scopes = ("bot", "applications.commands")
    return oauth_url(application_id, permissions=INVITED, guild=guild, scopes=scopes) + "&integration_type=0"


class Listener(Protocol):
    """The part of the bot that is used here."""

    def is_in_private_thread(self, thread_id: int) -> bool:
        """Whether the bot is in a private thread."""
        ...

    async def finds(self, guild_id: int) -> bool:
        """Whether the bot is in a server, even if Discord hasn't listed it."""
        ...


async def is_member(interaction: discord.Interaction[Any]) -> bool:
    """Whether the bot is in the server of an interaction, and it is one; a server can have only its commands."""
    listener: Listener = interaction.client
    guild_id = own_server(interaction)
    return guild_id is not None and await listener.finds(guild_id)


def check_may_speak(interaction: discord.Interaction[Any]) -> None:
    """Check that the bot may post and edit messages in the channel, as far as it knows.

    Raises:
        Refusal: if it may not; it says what is missing.
    """
    allowed = interaction.app_permissions
    channel = interaction.channel
    listener: Listener = interaction.client
    if _is_voice(interaction):
        if not (allowed.view_channel and allowed.send_messages and allowed.connect):
            raise Refusal(CommonRefusal.MUTED_IN_VOICE)
    elif not isinstance(channel, discord.Thread):
        if not (allowed.view_channel and allowed.send_messages):
            raise Refusal(CommonRefusal.MUTED)
    elif not (allowed.view_channel and allowed.send_messages_in_threads):
        raise Refusal(CommonRefusal.MUTED)
    elif not allowed.manage_threads:
        if channel.locked:
            raise Refusal(CommonRefusal.LOCKED)
        if channel.is_private() and not listener.is_in_private_thread(channel.id):
            raise Refusal(CommonRefusal.OUTSIDE_THREAD)


async def lacking_in(client: discord.Client, guild_id: int, channel_id: int) -> list[MissingPermission]:
    """List what the bot may not do in a server's channel. Asks Discord, as the bot keeps neither channels nor roles.

    Raises:
        what `reply.NETWORK` lists.
    """
    assert client.user is not None, "the bot has logged in"
    guild = await client.fetch_guild(guild_id, with_counts=False)
    try:
        channel = await guild.fetch_channel(channel_id)
    except discord.HTTPException as error:
        if not is_shut_out(error):
            raise
        return [MissingPermission.VIEW]
    return lacking(channel.permissions_for(await guild.fetch_member(client.user.id)))


def lacking(allowed: discord.Permissions) -> list[MissingPermission]:
    """List what the bot may not do in a channel where this is allowed."""
    if not allowed.view_channel:
        return [MissingPermission.VIEW]
    if not allowed.send_messages:
        return [MissingPermission.SEND]
    return [] if allowed.attach_files else [MissingPermission.ATTACH]


async def is_timed_out(interaction: discord.Interaction[Any]) -> bool:
    """Whether a moderator has put the bot in time-out, if Discord says so in time."""
    client, guild_id = interaction.client, interaction.guild_id
    if client.user is None or guild_id is None:
        return False
    try:
        async with asyncio.timeout(_ASK_SECONDS):
            member = await client.http.get_member(guild_id, client.user.id)
    except NETWORK:
        return False
    until: datetime | None = parse_time(cast("str | None", member.get("communication_disabled_until")))
    return until is not None and until > interaction.created_at


async def check_may_mention(interaction: discord.Interaction[Any], guild_id: int, role_id: int) -> None:
    """Check that the bot may mention a server's role in the channel. Asks Discord, as the bot keeps no roles.

    Raises:
        Refusal: if it may not, or if there is no such role.
        what `reply.NETWORK` lists.
    """
    guild = await interaction.client.fetch_guild(guild_id, with_counts=False)
    role = guild.get_role(role_id)
    if role is None:
        raise Refusal(CommonRefusal.ROLE_GONE)
    if not (role.mentionable or interaction.app_permissions.mention_everyone):
        raise Refusal(CommonRefusal.ROLE_CLOSED)


async def may_have_threads(client: discord.Client, guild_id: int, channel_id: int) -> bool | None:
    """Whether the bot may open public threads in a server's channel, and write in them; None in a thread, which has no
    threads. Asks Discord.

    Raises:
        what `reply.NETWORK` lists.
    """
    assert client.user is not None, "the bot has logged in"
    guild = await client.fetch_guild(guild_id, with_counts=False)
    channel = await guild.fetch_channel(channel_id)
    if isinstance(channel, discord.Thread):
        return None
    return channel.permissions_for(await guild.fetch_member(client.user.id)) >= _FOR_THREADS


async def seen_by(interaction: discord.Interaction[Any]) -> frozenset[int]:
    """Find the channels and public threads of the server that the person can see; none if Discord doesn't answer soon.
    Asks Discord, as the bot keeps neither channels nor roles."""
    person = interaction.user
    client: discord.Client = interaction.client
    if not isinstance(person, discord.Member):
        return frozenset()
    try:
        async with asyncio.timeout(_ASK_SECONDS):
            guild = await client.fetch_guild(person.guild.id, with_counts=False)
            channels, threads = await asyncio.gather(guild.fetch_channels(), guild.active_threads())
    except NETWORK:
        return frozenset()
    seen = {channel.id for channel in channels if channel.permissions_for(person).view_channel}
    return frozenset(seen | {thread.id for thread in threads if thread.parent_id in seen and not thread.is_private()})


def check_may_write(interaction: discord.Interaction[Any]) -> None:
    """Check that the person may themselves send messages in the channel.

    Raises:
        Refusal: if they may not.
    """
    allowed, channel = interaction.permissions, interaction.channel
    if isinstance(channel, discord.Thread):
        may = allowed.send_messages_in_threads and (allowed.manage_threads or not channel.locked)
    else:
        may = allowed.send_messages
    if not may:
        raise Refusal(CommonRefusal.MAY_NOT_WRITE)


def check_spoke(interaction: discord.Interaction[Any], spoke: bool) -> None:
    """Check that Discord has just let the bot write in the channel.

    Raises:
        Refusal: if it hasn't, though no permission seemed to be missing; it says what the reason may be.
    """
    if not spoke:
        channel = interaction.channel
        private = isinstance(channel, discord.Thread) and channel.is_private()
        if private:
            raise Refusal(CommonRefusal.OUTSIDE_THREAD)
        raise Refusal(CommonRefusal.MUTED_IN_VOICE if _is_voice(interaction) else CommonRefusal.MUTED)


def may_open_threads(interaction: discord.Interaction[Any]) -> bool:
    """Whether the bot may open public threads on its messages in the channel, and write in them."""
    allowed = interaction.app_permissions
    in_text_channel = getattr(interaction.channel, "type", None) is discord.ChannelType.text
    return in_text_channel and allowed >= _FOR_THREADS


def _is_voice(interaction: discord.Interaction[Any]) -> bool:
    """Whether it is the chat of a voice or stage channel, where only those who may connect can write."""
    return getattr(interaction.channel, "type", None) in _VOICE


def roles_of(interaction: discord.Interaction[Any]) -> frozenset[int]:
    """The ids of the roles that the person has on the server, and of @everyone."""
    # discord.py's own `roles` asks the server's, which the bot doesn't keep
    described: Iterable[str] = getattr(interaction.user, "_roles", ())
    everyone = () if interaction.guild_id is None else (interaction.guild_id,)
    return frozenset({*map(int, described), *everyone})


def is_alone(interaction: discord.Interaction[Any]) -> bool:
    """Whether nobody else is where somebody has clicked, as far as Discord tells: in their chat with the bot, or in a
    private thread that has no other member."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        return channel.is_private() and channel.member_count <= 1
    return interaction.context.dm_channel


def may_moderate(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person may manage messages there."""
    return interaction.permissions.manage_messages


def may_organise(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person may manage tournaments there: whether they may manage events or messages."""
    return interaction.permissions.manage_events or may_moderate(interaction)


def may_manage(interaction: discord.Interaction[Any]) -> bool:
    return interaction.permissions.manage_guild


def check_manages(interaction: discord.Interaction[Any]) -> None:
    """Check that the person may manage the server.

    Raises:
        Refusal: if they may not.
    """
    if not may_manage(interaction):
        raise Refusal(CommonRefusal.NOT_MANAGER)
