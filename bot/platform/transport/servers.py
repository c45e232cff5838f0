"""The server of an interaction, and the language of a server, as Discord reports them."""

from __future__ import annotations

from typing import Any, Final

import discord

COMMUNITY: Final = "COMMUNITY"
"""The feature of servers that have a language of their own."""


def own_server(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server of an interaction if the bot is installed there; None in private chats, and where only a person
    has installed it for themselves.

    discord.py makes up an `interaction.guild` for a server without the bot, so that says nothing.
    """
    return interaction.guild_id if interaction.is_guild_integration() else None


def own_language(guild: discord.Guild | None) -> str | None:
    """Return a Community's language; None for every other server, for which Discord always reports American English."""
    return guild.preferred_locale.value if guild is not None and COMMUNITY in guild.features else None
