"""Shows a Community's lobbies in the server's language when it changes."""

from __future__ import annotations

import logging

import discord

from bot.platform.database.errors import StoreError
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.transport.servers import COMMUNITY
from bot.tables.live.manager import TableManager

log = logging.getLogger(__name__)


async def follow_language(
    before: discord.Guild, after: discord.Guild, guild_settings: GuildSettingsCache, manager: TableManager
) -> None:
    """Show a Community's lobbies in its language if that has changed, unless its guild settings name a language."""
    chosen = (after.preferred_locale, COMMUNITY in after.features)
    if not chosen[1] or chosen == (before.preferred_locale, COMMUNITY in before.features):
        return
    try:
        if (await guild_settings.of(after.id, LanguageSettings)).language is None:
            await manager.set_locale(after.id, after.preferred_locale.value)
    except StoreError as error:
        log.warning("Could not change the language of open lobbies: %s", error)
