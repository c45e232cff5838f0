"""A server that removes the bot, and may invite it again: nothing of the server is gone meanwhile."""

from collections.abc import Callable
from typing import Any

from simcord.backend import serializers


def expel(backend: Any, guild_id: int, described: Callable[[int], Any] | None = None) -> Callable[[], None]:
    """Remove the bot from a server; returns what invites it again. `described`: the server as the bot is told of it
    then, if there is more to tell than SimCord does.

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
        told = described(guild_id) if described else serializers.guild_create_payload(backend, guild)
        backend.emit("GUILD_CREATE", told)

    return invite
