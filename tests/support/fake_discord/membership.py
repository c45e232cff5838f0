"""A server that removes the bot, and may invite it again: nothing of the server is gone meanwhile."""

from collections.abc import Callable
from typing import Any

from simcord.backend import serializers


def expel(backend: Any, guild_id: int) -> Callable[[], None]:
    """Remove the bot from a server; returns what invites it again.

    SimCord's own `remove_guild` drops the server's channels and messages, which Discord keeps.
    """
    guild = backend.get_guild(guild_id)
    places = [*guild.channel_ids, *guild.thread_ids]
    channels = {each: backend.channels[each] for each in places if each in backend.channels}
    messages = {each: backend.messages[each] for each in places if each in backend.messages}
    backend.remove_guild(guild_id)

    def invite() -> None:
        backend.guilds[guild_id] = guild
        backend.channels.update(channels)
        backend.messages.update(messages)
        backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, guild))

    return invite
