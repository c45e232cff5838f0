"""The bot's memory of its servers: that it is in them, their features and language, and a few threads.

Discord sends everything about a server when a session starts, and every change after that. discord.py would keep it
all, 72 KB for a typical server. The bot needs none of it: an interaction brings its channel and permissions along.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import discord
from discord.state import AutoShardedConnectionState

Payload = dict[str, Any]

PARSED: Final = (
    "READY",
    "RESUMED",
    "USER_UPDATE",
    "INTERACTION_CREATE",
    "GUILD_CREATE",
    "GUILD_UPDATE",
    "GUILD_DELETE",
    "GUILD_ROLE_UPDATE",
    "GUILD_MEMBER_UPDATE",
    "CHANNEL_UPDATE",
    "CHANNEL_DELETE",
    "THREAD_CREATE",
    "THREAD_UPDATE",
    "THREAD_DELETE",
    "THREAD_LIST_SYNC",
    "THREAD_MEMBERS_UPDATE",
)
"""The events that the bot reads; discord.py drops the others."""
MANY_THREADS: Final = 20
"""The number of a server's threads that are remembered before those without a table are forgotten."""
_KEPT: Final = ("id", "unavailable", "preferred_locale")
_PRIVATE: Final = discord.ChannelType.private_thread.value
_THREADS: Final = (discord.ChannelType.news_thread.value, discord.ChannelType.public_thread.value, _PRIVATE)
_UNKNOWN_TIME: Final = "2015-01-01T00:00:00+00:00"
_ASSUMED: Final[Mapping[str, Any]] = {
    "type": discord.ChannelType.text.value,
    "name": "",
    "position": 0,
    "bitrate": 0,
    "user_limit": 0,
    "parent_id": None,
    "owner_id": 0,
    "message_count": 0,
    "member_count": 0,
}
"""The fields that discord.py requires of a channel, in case one is missing in an interaction: Discord promises only
some of it. Of an interaction it takes, in the end, whose it is, what was done, and where."""
_ASSUMED_OF_THREAD: Final[Mapping[str, Any]] = {
    "archived": False,
    "auto_archive_duration": 60,
    "archive_timestamp": _UNKNOWN_TIME,
}
_ASSUMED_OF_INTERACTION: Final[Mapping[str, Any]] = {
    "version": 1,
    "attachment_size_limit": 0,
    "app_permissions": str(discord.Permissions.all().value),
}
"""`app_permissions`: Discord itself refuses what isn't allowed."""
_ASSUMED_OF_MESSAGE: Final[Mapping[str, Any]] = {
    "type": discord.MessageType.default.value,
    "content": "",
    "attachments": (),
    "embeds": (),
    "edited_timestamp": None,
    "pinned": False,
    "mention_everyone": False,
    "tts": False,
}
_ASSUMED_OF_MEMBER: Final[Mapping[str, Any]] = {"roles": (), "flags": 0, "joined_at": None}
_ASSUMED_OF_USER: Final[Mapping[str, Any]] = {"username": "", "discriminator": "0", "avatar": None}
_WITHOUT: Final = (discord.ChannelType.category, discord.ChannelType.forum, discord.ChannelType.media)
_WITH_MESSAGES: Final = frozenset(kind.value for kind in discord.ChannelType if kind not in _WITHOUT)
"""The kinds of channels that discord.py knows and in which something can be clicked."""


class GuildCache(AutoShardedConnectionState[Any]):
    """discord.py's state of a connection, without what it would keep about servers.

    It dispatches `access_changed` with the id of a server or thread where the bot may now be allowed to write, and
    `channel_gone` with the id of a channel or thread that was deleted. Discord doesn't say which threads went with a
    channel, so the cache remembers the channel of each thread that an interaction has come from, or that has a table
    when a session starts.

    Args:
        has_table: whether there is a table in a channel or thread, awake or not.
        options: passed on to discord.py.
    """

    def __init__(self, *, has_table: Callable[[int], bool], **options: Any) -> None:
        super().__init__(**options)
        self.parsers = {event: self.parsers[event] for event in PARSED}
        self._has_table = has_table
        self._threads: dict[int, dict[int, int]] = {}
        """By server: the threads to remember, each with its channel."""
        self._joined_threads: set[int] = set()
        """The private ones among them that Discord has sent: the bot is in them, or may manage threads."""

    def is_in_private_thread(self, thread_id: int) -> bool:
        """Whether the bot is in a private thread: Discord sends only such threads, but interactions come from any."""
        return thread_id in self._joined_threads

    def parent_of(self, guild_id: int, thread_id: int) -> int | None:
        """The channel of a thread; None if it isn't known to be one."""
        return self._threads.get(guild_id, {}).get(thread_id) or None

    def forget_idle_threads(self) -> None:
        """Forget the threads without a table, except the private ones that the bot is in."""
        for guild_id in list(self._threads):
            self._forget_idle(guild_id)

    # ------------------------------------------------------------------------------------------ servers
    def found(self, guild: Mapping[str, Any]) -> None:
        """Remember a server that Discord hadn't listed, by its description."""
        self._add_guild_from_data(cast("Any", trimmed_guild(guild)))

    def parse_guild_create(self, data: Any) -> None:
        guild_id = int(data["id"])
        if not data.get("unavailable"):
            self._forget_threads(guild_id)  # this event lists the current ones
            self._note_threads(guild_id, data.get("threads", ()))
        super().parse_guild_create(cast("Any", trimmed_guild(data)))

    def parse_guild_update(self, data: Any) -> None:
        super().parse_guild_update(cast("Any", trimmed_guild(data)))

    def _remove_guild(self, guild: discord.Guild) -> None:
        super()._remove_guild(guild)
        self._forget_threads(guild.id)

    # ------------------------------------------------------------------------------------------ interactions
    def parse_interaction_create(self, data: Any) -> None:
        """Complete an interaction. With no channels kept, what it says of its channel is all that discord.py knows."""
        data = {**_ASSUMED_OF_INTERACTION, **data}
        told: Payload = data.get("channel") or {}
        if (channel_id := data.get("channel_id") or told.get("id")) is not None:
            data["channel"] = self._completed_channel(data, {**_ASSUMED, **told, "id": channel_id, "topic": None})
        if member := data.get("member"):
            data["member"] = {**_ASSUMED_OF_MEMBER, **member, "user": {**_ASSUMED_OF_USER, **member["user"]}}
        if user := data.get("user"):
            data["user"] = {**_ASSUMED_OF_USER, **user}
        if message := data.get("message"):
            data["message"] = {**_ASSUMED_OF_MESSAGE, "channel_id": channel_id, **message}
        super().parse_interaction_create(data)

    def _completed_channel(self, data: Payload, channel: Payload) -> Payload:
        """Complete the channel of an interaction, and remember it if it is a thread."""
        if channel["type"] not in _WITH_MESSAGES:
            channel["type"] = discord.ChannelType.text.value  # newer than discord.py, which would leave it out
        if channel["type"] in _THREADS:
            channel["thread_metadata"] = {**_ASSUMED_OF_THREAD, **channel.get("thread_metadata", {})}
            channel["parent_id"] = parent_id = int(channel["parent_id"] or 0)
            if self._get_guild(guild_id := int(data.get("guild_id") or 0)) is not None:
                if len(self._threads.get(guild_id, ())) >= MANY_THREADS:
                    self._forget_idle(guild_id)  # Discord never says that some of them are gone
                self._threads.setdefault(guild_id, {})[int(channel["id"])] = parent_id
        return channel

    # ------------------------------------------------------------------------------------------ channels, threads
    def parse_channel_delete(self, data: Any) -> None:
        guild_id, channel_id = int(data["guild_id"]), int(data["id"])
        threads = [thread for thread, parent in self._threads.get(guild_id, {}).items() if parent == channel_id]
        for thread_id in threads:
            self._forget_thread(guild_id, thread_id)
        for gone in (channel_id, *threads):
            self.dispatch("channel_gone", gone)

    def parse_thread_delete(self, data: Any) -> None:
        self._forget_thread(int(data["guild_id"]), int(data["id"]))
        self.dispatch("channel_gone", int(data["id"]))

    def parse_thread_create(self, data: Any) -> None:
        self._note_threads(int(data["guild_id"]), [data])

    def parse_thread_update(self, data: Any) -> None:
        self._note_threads(int(data["guild_id"]), [data])
        self.dispatch("access_changed", int(data["id"]))

    def parse_guild_member_update(self, data: Any) -> None:
        """Note that the bot's own roles, or its time-out, have changed; other members are ignored."""
        if str(data["user"]["id"]) == str(self.self_id):
            self._access_changed(data)

    def _access_changed(self, data: Any) -> None:
        self.dispatch("access_changed", int(data["guild_id"]))

    parse_channel_update = parse_guild_role_update = _access_changed

    def parse_thread_list_sync(self, data: Any) -> None:
        self._note_threads(int(data["guild_id"]), data.get("threads", ()))

    def parse_thread_members_update(self, data: Any) -> None:
        """Remember that the bot was added to a thread, or removed from it; other members are ignored."""
        thread_id, own = int(data["id"]), str(self.self_id)
        if own in map(str, data.get("removed_member_ids", ())):
            self._joined_threads.discard(thread_id)
        elif any(str(member["user_id"]) == own for member in data.get("added_members", ())):
            self._threads.setdefault(int(data["guild_id"]), {}).setdefault(thread_id, 0)
            self._joined_threads.add(thread_id)
            self.dispatch("access_changed", thread_id)

    def _note_threads(self, guild_id: int, threads: Any) -> None:
        for thread in threads:
            thread_id = int(thread["id"])
            private, has_table = thread["type"] == _PRIVATE, self._has_table(thread_id)
            if thread.get("thread_metadata", {}).get("archived") and not has_table:
                self._forget_thread(guild_id, thread_id)
            elif private or has_table:
                self._threads.setdefault(guild_id, {})[thread_id] = int(thread["parent_id"])
                if private:
                    self._joined_threads.add(thread_id)

    def _forget_idle(self, guild_id: int) -> None:
        threads = self._threads.get(guild_id, {})
        for thread_id in [each for each in threads if each not in self._joined_threads and not self._has_table(each)]:
            self._forget_thread(guild_id, thread_id)

    def _forget_thread(self, guild_id: int, thread_id: int) -> None:
        self._joined_threads.discard(thread_id)
        threads = self._threads.get(guild_id, {})
        if threads.pop(thread_id, None) is not None and not threads:
            del self._threads[guild_id]

    def _forget_threads(self, guild_id: int) -> None:
        self._joined_threads.difference_update(self._threads.pop(guild_id, ()))


def trimmed_guild(guild: Mapping[str, Any]) -> Payload:
    """Keep the needed part of Discord's description of a server; all servers share the strings that name their
    features."""
    kept: Payload = {key: guild[key] for key in _KEPT if key in guild}
    kept["features"] = [sys.intern(feature) for feature in guild.get("features", ())]
    return kept
