"""Messages in channels that answer nobody's click: the one place from where they are posted, edited and deleted.

Discord counts these requests, unlike answers to interactions and edits through their tokens.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.tables.table import Table
from bot.ui.delivery.drawn import Drawn
from bot.ui.screens.layout import Layout

NOBODY = discord.AllowedMentions.none()


class Channels:
    """Speaks in the channels of tables. Every method raises what `reply.NETWORK` lists."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def post(
        self, table: Table, layout: Layout, *, nonce: str | None, allowed_mentions: discord.AllowedMentions
    ) -> int:
        """Post a message; returns its id. Discord gives back what it made of the same nonce some minutes ago."""
        named: dict[str, Any] = {} if nonce is None else {"nonce": nonce}
        message = await self._channel(table).send(view=Drawn(layout), allowed_mentions=allowed_mentions, **named)
        return message.id

    async def edit(
        self, table: Table, message_id: int, layout: Layout, *, allowed_mentions: discord.AllowedMentions = NOBODY
    ) -> None:
        """Show something else in a message."""
        message = self._channel(table).get_partial_message(message_id)
        await message.edit(view=Drawn(layout), allowed_mentions=allowed_mentions)

    async def delete(self, table: Table, message_id: int) -> None:
        """Take a message away."""
        await self._channel(table).get_partial_message(message_id).delete()

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
