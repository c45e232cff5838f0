"""A server's scheduled events that are the bot's own: made, changed and deleted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import discord

from bot.platform.transport.channels import Channels, Place
from bot.platform.transport.turns import Priority

LONGEST: Final = 100
"""Discord's limit for an event's name, and for its place."""


@dataclass(frozen=True, slots=True)
class GuildEvent:
    """An event somewhere else than in a voice channel."""

    name: str
    where: str
    description: str
    start: datetime
    end: datetime

    def payload(self) -> dict[str, Any]:
        return {
            "name": self.name[:LONGEST],
            "description": self.description,
            "scheduled_start_time": self.start.isoformat(),
            "scheduled_end_time": self.end.isoformat(),
            "privacy_level": discord.PrivacyLevel.guild_only.value,
            "entity_type": discord.EntityType.external.value,
            "entity_metadata": {"location": self.where[:LONGEST]},
        }


class GuildEvents:
    """The bot's events. Every method raises what `trouble.NETWORK` lists."""

    def __init__(self, client: discord.Client, channels: Channels) -> None:
        self._client = client
        self._channels = channels

    async def make(self, place: Place, event: GuildEvent) -> int:
        """Make an event, or find the same one that a stopped bot has made; returns its id."""
        assert self._client.user is not None, "the bot has logged in"
        async with self._channels.turn(place, Priority.LEFT_BEHIND, edits=False) as ticket:
            await ticket.use()
            for scheduled in await self._client.http.get_scheduled_events(place.guild_id, with_user_count=False):
                metadata: dict[str, Any] = dict(scheduled.get("entity_metadata") or {})
                start = datetime.fromisoformat(scheduled["scheduled_start_time"])
                if (str(scheduled.get("creator_id")), metadata.get("location"), start) == (
                    str(self._client.user.id),
                    event.where,
                    event.start,
                ):
                    return int(scheduled["id"])
            made = await self._client.http.create_guild_scheduled_event(place.guild_id, **event.payload())
            return int(made["id"])

    async def change(self, place: Place, event_id: int, event: GuildEvent) -> None:
        async with self._channels.turn(place, Priority.LEFT_BEHIND, edits=False) as ticket:
            await ticket.use()
            await self._client.http.edit_scheduled_event(place.guild_id, event_id, **event.payload())

    async def delete(self, place: Place, event_id: int) -> None:
        async with self._channels.turn(place, Priority.LEFT_BEHIND, edits=False) as ticket:
            await ticket.use()
            await self._client.http.delete_scheduled_event(place.guild_id, event_id)
