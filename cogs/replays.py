"""/escoba games: one's own matches."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_
from bot.replays.clicks.replay import send_games


class ReplayCommands(commands.Cog):
    """The command about finished matches."""

    @app_commands.command(name="games", description=N_("Your matches that wait for you, and those that are over"))
    async def games(self, interaction: discord.Interaction[Any]) -> None:
        """List the asker's matches on the server, for them only."""
        await respond(interaction, send_games(interaction))
