"""Threads as Discord has them: private ones that the bot may not be in, archived ones, locked ones.

A thread in which nobody has written for its time is archived, which shows at the next request that is about it.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
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


def archive(backend: Any, thread_id: int, archived: bool = True) -> None:
    """Archive or unarchive a thread, as time or a moderator does."""
    data = {"archived": archived, "archive_timestamp": backend.now_iso()}
    backend.edit_channel(thread_id, {}, thread_metadata=data)


def named_by(backend: Any, pattern: re.Pattern[str], path: str) -> int:
    """The thread that a path names; 0 if it names none."""
    found = pattern.fullmatch(path)
    channel = backend.channels.get(int(found[1])) if found else None
    return channel.id if channel is not None and channel.is_thread else 0


def state_of(backend: Any, thread_id: int) -> Any:
    """Whether a thread is archived, or has been quiet for so long that it now is, and whether it is locked."""
    state = backend.get_thread(thread_id).thread_metadata
    if not state.archived:
        said = (each.timestamp for each in reversed(backend.messages[thread_id].values()) if not each.is_ephemeral)
        active = datetime.fromisoformat(max(state.archive_timestamp, next(said, "")))  # an edit doesn't count
        if backend.clock.now() - active >= timedelta(minutes=state.auto_archive_duration):
            archive(backend, thread_id)
    return state


def check_active(backend: Any, method: str, path: str, body: Any) -> None:
    """Check a request of the bot before it is carried out.

    Raises:
        Refused: if its thread is archived; posts and deletions aren't refused for that.
    """
    if method in ("GET", "DELETE"):
        return
    thread_id = named_by(backend, MESSAGES, path) if method != "POST" else 0
    thread_id = thread_id or named_by(backend, _JOIN, path)
    if not thread_id and method == "PATCH" and body.get("archived") is not False:
        thread_id = named_by(backend, _CHANNEL, path)
    if thread_id and state_of(backend, thread_id).archived:
        raise Refused(400, 50083, "Thread is archived", meant=True)


def reopen_by_post(backend: Any, channel_id: int) -> None:
    """Note a message in a channel: if that is an archived thread, it is unarchived."""
    if backend.get_channel(channel_id).is_thread and state_of(backend, channel_id).archived:
        archive(backend, channel_id, archived=False)


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
    """The threads of a realm. Only those that time or a test archives, or a test locks or makes private, refuse
    anything."""

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
        archive(self.realm.backend, thread_id, archived)

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
        state = state_of(self.realm.backend, thread_id)
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
        found = [thread.id for thread in self.realm.backend.active_threads(guild_id)]
        active = [each for each in found if not state_of(self.realm.backend, each).archived]
        return [self.payload(thread_id) for thread_id in active if self.realm.bot_sees(thread_id)]

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
        backend = self.realm.backend
        thread_id = named_by(backend, MESSAGES, path) or named_by(backend, _JOIN, path)
        if thread_id and method != "GET" and self.realm.bot_sees(thread_id):
            state = state_of(backend, thread_id)
            if state.locked and not self._manages(thread_id) and (state.archived or method != "DELETE"):
                raise Refused(403, 160005, "Thread is locked", meant=True)
        if not thread_id or self.realm.bot_sees(thread_id):
            check_active(backend, method, path, body)

    def carry_out(self, method: str, path: str, body: Any) -> Any:
        """Carry out the bot's request to unarchive a thread, which needs no permission, or to have it archived after
        another time, which needs none in its own; None for other requests."""
        thread_id = named_by(self.realm.backend, _CHANNEL, path)
        if not thread_id or method != "PATCH" or not body.keys() <= {"archived", "auto_archive_duration"}:
            return None
        if not self.realm.bot_sees(thread_id):
            raise Refused(403, 50001, "Missing Access", meant=True)
        own = self.realm.backend.get_thread(thread_id).owner_id == self.realm.bot_id
        unarchives = body == {"archived": False} and not state_of(self.realm.backend, thread_id).locked
        if not (own and "archived" not in body) and not unarchives and not self._manages(thread_id):
            raise Refused(403, 50013, "Missing Permissions", meant=True)
        if "archived" in body:
            self.archive(thread_id, archived=body["archived"])
        if (minutes := body.get("auto_archive_duration")) is not None:
            self.realm.backend.edit_channel(thread_id, {}, thread_metadata={"auto_archive_duration": minutes})
        return self.payload(thread_id)

    def posted(self, channel_id: int, mentioned: Iterable[int]) -> None:
        """Note a message in a channel: a thread is unarchived, and the people mentioned join it."""
        reopen_by_post(self.realm.backend, channel_id)
        if self.realm.backend.get_channel(channel_id).is_thread:
            for user_id in mentioned:
                self.join(channel_id, user_id)

    def _manages(self, thread_id: int, user_id: int | None = None) -> bool:
        return self.realm.permissions(thread_id, user_id).manage_threads
