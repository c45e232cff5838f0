"""What the bot and people may do in the channel of an interaction."""

from __future__ import annotations

from typing import Any, Protocol

import discord

from bot.tables.errors import Refusal, RefusalCode


class Listener(Protocol):
    """What is asked of the bot here."""

    def hears(self, thread_id: int) -> bool:
        """Whether the bot is in a private thread."""
        ...


def check_may_speak(interaction: discord.Interaction[Any]) -> None:
    """Go on only where the bot may post and edit messages, as far as is known.

    Raises:
        Refusal: elsewhere; it says what is missing.
    """
    allowed = interaction.app_permissions
    channel = interaction.channel
    listener: Listener = interaction.client
    if not isinstance(channel, discord.Thread):
        if not (allowed.view_channel and allowed.send_messages):
            raise Refusal(RefusalCode.MUTED)
    elif not (allowed.view_channel and allowed.send_messages_in_threads):
        raise Refusal(RefusalCode.MUTED)
    elif not allowed.manage_threads:
        if channel.locked:
            raise Refusal(RefusalCode.LOCKED)
        if channel.is_private() and not listener.hears(channel.id):
            raise Refusal(RefusalCode.OUTSIDE_THREAD)


def check_spoke(interaction: discord.Interaction[Any], spoke: bool) -> None:
    """Go on only if Discord has just let the bot write there.

    Raises:
        Refusal: if it hasn't, though no permission seemed to be missing; it says what may be the reason.
    """
    if not spoke:
        channel = interaction.channel
        private = isinstance(channel, discord.Thread) and channel.is_private()
        raise Refusal(RefusalCode.OUTSIDE_THREAD if private else RefusalCode.MUTED)


def may_moderate(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person may manage messages there."""
    return interaction.permissions.manage_messages


def may_manage(interaction: discord.Interaction[Any]) -> bool:
    return interaction.permissions.manage_guild
