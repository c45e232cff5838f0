"""A private message, and the token with which it can be edited, deleted and posted again while the token lives."""

from __future__ import annotations

from typing import Any

import discord

from bot.platform.layout import Drawn, Layout
from bot.platform.transport.files import Attached, Files, Sent, file_on, replacing, uploading


class EphemeralMessage:
    """A private message, and the interaction whose token reaches it.

    Attributes:
        id: None if Discord hasn't given it.
        file: the file of its picture as it was sent, if known.
    """

    __slots__ = ("_follows_up", "_interaction", "file", "id")

    def __init__(
        self, interaction: discord.Interaction[Any], message_id: int | None, file: Attached | None, *, follows_up: bool
    ) -> None:
        self._interaction = interaction
        self._follows_up = follows_up
        """Whether it is a follow-up, which only the token that sent it can reach."""
        self.id = message_id
        self.file = file

    @classmethod
    def original(
        cls, interaction: discord.Interaction[Any], message_id: int | None, file: Attached | None = None
    ) -> EphemeralMessage:
        """Return the message that answered the interaction, or that was clicked."""
        return cls(interaction, message_id, file, follows_up=False)

    @classmethod
    async def follow_up(cls, interaction: discord.Interaction[Any], layout: Layout) -> EphemeralMessage:
        """Send another message after the interaction's first answer."""
        sent = await interaction.followup.send(view=Drawn(layout), **uploading(layout), ephemeral=True, wait=True)
        return cls(interaction, sent.id, file_on(sent, layout), follows_up=True)

    @property
    def token(self) -> str:
        return self._interaction.token

    @property
    def place(self) -> tuple[int | None, int | None]:
        """The server and channel that it is in, which may not be its table's."""
        return self._interaction.guild_id, self._interaction.channel_id

    async def post_again(self, layout: Layout) -> EphemeralMessage:
        """Send the same person a new message through the same token. This one stays until it is deleted."""
        return await self.follow_up(self._interaction, layout)

    async def edit(self, layout: Layout, files: Files | None = None) -> Sent:
        """Edit the message to show a layout; `files` are all that it has from then on, None for those of the layout."""
        view, attached = Drawn(layout), replacing(layout) if files is None else files
        if self._follows_up and self.id is not None:
            edited = await self._interaction.followup.edit_message(self.id, view=view, attachments=attached)
        else:
            edited = await self._interaction.edit_original_response(view=view, attachments=attached)
        return Sent(edited.id, file_on(edited, layout))

    async def delete(self) -> None:
        if self._follows_up and self.id is not None:
            await self._interaction.followup.delete_message(self.id)
        else:
            await self._interaction.delete_original_response()
