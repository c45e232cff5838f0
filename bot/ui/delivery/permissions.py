"""What the bot and people may do where an interaction comes from."""

from __future__ import annotations

from typing import Any

import discord


def may_speak(interaction: discord.Interaction[Any]) -> bool:
    """Whether the bot may post messages there."""
    allowed = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.view_channel and (allowed.send_messages_in_threads if in_thread else allowed.send_messages)


def may_moderate(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person may manage messages there."""
    return interaction.permissions.manage_messages


def may_manage(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person may manage the server."""
    return interaction.permissions.manage_guild
