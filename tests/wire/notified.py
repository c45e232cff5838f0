"""Whom Discord has notified: a new message notifies those it mentions and may mention, an edit nobody.

A notification shows the message's `content` and nothing else: a mention inside components rings without any text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.fake_discord.person import Person
from tests.support.fake_discord.realm import Realm

SILENT = 1 << 12


@dataclass(frozen=True, slots=True)
class Ping:
    """Somebody was notified of a message.

    `text`: what a locked phone shows of it; empty for a message of components. `silent`: without a sound, only by the
    badge.
    """

    user_id: int
    author_id: int
    channel_id: int
    message_id: int
    text: str
    silent: bool


class Notified:
    """Everybody's pings, oldest first, including those of deleted messages: deleting undoes no notification."""

    def __init__(self, realm: Realm) -> None:
        self.realm = realm
        self.pings: list[Ping] = []
        realm.listen(self._hear)

    def of(self, person: Person, channel_id: int | None = None) -> list[Ping]:
        """The pings of a person, in one channel or all."""
        return [ping for ping in self.pings if ping.user_id == person.id and channel_id in (None, ping.channel_id)]

    def by_bot(self) -> list[Ping]:
        """The pings by the bot's messages."""
        return [ping for ping in self.pings if ping.author_id == self.realm.bot_id]

    def clear(self) -> None:
        """Forget all pings so far."""
        self.pings.clear()

    def _hear(self, event: str, payload: Mapping[str, Any]) -> None:
        if event != "MESSAGE_CREATE":
            return  # private messages cause no events, and edits notify nobody
        channel_id, message_id = int(payload["channel_id"]), int(payload["id"])
        message = self.realm.backend.get_message(channel_id, message_id)
        for user_id in self._mentioned(message):
            silent = bool(message.flags & SILENT)
            ping = Ping(user_id, message.author_id, channel_id, message_id, message.content or "", silent)
            self.pings.append(ping)

    def _mentioned(self, message: Any) -> Iterator[int]:
        """The members, except the author, whom a message mentions: personally, by a role, or with everybody."""
        backend = self.realm.backend
        channel = backend.get_channel(message.channel_id)
        if channel.guild_id is None or not (message.ping_user_ids or message.ping_role_ids or message.mention_everyone):
            return
        roles = set(message.ping_role_ids)
        for member in backend.get_guild(channel.guild_id).members.values():
            mentioned = member.user_id in message.ping_user_ids or roles.intersection(member.role_ids)
            if (mentioned or message.mention_everyone) and member.user_id not in (message.author_id, self.realm.bot_id):
                yield member.user_id
