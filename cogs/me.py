"""/escoba me: what a person chooses for themselves."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui.kit.host import host_of
from bot.ui.kit.interactions import respond
from bot.ui.server.screens.me import me_layout
from bot.ui.transport.reply import private_words, reply_to
from bot.ui.words.texts import N_


class MeCommands(commands.Cog):
    """The command about a person's own choices."""

    @app_commands.command(name="me", description=N_("Choose when I tell you that it's your turn"))
    async def me(self, interaction: discord.Interaction[Any]) -> None:
        """Show the choices, to the asker only."""
        await respond(interaction, _me(interaction))


async def _me(interaction: discord.Interaction[Any]) -> None:
    choices = host_of(interaction).preferences.get(interaction.user.id)
    await reply_to(interaction).send_private(me_layout(choices, private_words(interaction)))
