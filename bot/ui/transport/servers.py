"""The language of a server, as Discord reports it."""

from __future__ import annotations

from typing import Final

import discord

COMMUNITY: Final = "COMMUNITY"
"""The feature of servers that have a language of their own."""


def own_language(guild: discord.Guild | None) -> str | None:
    """Return a Community's language; None for every other server, for which Discord always reports American English."""
    return guild.preferred_locale.value if guild is not None and COMMUNITY in guild.features else None
