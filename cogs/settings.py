"""/escoba settings: what a server's games begin with."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui.kit.host import host_of
from bot.ui.kit.interactions import respond
from bot.ui.server.clicks.guild_settings import settings_layout
from bot.ui.transport.permissions import check_manages
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_


class SettingsCommands(commands.Cog):
    """The command for those who manage the server."""

    @app_commands.command(name="settings", description=N_("Choose what this server's games begin with"))
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        """Show the editor, to the asker only."""
        await respond(interaction, _settings(interaction))


async def _settings(interaction: discord.Interaction[Any]) -> None:
    check_manages(interaction)
    layout = await settings_layout(host_of(interaction), interaction.guild_id or 0, private_words(interaction))
    await reply_to(interaction).send_private(layout)
