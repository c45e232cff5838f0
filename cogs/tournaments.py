"""/escoba tournament: an evening of several tables."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.kit.interactions import respond
from bot.platform.language.texts import N_
from bot.tournaments.clicks.setup import open_tournament


class TournamentCommands(commands.Cog):
    @app_commands.command(name="tournament", description=N_("Set up a tournament here, or see the one that's on"))
    async def tournament(self, interaction: discord.Interaction[Any]) -> None:
        """Show the tournament, or the screen on which one is set up, to the asker only."""
        await respond(interaction, open_tournament(interaction))
