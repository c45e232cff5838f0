"""/escoba privacy: what the bot keeps about a person, for them to read, export and erase."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui.kit.host import host_of
from bot.ui.kit.interactions import respond
from bot.ui.server.screens.privacy import privacy_layout
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_


class PrivacyCommands(commands.Cog):
    """The command about a person's own data."""

    @app_commands.command(name="privacy", description=N_("See what I keep about you, get it or erase it"))
    async def privacy(self, interaction: discord.Interaction[Any]) -> None:
        """Show what is kept, to the asker only."""
        await respond(interaction, _privacy(interaction))


async def _privacy(interaction: discord.Interaction[Any]) -> None:
    layout = privacy_layout(private_words(interaction), host_of(interaction).links)
    await reply_to(interaction).send_private(layout)
