"""Threads as Discord has them: private ones that the bot may not be in, archived ones, locked ones."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import discord

from tests.support.fake_discord.person import Person
from tests.support.fake_discord.refused import Refused

PUBLIC, PRIVATE = 11, 12
MESSAGES = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
"""The path of a channel's messages, or of one of them."""
_CHANNEL = re.compile(r"/channels/(\d+)")
_OPEN = re.compile(r"/channels/\d+/messages/(\d+)/threads")
_JOIN = re.compile(r"/channels/(\d+)/thread-members/@me")


class Realm(Protocol):
    """What threads need from the Discord that they are in: see `realm.Realm`."""

    @property
    def backend(self) -> Any: ...

    @property
    def people(self) -> list[Person]: ...

    @property
    def bot_id(self) -> int: ...

    def bot_sees(self, channel_id: int) -> bool: ...

    def channel_payload(self, channel_id: int) -> dict[str, Any]: ...

    def permissions(self, channel_id: int, user_id: int | None = None) -> discord.Permissions: ...


class Threads:
    """The threads of a realm. Only those that a test archives, locks or makes private refuse anything."""

    def __init__(self, realm: Realm) -> None:
        self.realm = realm

    def add(self, channel_id: int, name: str = "hilo", *, private: bool = False, people: Iterable[Person] = ()) -> int:
        """Add a thread to a channel, with people in it, the first of whom opened it. The bot doesn't join by itself.

        In a private thread its interactions work, but it may write there only once somebody has mentioned it or while
        it may manage threads, which it may until `Realm.invite_bot`.
        """
        backend = self.realm.backend
        members = list(people) or self.realm.people[:1]
        kind = PRIVATE if private else PUBLIC
        thread = backend.create_thread(channel_id, name, members[0].id, type=kind, broadcast=False)
        for person in members[1:]:
            thread.thread_members[person.id] = backend.now_iso()
        backend.emit("THREAD_CREATE", {**self.payload(thread.id), "newly_created": True})
        return thread.id

    def archive(self, thread_id: int, archived: bool = True) -> None:
        """Archive or unarchive a thread, as time or a moderator does."""
        data = {"archived": archived, "archive_timestamp": self.realm.backend.now_iso()}
        self.realm.backend.edit_channel(thread_id, {}, thread_metadata=data)

    def lock(self, thread_id: int, locked: bool = True) -> None:
        """Lock or unlock a thread as a moderator does, without archiving it."""
        self.realm.backend.edit_channel(thread_id, {}, thread_metadata={"locked": locked})

    def join(self, thread_id: int, user_id: int | None = None) -> None:
        """Somebody joins a thread; the bot without a `user_id`."""
        backend = self.realm.backend
        user_id = user_id or self.realm.bot_id
        thread = backend.get_channel(thread_id)
        if user_id in thread.thread_members:
            return
        thread.thread_members[user_id] = backend.now_iso()
        if user_id == self.realm.bot_id:  # events about others who join need the members intent
            payload = self.payload(thread_id)
            backend.emit("THREAD_CREATE", payload)
            change = {"member_count": len(thread.thread_members), "added_members": [payload["member"]]}
            backend.emit("THREAD_MEMBERS_UPDATE", {"id": str(thread_id), "guild_id": str(thread.guild_id), **change})

    def remove_bot(self, thread_id: int) -> None:
        """Remove the bot from a thread. discord.py receives the event, but keeps the thread in its cache."""
        backend = self.realm.backend
        thread = backend.get_channel(thread_id)
        change = {"member_count": len(thread.thread_members) - 1, "removed_member_ids": [str(self.realm.bot_id)]}
        backend.emit("THREAD_MEMBERS_UPDATE", {"id": str(thread_id), "guild_id": str(thread.guild_id), **change})
        del thread.thread_members[self.realm.bot_id]

    def remove_those_of(self, channel_id: int) -> None:
        """Remove a channel's threads, without any events."""
        backend = self.realm.backend
        for thread in [each for each in backend.channels.values() if each.is_thread and each.parent_id == channel_id]:
            backend.get_guild(thread.guild_id).thread_ids.remove(thread.id)
            backend.messages.pop(thread.id, None)
            del backend.channels[thread.id]

    def reopen(self, person: Person, thread_id: int) -> bool:
        """Do what a person's client does with an archived thread before a click; False if it then sends no click."""
        state = self._state(thread_id)
        if state.archived:
            if state.locked and not self._manages(thread_id, person.id):
                return False
            self.archive(thread_id, archived=False)
        return True

    # -------------------------------------------------------------------------------------- for realm and server
    def payload(self, thread_id: int) -> dict[str, Any]:
        """A thread as in events: with the bot's own membership, if it has one."""
        thread = self.realm.backend.get_channel(thread_id)
        payload = self.realm.channel_payload(thread_id)
        if (joined := thread.thread_members.get(self.realm.bot_id)) is not None:
            member = {"id": str(thread_id), "user_id": str(self.realm.bot_id), "join_timestamp": joined, "flags": 0}
            payload["member"] = member
        return payload

    def listed(self, guild_id: int) -> list[dict[str, Any]]:
        """The threads that a new session receives: active ones that the bot sees."""
        found = self.realm.backend.active_threads(guild_id)
        return [self.payload(thread.id) for thread in found if self.realm.bot_sees(thread.id)]

    def hidden(self, event: str, payload: Mapping[str, Any]) -> bool:
        """Whether an event is kept from the bot, because it is about a private thread that the bot isn't in."""
        if event == "INTERACTION_CREATE":
            return False
        number = payload["id"] if event.startswith("THREAD_") else payload.get("channel_id")
        thread = self.realm.backend.channels.get(int(number or 0))
        return thread is not None and thread.type == PRIVATE and not self.realm.bot_sees(thread.id)

    def check(self, method: str, path: str, body: Any) -> None:
        """Check a request of the bot before it is carried out.

        Raises:
            Refused: if its thread doesn't allow it.
        """
        if (found := _OPEN.fullmatch(path)) and int(found[1]) in self.realm.backend.channels:
            raise Refused(400, 160004, "A thread has already been created for this message", meant=True)
        thread_id = self._thread_of(MESSAGES, path) or self._thread_of(_JOIN, path)
        if not thread_id or method == "GET" or not self.realm.bot_sees(thread_id):
            return
        state = self._state(thread_id)
        posting = method == "POST" and MESSAGES.fullmatch(path)
        deleting = method == "DELETE"
        if state.locked and not self._manages(thread_id) and (state.archived or not deleting):
            raise Refused(403, 160005, "Thread is locked", meant=True)
        if state.archived and not posting and not deleting:
            raise Refused(400, 50083, "Thread is archived", meant=True)

    def carry_out(self, method: str, path: str, body: Any) -> Any:
        """Carry out the bot's request to unarchive a thread, which needs no permission; None for other requests."""
        thread_id = self._thread_of(_CHANNEL, path)
        if not thread_id or method != "PATCH" or body != {"archived": False}:
            return None
        if not self.realm.bot_sees(thread_id):
            raise Refused(403, 50001, "Missing Access", meant=True)
        if self._state(thread_id).locked and not self._manages(thread_id):
            raise Refused(403, 50013, "Missing Permissions", meant=True)
        self.archive(thread_id, archived=False)
        return self.payload(thread_id)

    def posted(self, channel_id: int, mentioned: Iterable[int]) -> None:
        """Note a message in a channel: a thread is unarchived, and the people mentioned join it."""
        if self.realm.backend.get_channel(channel_id).is_thread:
            if self._state(channel_id).archived:
                self.archive(channel_id, archived=False)
            for user_id in mentioned:
                self.join(channel_id, user_id)

    def _thread_of(self, pattern: re.Pattern[str], path: str) -> int:
        found = pattern.fullmatch(path)
        channel = self.realm.backend.channels.get(int(found[1])) if found else None
        return channel.id if channel is not None and channel.is_thread else 0

    def _state(self, thread_id: int) -> Any:
        return self.realm.backend.get_thread(thread_id).thread_metadata

    def _manages(self, thread_id: int, user_id: int | None = None) -> bool:
        return self.realm.permissions(thread_id, user_id).manage_threads
