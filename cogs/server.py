"""/escoba me and settings: what people and servers choose."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.host import host_of
from bot.platform.kit.interactions import respond
from bot.platform.kit.screen import server_of
from bot.platform.language.texts import N_
from bot.platform.settings.documents import PreferencesCache
from bot.platform.settings.pages import OwnPages, ServerPages
from bot.platform.transport.permissions import check_manages
from bot.platform.transport.reply import private_words, reply_to
from bot.tables.settings import TablePreferences


class ServerCommands(commands.Cog):
    """The commands about choices."""

    @app_commands.command(name="me", description=N_("Your language, cards and notifications, and the data I keep"))
    async def me(self, interaction: discord.Interaction[Any]) -> None:
        """Show the choices, to the asker only."""
        await respond(interaction, _me(interaction))

    @app_commands.command(name="settings", description=N_("Choose how this server's tables start out"))
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        """Show the editor, to the asker only."""
        await respond(interaction, _settings(interaction))


async def _me(interaction: discord.Interaction[Any]) -> None:
    host, person_id = host_of(interaction), interaction.user.id
    refused = host.of(PreferencesCache).cached(person_id, TablePreferences).digest_refused
    layout = await host.of(OwnPages).layout(host, person_id, private_words(interaction))
    await reply_to(interaction).send_private(layout)
    if refused:  # they have read it now
        await host.of(PreferencesCache).change(person_id, TablePreferences, digest_refused=False)


async def _settings(interaction: discord.Interaction[Any]) -> None:
    check_manages(interaction)
    host = host_of(interaction)
    layout = await host.of(ServerPages).layout(host, server_of(interaction), private_words(interaction))
    await reply_to(interaction).send_private(layout)
