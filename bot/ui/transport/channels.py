"""Messages in channels that answer nobody's click: the one place from where they are posted, edited and deleted.

Discord counts these requests, unlike answers to interactions and edits through their tokens: each waits for its turn.
"""

from __future__ import annotations

import discord

from bot.tables.table import Table
from bot.ui.screens.layout import Layout
from bot.ui.transport.drawn import Drawn
from bot.ui.transport.files import Files, file_of, replacing
from bot.ui.transport.pacer import Pacer, Rank

NOBODY = discord.AllowedMentions.none()


class Channels:
    """Speaks in the channels of tables. Every method that sends raises what `reply.NETWORK` lists.

    A request waits for its turn by its `rank`; None: its turn has come already (see `turn`).
    """

    def __init__(self, client: discord.Client, pacer: Pacer) -> None:
        self._client = client
        self._pacer = pacer

    async def turn(self, table: Table, rank: Rank) -> None:
        """Wait until something may be sent to a table's channel: so late is decided what that is."""
        await self._pacer.turn(rank, None if rank is Rank.POST else table.channel_id)

    def spare(self, table: Table, rank: Rank) -> None:
        """Give a turn back that isn't needed."""
        self._pacer.spare(None if rank is Rank.POST else table.channel_id)

    async def post(
        self,
        table: Table,
        layout: Layout,
        *,
        nonce: str,
        allowed_mentions: discord.AllowedMentions,
        rank: Rank | None = Rank.POST,
    ) -> int:
        """Post a message; returns its id. Discord gives back what it made of the same nonce some minutes ago."""
        if rank is not None:
            await self._pacer.turn(rank)
        channel, view = self._channel(table), Drawn(layout)
        if layout.picture is None:
            message = await channel.send(view=view, allowed_mentions=allowed_mentions, nonce=nonce)
        else:
            file = file_of(layout.picture)
            message = await channel.send(view=view, file=file, allowed_mentions=allowed_mentions, nonce=nonce)
        return message.id

    async def edit(
        self,
        table: Table,
        message_id: int,
        layout: Layout,
        *,
        files: Files = None,
        allowed_mentions: discord.AllowedMentions = NOBODY,
        rank: Rank | None = Rank.LEFT_BEHIND,
    ) -> None:
        """Show something else in a message; `files` as `Shown` has them, None for all that the layout needs."""
        if rank is not None:
            await self._pacer.turn(rank, table.channel_id)
        message = self._channel(table).get_partial_message(message_id)
        attached = replacing(layout) if files is None else files
        await message.edit(view=Drawn(layout), attachments=attached, allowed_mentions=allowed_mentions)

    async def delete(self, table: Table, message_id: int) -> None:
        """Take a message away."""
        await self._pacer.turn(Rank.LEFT_BEHIND)
        await self._channel(table).get_partial_message(message_id).delete()

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
