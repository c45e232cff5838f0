"""Whom Discord has told: a new message tells whom it mentions and may mention, an edit nobody; nothing undoes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.fake_discord.person import Person
from tests.support.fake_discord.realm import Realm

SILENT = 1 << 12


@dataclass(frozen=True, slots=True)
class Ping:
    """Somebody was told of a message. `silent`: no sound, only the badge."""

    user_id: int
    author_id: int
    channel_id: int
    message_id: int
    silent: bool


class Notified:
    """Everybody's pings, oldest first, those of deleted messages too: a badge stays for a while."""

    def __init__(self, realm: Realm) -> None:
        self.realm = realm
        self.pings: list[Ping] = []
        realm.listen(self._hear)

    def of(self, person: Person, channel_id: int | None = None) -> list[Ping]:
        """The pings of a person, in one channel or all."""
        return [ping for ping in self.pings if ping.user_id == person.id and channel_id in (None, ping.channel_id)]

    def by_bot(self) -> list[Ping]:
        """The pings of messages that the bot has sent."""
        return [ping for ping in self.pings if ping.author_id == self.realm.bot_id]

    def clear(self) -> None:
        """Everybody has looked."""
        self.pings.clear()

    def _hear(self, event: str, payload: Mapping[str, Any]) -> None:
        if event != "MESSAGE_CREATE":
            return  # private messages are no events, and what is edited tells nobody
        channel_id, message_id = int(payload["channel_id"]), int(payload["id"])
        message = self.realm.backend.get_message(channel_id, message_id)
        for user_id in self._told(message):
            silent = bool(message.flags & SILENT)
            self.pings.append(Ping(user_id, message.author_id, channel_id, message_id, silent))

    def _told(self, message: Any) -> Iterator[int]:
        """The members, without the author, whom a message names by themselves, by a role, or with all."""
        backend = self.realm.backend
        channel = backend.get_channel(message.channel_id)
        if channel.guild_id is None or not (message.ping_user_ids or message.ping_role_ids or message.mention_everyone):
            return
        roles = set(message.ping_role_ids)
        for member in backend.get_guild(channel.guild_id).members.values():
            named = member.user_id in message.ping_user_ids or roles.intersection(member.role_ids)
            if (named or message.mention_everyone) and member.user_id not in (message.author_id, self.realm.bot_id):
                yield member.user_id
