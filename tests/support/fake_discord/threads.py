"""Threads as Discord has them: private ones that the bot may not be in, archived ones, locked ones."""

from __future__ import annotations

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
_JOIN = re.compile(r"/channels/(\d+)/thread-members/@me")


class Realm(Protocol):
    """What the threads need of the Discord that they are in: see `realm.Realm`."""

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
        """A new thread of a channel, with people in it (the first opened it). The bot joins none by itself.

        In a private one its interactions work, but it may write there only when somebody has mentioned it there or when
        it manages threads, as it does until `Realm.invite_bot` takes that from it.
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
        """A thread goes to rest, by itself or by a moderator, or comes back."""
        data = {"archived": archived, "archive_timestamp": self.realm.backend.now_iso()}
        self.realm.backend.edit_channel(thread_id, {}, thread_metadata=data)

    def lock(self, thread_id: int, locked: bool = True) -> None:
        """A moderator locks a thread, or unlocks it; it isn't archived by that."""
        self.realm.backend.edit_channel(thread_id, {}, thread_metadata={"locked": locked})

    def join(self, thread_id: int, user_id: int | None = None) -> None:
        """Somebody comes into a thread; without a number, the bot."""
        backend = self.realm.backend
        user_id = user_id or self.realm.bot_id
        thread = backend.get_channel(thread_id)
        if user_id in thread.thread_members:
            return
        thread.thread_members[user_id] = backend.now_iso()
        if user_id == self.realm.bot_id:  # others joining are told with the intent for members only
            payload = self.payload(thread_id)
            backend.emit("THREAD_CREATE", payload)
            told = {"member_count": len(thread.thread_members), "added_members": [payload["member"]]}
            backend.emit("THREAD_MEMBERS_UPDATE", {"id": str(thread_id), "guild_id": str(thread.guild_id), **told})

    def remove_bot(self, thread_id: int) -> None:
        """Somebody takes the bot out of a thread. discord.py hears of it, and goes on to remember the thread."""
        backend = self.realm.backend
        thread = backend.get_channel(thread_id)
        told = {"member_count": len(thread.thread_members) - 1, "removed_member_ids": [str(self.realm.bot_id)]}
        backend.emit("THREAD_MEMBERS_UPDATE", {"id": str(thread_id), "guild_id": str(thread.guild_id), **told})
        del thread.thread_members[self.realm.bot_id]

    def reopen(self, person: Person, thread_id: int) -> bool:
        """What a person's client does with an archived thread before it sends a click: False, and no click comes."""
        state = self._state(thread_id)
        if state.archived:
            if state.locked and not self._manages(thread_id, person.id):
                return False
            self.archive(thread_id, archived=False)
        return True

    # -------------------------------------------------------------------------------------- for realm and server
    def payload(self, thread_id: int) -> dict[str, Any]:
        """A thread as events tell of it: with the bot's own membership, if it has one."""
        thread = self.realm.backend.get_channel(thread_id)
        payload = self.realm.channel_payload(thread_id)
        if (joined := thread.thread_members.get(self.realm.bot_id)) is not None:
            member = {"id": str(thread_id), "user_id": str(self.realm.bot_id), "join_timestamp": joined, "flags": 0}
            payload["member"] = member
        return payload

    def listed(self, guild_id: int) -> list[dict[str, Any]]:
        """The threads that a session hears of when it begins: active ones that the bot sees."""
        found = self.realm.backend.active_threads(guild_id)
        return [self.payload(thread.id) for thread in found if self.realm.bot_sees(thread.id)]

    def hidden(self, event: str, payload: Mapping[str, Any]) -> bool:
        """Whether the bot isn't told of an event, because it is of a private thread that the bot isn't in."""
        if event == "INTERACTION_CREATE":
            return False
        number = payload["id"] if event.startswith("THREAD_") else payload.get("channel_id")
        thread = self.realm.backend.channels.get(int(number or 0))
        return thread is not None and thread.type == PRIVATE and not self.realm.bot_sees(thread.id)

    def check(self, method: str, path: str, body: Any) -> None:
        """Look at a request of the bot before it is carried out.

        Raises:
            Refused: if the thread that it is about doesn't take it.
        """
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
        """Unarchive a thread that the bot asks to be, which needs no permission; None if it asks something else."""
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
        """A message has come into a channel: a thread wakes up, and who is mentioned in it is in it from now on."""
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
